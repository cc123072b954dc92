import assert from 'node:assert/strict'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { clip, look, makeClips, pixelsAt, samplesOf } from '../../test/support/clips.ts'
import type { Ext } from '../catalog/formats.ts'
import { ffmpeg } from './ffmpeg.ts'

/** What becomes of films and sounds; each set of options once. Compressing, trimming and the like have tests of their own. */
const KINDS: readonly Ext[] = ['mp4', 'mp3', 'ac3', 'ogg', 'wav']
const can = ffmpeg.can.filter(
  ({ does, to }) => does === 'convert' && to.length === 1 && KINDS.some((ext) => to[0] === ext),
)

const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
const CARD = 'testsrc2=size=128x96:rate=25:duration=1'
const [film, higher] = await Promise.all(
  [440, 1000].map((pitch) =>
    clip('mp4', [CARD, `sine=frequency=${pitch}:duration=1`], [...X264, '-metadata', 'title=Film']),
  ),
)
/** Loud in its first half, in two channels. */
const wav = await clip('wav', ['aevalsrc=0.5*sin(880*PI*t)*lt(t\\,0.5)|0.5*sin(880*PI*t)*lt(t\\,0.5):d=1:s=44100'])
const SRT = '1\n00:00:00,000 --> 00:00:01,000\n<b>MMMM</b>\n'
/** A second sound that is silent, and two subtitles: the first comes when the film is over. */
const [rich] = await makeClips(
  (name) => [
    ...['-i', name('in.mp4'), '-i', name('late.srt'), '-i', name('in.srt'), '-f', 'lavfi', '-t', '1', '-i', 'anullsrc'],
    ...[
      '-map',
      '0',
      '-map',
      '3',
      '-map',
      '1',
      '-map',
      '2',
      '-c',
      'copy',
      '-c:a:1',
      'aac',
      '-c:s',
      'srt',
      name('out.mkv'),
    ],
  ],
  ['out.mkv'],
  { 'in.mp4': film!, 'in.srt': SRT, 'late.srt': SRT.replace('00:00:00,000', '00:00:00,950') },
)

const once = { once: true } as const
const fromMkv = { ...once, on: { from: ['mkv'] as const }, sample: rich! }
const looked = ({ files: [file] }: Made, to: Ext) => look(file!, to)
const types = async (made: Made, to: Ext) => (await looked(made, to)).streams.map(({ type }) => type)
const picture = async (made: Made, to: Ext) => (await looked(made, to)).streams[0]!
const size = async (made: Made, to: Ext) => {
  const { width, height } = await picture(made, to)
  return [width, height]
}
const sound = async (made: Made, to: Ext) => (await looked(made, to)).streams.find(({ type }) => type === 'audio')
const bytes = ({ files: [file] }: Made): number => file!.length
const says = (words: string) => (made: Made) => made.files[0]!.includes(words)
const seconds = async (made: Made, to: Ext) => Math.round((await looked(made, to)).seconds * 5) / 5
const seen = async ({ files: [file] }: Made, to: Ext) => (await pixelsAt(file!, to, 0.2, 128, 96)).toString('base64')
const loud =
  (from: number, to: number) =>
  async ({ files: [file] }: Made, ext: Ext): Promise<number> => {
    const part = (await samplesOf(file!, ext)).subarray(from * 8000, to * 8000)
    return Math.sqrt(part.reduce((sum, each) => sum + each * each, 0) / part.length)
  }
/** How often it swings, which tells a low tone from a high one. */
const swings = async ({ files: [file] }: Made, ext: Ext): Promise<boolean> => {
  const samples = await samplesOf(file!, ext)
  return samples.filter((each, at) => at > 0 && each >= 0 !== samples[at - 1]! >= 0).length > 1500
}
const less = (share: number) => (changed: number, usual: number) =>
  assert.ok(changed < usual * share, `${changed} of ${usual}`)

optionProofs({ ...ffmpeg, can }, await bench(ffmpeg), {
  files: { mp4: film!, wav },
  proofs: {
    video_codec: proof({ ...once, given: 'mpeg4', see: async (...of) => (await picture(...of)).codec, shows: 'mpeg4' }),
    video_crf: proof({ ...once, given: 45, without: 15, see: bytes, shows: less(0.8) }),
    video_bitrate: proof({ ...once, given: 40, without: 900, see: bytes, shows: less(0.8) }),
    video_two_pass: proof({ ...once, given: true, with: { video_bitrate: 90 }, see: says('rc=2pass'), shows: true }),
    video_preset: proof({ ...once, given: 'ultrafast', with: { video_crf: 30 }, see: says('cabac=0'), shows: true }),
    video_resolution: proof({ ...once, given: '64x48', see: size, shows: [64, 48] }),
    video_fit: proof({ ...once, given: 'stretch', with: { video_resolution: '64x64' }, see: size, shows: [64, 64] }),
    video_fps: proof({ ...once, given: 10, see: async (...of) => (await picture(...of)).fps, shows: '10/1' }),
    video_aspect_ratio: proof({
      ...{
        ...once,
        given: '16:9',
        see: async (made: Made, to: Ext) => (await picture(made, to)).aspect,
        shows: '16:9',
      },
    }),
    video_rotate: proof({ ...once, given: '90', see: size, shows: [96, 128] }),
    video_flip: proof({ ...once, given: 'horizontal', see: seen }),
    video_deinterlace: proof({ ...once, given: true, with: { video_crf: 10 }, see: seen }),
    video_speed: proof({ ...once, given: 50, see: seconds, shows: 2 }),
    video_reverse: proof({ ...once, given: true, see: seen }),
    video_remove_audio: proof({ ...once, given: true, see: types, shows: ['video'] }),
    video_replace_audio: proof({ ...once, sample: [film!, higher!], given: true, see: swings, shows: true }),
    audio_codec: proof({
      ...once,
      given: 'libmp3lame',
      see: async (...of) => (await sound(...of))?.codec,
      shows: 'mp3',
    }),
    audio_bitrate: proof({ ...once, given: 32, without: 256, see: bytes, shows: less(0.95) }),
    audio_sample_rate: proof({
      ...{ ...once, given: '22050', see: async (made: Made, to: Ext) => (await sound(made, to))?.rate, shows: 22_050 },
    }),
    audio_channel: proof({ ...once, given: 'stereo', see: async (...of) => (await sound(...of))?.channels, shows: 2 }),
    audio_filter_volume: proof({ ...once, given: 20, see: loud(0.2, 0.8), shows: less(0.3) }),
    audio_filter_normalize: proof({
      ...{ ...once, given: true, see: loud(0.2, 0.8) },
      shows: (changed: number, usual: number) => assert.ok(changed > usual * 1.2, `${changed} of ${usual}`),
    }),
    audio_filter_fade_in: proof({ ...once, given: '0.6', see: loud(0.05, 0.2), shows: less(0.5) }),
    audio_filter_fade_out: proof({ ...once, given: '0.6', see: loud(0.8, 0.95), shows: less(0.5) }),
    subtitle_mode: proof({ ...fromMkv, given: 'none', see: types, shows: ['video', 'audio', 'audio'] }),
    subtitle_track: proof({ ...fromMkv, given: 2, with: { subtitle_mode: 'hard' }, see: seen }),
    subtitle_add: proof({ ...once, given: SRT, see: types, shows: ['video', 'audio', 'subtitle'] }),
    cut_start: proof({ ...once, given: '0.6', see: seconds, shows: 0.4 }),
    cut_end: proof({ ...once, given: '0.4', see: seconds, shows: 0.4 }),
    strip_metadata: proof({
      ...{
        ...once,
        given: true,
        see: async (made: Made, to: Ext) => (await looked(made, to)).tags.title ?? '',
        shows: '',
      },
    }),
    audio_filter_reverse: proof({ ...once, given: true, see: loud(0.05, 0.4), shows: less(0.1) }),
    audio_filter_speed: proof({ ...once, given: 50, see: seconds, shows: 2 }),
    audio_track: proof({ ...fromMkv, given: 2, see: loud(0.2, 0.8), shows: less(0.1) }),
    audio_rate_control_mp3: proof({ ...once, given: 'vbr', without: 'cbr', see: bytes, shows: less(0.9) }),
    audio_rate_control: proof({ ...once, given: 'vbr', without: 'cbr', see: bytes }),
    audio_sample_rate_mp3_dts_ac3: proof({
      ...{ ...once, given: '32000', see: async (made: Made, to: Ext) => (await sound(made, to))?.rate, shows: 32_000 },
    }),
    audio_channel_mp3: proof({
      ...once,
      given: 'mono',
      see: async (...of) => (await sound(...of))?.channels,
      shows: 1,
    }),
  },
})
