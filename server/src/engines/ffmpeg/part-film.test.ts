import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { WHOLE } from '../../../test/contract/engine.ts'
import { bench, LIMITS } from '../../../test/support/bench.ts'
import { clip, look, samplesOf } from '../../../test/support/clips.ts'
import { assertSameFilm, likenesses, timesOf } from '../../../test/support/film-look.ts'
import type { Work } from '../../catalog/engine.ts'
import type { JsonObject } from '../../core/task.ts'
import { ffmpeg } from '../ffmpeg.ts'
import { filmPart } from './part-order.ts'

const SECONDS = 2
const CARD = 'testsrc2=size=96x72:rate=24000/1001:duration=9'
const TONE = 'sine=frequency=440:sample_rate=48000:duration=9'
const OPEN = ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', 'open-gop=1:keyint=24:bframes=4:scenecut=0']
/** Pictures missing here and there, the others late by a little. */
const UNEVEN = "select='not(eq(mod(n,7),3))*not(between(mod(n,60),30,44))',setpts='PTS+if(eq(mod(N,5),2),0.004/TB,0)'"
const AT_THEIR_TIME = ['-vf', UNEVEN, '-fps_mode', 'passthrough', '-enc_time_base', '1:90000', '-g', '24']

/** Carries out a part as it should not. */
const careless = async (work: Work, order: JsonObject): Promise<string> => {
  const after = order.after as string[]
  return filmPart(work, { ...order, after: [...after.slice(0, -3), '-frames:v', '20', ...after.slice(-3)] })
}

const apart = await bench(ffmpeg, undefined, LIMITS, SECONDS)
const halves = await bench(ffmpeg, undefined, LIMITS, 2 * SECONDS)
const alone = await bench(ffmpeg)
const sloppy = await bench({ ...ffmpeg, part: careless }, undefined, LIMITS, SECONDS)

describe('a long film in parts', () => {
  let film: Buffer
  before(async () => {
    film = await clip('mp4', [CARD, TONE], [...OPEN, '-c:a', 'aac', '-metadata:s:v:0', 'language=fin'])
  })

  test('has every picture once, at its time, and no seam that shows', async () => {
    const given = { video_resolution: '72p', video_crf: 23, video_codec: 'libx264', strip_metadata: false }
    const sample = { ext: 'mp4', bytes: film } as const
    const [split, whole] = [
      await apart.make('convert', sample, 'mkv', given),
      await alone.make('convert', sample, 'mkv', given),
    ]
    assert.equal(split.told.parts, 4)
    assert.equal(whole.told.parts, undefined)
    await assertSameFilm(split.files[0]!, 'mkv', film, 'mp4', 0.9)
    // Nowhere less like the original than where it was coded in one piece.
    const [ours, theirs] = await Promise.all(
      [split, whole].map(({ files }) => likenesses(files[0]!, 'mkv', film, 'mp4')),
    )
    assert.ok(Math.min(...ours!) > Math.min(...theirs!) - 0.01, `${Math.min(...ours!)} and ${Math.min(...theirs!)}`)
    const [seen, one] = [await look(split.files[0]!, 'mkv'), await look(whole.files[0]!, 'mkv')]
    const told = ({ streams }: typeof seen) =>
      streams.map(({ codec, width, height, pixels, tags }) => ({
        codec,
        width,
        height,
        pixels,
        language: tags.language,
      }))
    assert.deepEqual(told(seen), told(one))
    assert.ok(Math.abs(seen.seconds - one.seconds) < 0.05)
  })

  test('has the sound that it has in one piece, sample by sample', async () => {
    const given = { video_resolution: '48p', audio_codec: 'libmp3lame', audio_filter_fade_out: 2 }
    const sample = { ext: 'mp4', bytes: film } as const
    const [split, whole] = [
      await apart.make('convert', sample, 'mp4', given),
      await alone.make('convert', sample, 'mp4', given),
    ]
    assert.equal(split.told.parts, 4)
    assert.deepEqual(await samplesOf(split.files[0]!, 'mp4'), await samplesOf(whole.files[0]!, 'mp4'))
  })

  test('keeps uneven times, also where only milliseconds are known', async () => {
    const coded = [...AT_THEIR_TIME, '-c:v', 'libx264', '-preset', 'veryfast']
    for (const [from, to] of [
      ['mp4', 'mkv'],
      ['mkv', 'mp4'],
    ] as const) {
      const uneven = await clip(from, [CARD, TONE], coded)
      const made = await apart.make('convert', { ext: from, bytes: uneven }, to, { video_crf: 20 })
      assert.ok(Number(made.told.parts) > 1)
      await assertSameFilm(made.files[0]!, to, uneven, from, 0.9)
    }
  })

  // Two encoders that make the same kind of picture are cut and joined alike.
  const others = [['libaom-av1', 'mp4']] as const
  for (const [codec, to] of [
    ['libx265', 'mp4'],
    ['libvpx-vp9', 'webm'],
    ['libsvtav1', 'mkv'],
    ...(WHOLE ? others : []),
  ] as const)
    test(`is made so by ${codec}`, async () => {
      const given = { video_codec: codec, video_preset: 'ultrafast' }
      const made = await halves.make('convert', { ext: 'mp4', bytes: film }, to, given)
      assert.equal(made.told.parts, 2)
      await assertSameFilm(made.files[0]!, to, film, 'mp4', 0.7)
      const [picture] = (await look(made.files[0]!, to)).streams
      if (codec === 'libx265') assert.equal(picture?.tag, 'hvc1')
    })

  test('is made smaller so, too', async () => {
    const given = { compress_video: 'by_video_quality', video_codec_compress: 'libx265', video_compress_crf_x265: 34 }
    const made = await halves.make('compress', { ext: 'mp4', bytes: film }, 'mp4', given)
    assert.equal(made.told.parts, 2)
    await assertSameFilm(made.files[0]!, 'mp4', film, 'mp4', 0.7)
    assert.deepEqual(await samplesOf(made.files[0]!, 'mp4'), await samplesOf(film, 'mp4'))
    assert.equal((await look(made.files[0]!, 'mp4')).streams[0]?.tag, 'hvc1')
  })

  test('is made again in one piece, and says so, where the parts are not the film', async () => {
    const made = await sloppy.make('convert', { ext: 'mp4', bytes: film }, 'mp4', { video_crf: 30 })
    assert.equal(made.told.parts, 1)
    assert.match(String(made.told.parts_refused), /in one piece/)
    assert.equal((await look(made.files[0]!, 'mp4')).streams[0]?.packets, (await timesOf(film, 'mp4')).length)
  })
})
