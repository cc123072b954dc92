import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { LIMITS } from '../../../test/support/bench.ts'
import { boxed } from '../../../test/support/boxed.ts'
import { clip } from '../../../test/support/clips.ts'
import { until } from '../../../test/support/until.ts'
import type { Work } from '../../catalog/engine.ts'
import { resolve } from '../../catalog/resolve.ts'
import { compressVideo } from './compress.ts'

const { sandbox, dir } = await boxed()

/** Encoders that work on our file, by what the system says of its processes. */
async function encoders(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const told = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return told.filter((line) => line.includes('ffmpeg') && line.includes(mark))
}

it('stops the encoder when the task is canceled', async () => {
  const bytes = await clip('mkv', ['testsrc2=size=1280x720:rate=25:duration=8'], ['-c:v', 'mpeg4', '-q:v', '2'])
  const path = join(await mkdtemp(join(dir, 'in-')), 'in.mkv')
  await writeFile(path, bytes)
  const hop = await mkdtemp(join(dir, 'hop-'))
  const [capability] = compressVideo
  // A bitrate nobody else asks for tells our encoder from others on the machine.
  const given = { compress_video: 'by_max_bitrate', video_compress_max_bitrate: 4321, video_compress_speed: 'veryslow' }
  const { values, issues } = resolve(capability.options, given)
  assert.deepEqual(issues, [])
  const cancel = new AbortController()
  const input = { path, format: 'mkv', filename: 'film.mkv', size: bytes.length } as const
  const work: Work<typeof capability.options> = {
    ...{ does: 'compress', inputs: [input], input, to: 'mkv', options: values, dir: hop, user: 'tester' },
    limits: LIMITS,
    signal: cancel.signal,
    progress() {},
    tell() {},
    run: (spec, onOutput) =>
      sandbox.run({ ...spec, work: hop }, { signal: cancel.signal, ...(onOutput && { onOutput }) }),
    ask: async () => ({ status: 'unavailable', words: '' }),
  }
  const running = capability.run(work).catch((error: unknown) => error)
  await until(async () => (await encoders('4321000')).length > 0, 'the encoder runs')
  cancel.abort()
  assert.ok((await running) instanceof Error)
  await until(async () => (await encoders('4321000')).length === 0, 'it is gone')
})
