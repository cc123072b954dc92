import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bench } from '../../../test/support/bench.ts'
import { clip, look, makeClips, samplesOf } from '../../../test/support/clips.ts'
import type { Ext } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import { ffmpeg } from '../ffmpeg.ts'

const { make } = await bench(ffmpeg)
/** Two seconds: the first loud, the second silent, in two channels. */
const halves = await clip('wav', ['aevalsrc=0.5*sin(2*PI*440*t)*lt(t\\,1)|0.25*sin(2*PI*440*t)*lt(t\\,1):d=2:s=44100'])
/** One steady tone. */
const tone = await clip('wav', ['sine=frequency=440:sample_rate=44100:duration=2'], ['-af', 'volume=2'])

const convert = async (bytes: Buffer, from: Ext, to: Ext, given: Record<string, unknown> = {}): Promise<Buffer> =>
  (await make('convert', { ext: from, bytes }, to, given)).files[0]!
const loudness = (samples: Float32Array, from: number, to: number): number =>
  Math.sqrt(samples.subarray(from * 8000, to * 8000).reduce((sum, each) => sum + each * each, 0) / ((to - from) * 8000))
const heard = async (given: Record<string, unknown>, of = tone): Promise<Float32Array> =>
  samplesOf(await convert(of, 'wav', 'wav', given), 'wav')
const close = (value: number, wanted: number, share = 0.1): boolean => Math.abs(value - wanted) <= wanted * share

describe('sound', { concurrency: 3 }, () => {
  it('is louder or softer by the volume', async () => {
    const usual = loudness(await samplesOf(tone, 'wav'), 0, 2)
    assert.ok(close(loudness(await heard({ audio_filter_volume: 50 }), 0, 2), usual / 2))
    assert.ok(close(loudness(await heard({ audio_filter_volume: 200 }), 0, 2), usual * 2))
  })

  it('is brought to the usual loudness', async () => {
    const quiet = await clip('wav', ['sine=frequency=440:duration=4'], ['-af', 'volume=0.05'])
    const raised = await convert(quiet, 'wav', 'wav', { audio_filter_normalize: true })
    assert.ok(loudness(await samplesOf(raised, 'wav'), 1, 3) > 5 * loudness(await samplesOf(quiet, 'wav'), 1, 3))
    assert.equal((await look(raised, 'wav')).streams[0]?.rate, 44_100)
  })

  it('fades in and out', async () => {
    const faded = await heard({ audio_filter_fade_in: 1, audio_filter_fade_out: '00:00:01' })
    assert.ok(loudness(faded, 0, 0.2) < loudness(faded, 0.9, 1.1) / 3)
    assert.ok(loudness(faded, 1.8, 2) < loudness(faded, 0.9, 1.1) / 3)
  })

  it('is played backwards', async () => {
    const back = await heard({ audio_filter_reverse: true }, halves)
    assert.ok(loudness(back, 0, 0.9) < 0.01 && loudness(back, 1.1, 2) > 0.1)
  })

  it('is played faster and slower', async () => {
    assert.ok(close((await heard({ audio_filter_speed: 400 })).length, 4000))
    assert.ok(close((await heard({ audio_filter_speed: 50 })).length, 32_000))
  })

  it('is cut', async () => {
    const part = await heard({ cut_start: '00:00:00.8', cut_end: 1.3 }, halves)
    assert.ok(close(part.length, 4000, 0.02))
    assert.ok(loudness(part, 0, 0.15) > 0.1 && loudness(part, 0.3, 0.5) < 0.01)
  })

  it('has the channels and the rate that were asked for', async () => {
    const told = async (to: Ext, given: Record<string, unknown>) =>
      (await look(await convert(halves, 'wav', to, given), to)).streams[0]!
    const mp3 = await told('mp3', { audio_channel_mp3: 'mono', audio_sample_rate_mp3_dts_ac3: '22050' })
    assert.deepEqual([mp3.channels, mp3.rate], [1, 22_050])
    const flac = await told('flac', { audio_channel: 'mono', audio_sample_rate: '96000' })
    assert.deepEqual([flac.channels, flac.rate], [1, 96_000])
    const ac3 = await told('ac3', {
      audio_channel: 'stereo',
      audio_sample_rate_mp3_dts_ac3: '32000',
      audio_bitrate: 96,
    })
    assert.deepEqual([ac3.channels, ac3.rate, ac3.bits], [2, 32_000, 96_000])
    assert.equal((await told('opus', { audio_sample_rate: '44100' })).rate, 48_000)
  })

  it('has the bitrate that was asked for', async () => {
    const size = async (to: Ext, given: Record<string, unknown>) => (await convert(halves, 'wav', to, given)).length
    for (const to of ['mp3', 'ogg', 'opus', 'm4a', 'wma', 'mp2'] as const)
      assert.ok((await size(to, { audio_bitrate: 48 })) < (await size(to, { audio_bitrate: 160 })), to)
    const [cbr, vbr] = [
      await size('mp3', { audio_rate_control_mp3: 'cbr' }),
      await size('mp3', { audio_rate_control_mp3: 'vbr' }),
    ]
    assert.ok(vbr < cbr * 0.8)
    assert.ok((await size('opus', { audio_rate_control: 'cbr' })) > (await size('opus', { audio_rate_control: 'vbr' })))
  })

  it('is coded as asked', async () => {
    const codec = async (to: Ext, audio_codec: string) =>
      (await look(await convert(tone, 'wav', to, { audio_codec }), to)).streams[0]?.codec
    assert.equal(await codec('wav', 'pcm_s24le'), 'pcm_s24le')
    assert.equal(await codec('m4a', 'alac'), 'alac')
    assert.equal(await codec('ogg', 'libopus'), 'opus')
    assert.equal(await codec('mka', 'copy'), 'pcm_s16le')
    await assert.rejects(
      convert(tone, 'wav', 'mp3', { audio_codec: 'copy' }),
      /coded as pcm_s16le, which mp3 does not hold/,
    )
  })

  it('keeps title and cover where the format can, or loses them when told so', async () => {
    const [song] = await makeClips(
      (name) => [
        ...['-i', name('in.wav'), '-f', 'lavfi', '-i', 'color=red:size=32x32:duration=0.04'],
        ...[
          '-map',
          '0',
          '-map',
          '1',
          '-c:v',
          'mjpeg',
          '-disposition:v',
          'attached_pic',
          '-metadata',
          'title=Song',
          name('out.mp3'),
        ],
      ],
      ['out.mp3'],
      { 'in.wav': tone },
    )
    for (const to of ['mp3', 'flac', 'm4a', 'aiff'] as const) {
      const made = await look(await convert(song!, 'mp3', to), to)
      assert.deepEqual([made.tags.title, made.streams.filter(({ cover }) => cover).length], ['Song', 1], to)
    }
    const { files, told } = await make('convert', { ext: 'mp3', bytes: song! }, 'ogg')
    const ogg = await look(files[0]!, 'ogg')
    assert.deepEqual([ogg.streams[0]?.tags.title ?? ogg.tags.title, told.left_out], ['Song', ['cover']])
    const bare = await look(await convert(song!, 'mp3', 'flac', { strip_metadata: true }), 'flac')
    assert.deepEqual([bare.tags.title, bare.streams.length], [undefined, 1])
  })

  it('is taken from the track that was chosen', async () => {
    const film = await clip(
      'mkv',
      ['sine=frequency=440:duration=1', 'anullsrc=duration=1'],
      [...['-t', '1', '-map', '0', '-map', '1', '-c:a', 'flac']],
    )
    assert.ok(loudness(await samplesOf(await convert(film, 'mkv', 'wav'), 'wav'), 0, 1) > 0.05)
    assert.ok(loudness(await samplesOf(await convert(film, 'mkv', 'wav', { audio_track: 2 }), 'wav'), 0, 1) < 0.001)
    await assert.rejects(convert(film, 'mkv', 'wav', { audio_track: 3 }), Failure)
  })

  it('tells its progress, and all of it only at the end', async () => {
    const { percents } = await make('convert', { ext: 'wav', bytes: tone }, 'mp3')
    assert.equal(percents.at(-1), 100)
    assert.ok(percents.every((percent, index) => Number.isInteger(percent) && percent > (percents[index - 1] ?? -1)))
  })

  it('of which nothing can be read is refused in words', async () => {
    const torn = Buffer.concat([(await convert(tone, 'wav', 'm4a')).subarray(0, 100)])
    await assert.rejects(
      convert(torn, 'm4a', 'mp3'),
      (error) => error instanceof Failure && /sample\.m4a/.test(error.message),
    )
  })
})
