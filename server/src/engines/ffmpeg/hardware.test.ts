import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { clip, look } from '../../../test/support/clips.ts'
import type { BoxResult, BoxSpec } from '../../ports/sandbox.ts'
import { ffmpeg } from '../ffmpeg.ts'
import { hardwareArgs, present } from './hardware.ts'

const programs: string[] = []
const { make } = await bench(ffmpeg, (sandbox) => ({
  ...sandbox,
  run(spec, options) {
    const { command } = spec
    programs.push((typeof command === 'function' ? command((path) => path) : command).join(' '))
    return sandbox.run(spec, options)
  },
}))
const film = await clip('mp4', ['testsrc=size=256x192:rate=25:duration=0.2'], ['-pix_fmt', 'yuv420p'])

const ended = (code: number | null): BoxResult => ({ code, signal: null, ended: null, stdout: '', stderr: '' })
/** A box in which a card encodes, or does not. */
function boxOf(run: () => Promise<BoxResult>) {
  const told: unknown[] = []
  const asked: Omit<BoxSpec, 'work'>[] = []
  return {
    told,
    asked,
    tell: (key: string, value: unknown) => void told.push([key, value]),
    run(spec: Omit<BoxSpec, 'work'>) {
      asked.push(spec)
      return run()
    },
  }
}

describe('an encoder of a graphics card', () => {
  it('that is not there is tried once for all tasks, and each says what did its work', async () => {
    for (const _ of [1, 2, 3]) {
      const { files, told } = await make('convert', { ext: 'mp4', bytes: film }, 'mp4', {
        video_codec: 'h264_nvenc',
        video_crf: 40,
      })
      assert.equal(told.encoder, 'libx264')
      assert.equal((await look(files[0]!, 'mp4')).streams[0]?.codec, 'h264')
    }
    assert.equal(programs.filter((line) => line.includes('h264_nvenc')).length, 1)
    assert.equal(programs.filter((line) => line.includes('libx264')).length, 3)
  })

  it('is not looked for by a task that does not ask for one', async () => {
    const before = programs.length
    const { told } = await make('convert', { ext: 'mp4', bytes: film }, 'mp4', { video_codec: 'libx264' })
    assert.equal(told.encoder, undefined)
    assert.ok(programs.slice(before).every((line) => !/nvenc|qsv|vaapi/.test(line)))
  })

  it('that is there is used, by several tasks at once after one look', async () => {
    const box = boxOf(async () => ended(0))
    const used = await Promise.all([present(box, 'hevc_qsv'), present(box, 'hevc_qsv')])
    assert.deepEqual(used, ['hevc_qsv', 'hevc_qsv'])
    assert.equal(box.asked.length, 1)
    assert.deepEqual(box.told[0], ['encoder', 'hevc_qsv'])
    assert.deepEqual(hardwareArgs('hevc_qsv', { crf: 20, speed: 'fast' }).slice(0, 4), [
      '-c:v',
      'hevc_qsv',
      '-global_quality',
      '20',
    ])
  })

  it('is looked for again where the look was stopped', async () => {
    const stopped = boxOf(async () => {
      throw new Error('stopped')
    })
    await assert.rejects(present(stopped, 'h264_qsv'), /stopped/)
    const box = boxOf(async () => ended(1))
    assert.equal(await present(box, 'h264_qsv'), 'libx264')
    assert.equal(box.asked.length, 1)
  })
})
