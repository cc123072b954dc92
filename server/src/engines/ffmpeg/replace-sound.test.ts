import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { clip, look, samplesOf } from '../../../test/support/clips.ts'
import { ffmpeg } from '../ffmpeg.ts'

const { make } = await bench(ffmpeg)
const CARD = 'testsrc=size=64x48:rate=25:duration=2'
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25']
/** Each has a tone of its own. */
const film = await clip('mp4', [CARD, 'sine=frequency=440:duration=2'], [...X264, '-c:a', 'aac'])
const wav = await clip('wav', ['sine=frequency=1000:duration=3'])
const short = await clip('m4a', ['sine=frequency=1000:duration=1'], ['-c:a', 'aac'])
const other = await clip('mkv', [CARD, 'sine=frequency=1500:duration=2'], [...X264, '-c:a', 'aac'])
const mute = await clip('mp4', [CARD], X264)

const FILM = { ext: 'mp4', bytes: film, filename: 'film.mp4' } as const
const WAV = { ext: 'wav', bytes: wav, filename: 'song.wav' } as const

/** How much of one frequency there is between two moments: half the height of a tone that is nothing else. */
function amount(samples: Float32Array, frequency: number, from = 0, to = samples.length / 8000): number {
  const part = samples.subarray(from * 8000, to * 8000)
  let [re, im] = [0, 0]
  for (const [at, sample] of part.entries()) {
    const turn = (2 * Math.PI * frequency * at) / 8000
    re += sample * Math.cos(turn)
    im += sample * Math.sin(turn)
  }
  return Math.hypot(re, im) / Math.max(1, part.length)
}
const hears = (samples: Float32Array, frequency: number, from?: number, to?: number): boolean =>
  amount(samples, frequency, from, to) > 0.02

describe('a film whose sound is replaced', { concurrency: 3 }, () => {
  it('has the sound of the second file, as long as itself, and its picture untouched', async () => {
    for (const to of ['mp4', 'mkv'] as const) {
      const { files, told } = await make('convert', [FILM, WAV], to, { video_replace_audio: true })
      assert.deepEqual(told.copied, to === 'mp4' ? ['video'] : ['video', 'audio'])
      const { streams, seconds } = await look(files[0]!, to)
      assert.deepEqual(
        streams.map(({ type }) => type),
        ['video', 'audio'],
      )
      assert.equal(streams[0]?.packets, 50)
      assert.ok(Math.abs(seconds - 2) < 0.1, `${seconds} s`)
      const samples = await samplesOf(files[0]!, to)
      assert.deepEqual([hears(samples, 440), hears(samples, 1000)], [false, true], to)
    }
  })

  it('takes over a sound that fits, from a film too', async () => {
    const { files, told } = await make('convert', [FILM, { ext: 'mkv', bytes: other }], 'mp4', {
      video_replace_audio: true,
    })
    assert.deepEqual(told.copied, ['video', 'audio'])
    const samples = await samplesOf(files[0]!, 'mp4')
    assert.deepEqual([hears(samples, 440), hears(samples, 1500)], [false, true])
    assert.equal((await look(files[0]!, 'mp4')).streams.length, 2)
  })

  it('lasts as long as before where the sound is shorter, and needs no sound of its own', async () => {
    const second = { ext: 'm4a', bytes: short } as const
    const { files } = await make('convert', [{ ext: 'mp4', bytes: mute }, second], 'mp4', { video_replace_audio: true })
    const { streams } = await look(files[0]!, 'mp4')
    assert.equal(streams[0]?.packets, 50)
    const samples = await samplesOf(files[0]!, 'mp4')
    assert.equal(hears(samples, 1000, 0, 0.9), true)
    assert.equal(hears(samples, 1000, 1.2), false)
  })

  it('goes with the other options: both are cut, faster and quieter, and subtitles come in', async () => {
    const { files } = await make('convert', [FILM, { ext: 'm4a', bytes: short }], 'mp4', {
      ...{ video_replace_audio: true, cut_start: '0.5', video_speed: 50, audio_filter_volume: 50 },
      subtitle_add: '1\n00:00:00,000 --> 00:00:02,000\nHere\n',
    })
    const { streams, seconds } = await look(files[0]!, 'mp4')
    assert.deepEqual(
      streams.map(({ type }) => type),
      ['video', 'audio', 'subtitle'],
    )
    assert.ok(Math.abs(seconds - 3) < 0.2, `${seconds} s`)
    const samples = await samplesOf(files[0]!, 'mp4')
    // Half a second of the tone was left, and lasts twice as long now.
    assert.deepEqual([hears(samples, 1000, 0.1, 0.9), hears(samples, 1000, 1.2)], [true, false])
    assert.ok(amount(samples, 1000, 0.2, 0.8) < 0.75 * amount(await samplesOf(short, 'm4a'), 1000, 0.2, 0.8))
  })

  it('is refused in plain words when the inputs are not as needed', async () => {
    const replace = { video_replace_audio: true }
    const words = (second: Parameters<typeof make>[1], given = replace) =>
      make('convert', second, 'mp4', given).then(
        () => 'nothing is wrong',
        (error: Error) => error.message,
      )
    assert.match(await words(FILM), /needs a second input/)
    assert.match(await words([FILM, { ext: 'mp4', bytes: mute, filename: 'mute.mp4' }]), /no sound in "mute\.mp4"/)
    assert.match(
      await words([FILM, { ext: 'm4a', bytes: short }], { ...replace, ...{ cut_start: 1.5 } }),
      /nothing of its sound is left/,
    )
    const song = await clip('mp4', ['sine=duration=1'], ['-c:a', 'aac'])
    assert.match(await words([{ ext: 'mp4', bytes: song }, WAV]), /no moving picture/)
  })
})
