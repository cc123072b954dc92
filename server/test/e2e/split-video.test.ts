/** One long film on several workers: real processes, PostgreSQL and a bucket. What a part is to ffmpeg: part-film.test.ts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ffmpeg } from '../../src/engines/ffmpeg.ts'
import { inspect } from '../cluster/remains.ts'
import { type Member, startTown, type Town } from '../cluster/town.ts'
import { WHOLE } from '../contract/engine.ts'
import { missing } from '../peers/process.ts'
import { noSwift } from '../peers/swift.ts'
import { bench } from '../support/bench.ts'
import { clip, look, samplesOf } from '../support/clips.ts'
import { assertSameFilm, likenesses } from '../support/film-look.ts'
import { type Shown, type Steps, stepsOn } from '../support/steps.ts'
import { until } from '../support/until.ts'

const noPostgres = missing('PostgreSQL', '/usr/lib/postgresql/15/bin/postgres')
const SETTINGS = {
  REFORGE_ENGINES: 'ffmpeg',
  REFORGE_SPLIT_VIDEO: '8',
  // One long task at a time: a worker that waits for its parts has no room for another.
  REFORGE_CONCURRENCY: '2',
  REFORGE_LOG_LEVEL: 'info',
}
const SOURCES = [
  'testsrc2=size=160x120:rate=25:duration=40',
  'sine=frequency=440:beep_factor=3:sample_rate=44100:duration=40',
]
const OPEN = ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', 'open-gop=1:keyint=60:bframes=4', '-c:a', 'aac']
const UNEVEN = ['-vf', "select='not(eq(mod(n,7),3))*not(between(mod(n,90),40,60))'", '-fps_mode', 'passthrough']
const SMALL = { output_format: 'mp4', options: { video_resolution: '72p', video_crf: 23, audio_codec: 'libmp3lame' } }
/** Long enough for something to happen meanwhile. */
const SLOW = { output_format: 'mp4', options: { video_crf: 20, video_codec: 'libx265', video_preset: 'slow' } }

const WAITING = 'the one who waits for the parts'

const alone = noPostgres || noSwift ? null : await bench(ffmpeg)

describe('one long film on several workers', { skip: noPostgres || noSwift }, () => {
  let town: Town
  let steps: Steps
  let film: Buffer
  before(async () => {
    ;[town, film] = await Promise.all([startTown({ apis: 1, workers: 3, env: SETTINGS }), clip('mp4', SOURCES, OPEN)])
    steps = stepsOn(town.apis[0]!.server())
  })
  after(async () => await town?.[Symbol.asyncDispose]())

  const linesOf = ({ node }: Member): Shown[] =>
    node()
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  const told = (task: Shown, msg: string): Member[] =>
    town.workers.filter((worker) => linesOf(worker).some((line) => line.task === task.id && line.msg === msg))
  const foremen = (task: Shown) => told(task, 'parts were handed out')
  const doers = (task: Shown) => told(task, 'a part has ended')
  const parts = async (): Promise<Shown> => (await town.apis[0]!.server().call('GET', '/health')).json.queue.parts
  const result = async (task: Shown): Promise<Buffer> => {
    assert.equal(task.status, 'completed', JSON.stringify(task.result))
    return steps.download((await steps.done('export/url', { input: task.id })).result.url)
  }

  test('has every picture, the sound of one piece and no seam, whoever made which part', async () => {
    const uneven = await clip('mkv', SOURCES, [...UNEVEN, ...OPEN])
    const inputs = [await steps.imported(film, 'film.mp4'), await steps.imported(uneven, 'film.mkv')]
    // As many as there are places for long work, and one more: all who hold one wait for parts.
    const begun = await Promise.all(
      [0, 1, 0, 1].map((which) => steps.create('convert', { input: inputs[which].id, ...SMALL })),
    )
    const [first, second, ...others] = await Promise.all(begun.map(({ id }) => steps.ended('tasks', id)))
    for (const task of [first, second, ...others]) assert.ok(task.result.parts >= 4, JSON.stringify(task.result))
    assert.ok(new Set(begun.flatMap(doers)).size > 1, 'one worker did all parts')

    const made = await result(first)
    await assertSameFilm(made, 'mp4', film, 'mp4', 0.9)
    await assertSameFilm(await result(second), 'mp4', uneven, 'mkv', 0.9)
    const whole = await alone!.make('convert', { ext: 'mp4', bytes: film }, 'mp4', SMALL.options)
    assert.deepEqual(await samplesOf(made, 'mp4'), await samplesOf(whole.files[0]!, 'mp4'))
    const [ours, theirs] = await Promise.all(
      [made, whole.files[0]!].map((bytes) => likenesses(bytes, 'mp4', film, 'mp4')),
    )
    assert.ok(Math.min(...ours!) > Math.min(...theirs!) - 0.01)
    assert.ok(Math.abs((await look(made, 'mp4')).seconds - (await look(film, 'mp4')).seconds) < 0.05)
  })

  test('is one task to everybody, and leaves nothing', async () => {
    const server = town.apis[0]!.server()
    const { json } = await server.call('GET', '/v1/process/tasks?operation=convert')
    assert.equal(json.totalDocs, 4)
    const wrong: string[] = []
    await until(async () => (await server.inside.rows('SELECT 1 FROM parts')).length === 0, 'the parts are gone')
    await until(async () => (await inspect(town.env, [])).orphans === 0, 'and their files')
    await inspect(town.env, wrong)
    assert.deepEqual(wrong, [])
    const events = await server.inside.rows(`SELECT DISTINCT data::json -> 'task' ->> 'operation' AS of FROM events`)
    assert.deepEqual(events.map(({ of }) => of).sort(), ['convert', 'export/url', 'import/base64'])
  })

  test('stops on all workers when it is canceled', async () => {
    const input = await steps.imported(film, 'film.mp4')
    const task = await steps.create('convert', { input: input.id, ...SLOW })
    await until(async () => (await parts()).running > 1, 'parts run')
    await town.apis[0]!.server().call('POST', `/v1/process/tasks/${task.id}/cancel`)
    assert.equal((await steps.ended('tasks', task.id)).status, 'canceled')
    await until(async () => (await parts()).running + (await parts()).waiting === 0, 'no part is left')
    assert.deepEqual(await town.apis[0]!.server().inside.rows('SELECT id FROM parts'), [])
  })

  // Whoever waits is the harder one; both are in the storm: `npm run cluster`.
  for (const who of WHOLE ? ['one who does a part', WAITING] : [WAITING])
    test(`survives kill -9 of ${who}`, async () => {
      const input = await steps.imported(film, 'film.mp4')
      const task = await steps.create('convert', { input: input.id, ...SLOW })
      await until(async () => (await parts()).running === town.workers.length, 'every worker does a part')
      const [foreman] = foremen(task)
      const victim = town.workers.find((one) => (one === foreman) === (who === WAITING))
      await victim?.stop('SIGKILL')
      // It is taken for dead after a while only.
      const ended = await steps.ended('tasks', task.id)
      assert.ok(ended.result.parts >= 4, JSON.stringify(ended.result))
      await assertSameFilm(await result(ended), 'mp4', film, 'mp4', 0.9)
      await victim?.start()
    })
})
