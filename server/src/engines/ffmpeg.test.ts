import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { engineContract, type Pair } from '../../test/contract/engine.ts'
import { bench } from '../../test/support/bench.ts'
import { allClips, clip, type Looked, look, makeClips, type Played, played } from '../../test/support/clips.ts'
import { type Ext, familyOf } from '../catalog/formats.ts'
import { sniff } from '../catalog/sniff.ts'
import { AUDIO_OUT, containerOf, isWritable, VIDEO_OUT } from './ffmpeg/containers.ts'
import { ffmpeg } from './ffmpeg.ts'

const clips = await allClips()
const SRT = '1\n00:00:00,100 --> 00:00:00,900\nHello\n'

/** Films with subtitles: what they are taken from must have some. */
const [mkv, mp4, webm] = await makeClips(
  (name) => [
    ...['-i', name('in.mkv'), '-f', 'srt', '-i', name('in.srt')],
    ...['-map', '0', '-map', '1', '-c', 'copy', name('out.mkv')],
    ...['-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'mov_text', name('out.mp4')],
    ...[
      '-map',
      '0',
      '-map',
      '1',
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-c:a',
      'libopus',
      '-c:s',
      'webvtt',
      name('out.webm'),
    ],
  ],
  ['out.mkv', 'out.mp4', 'out.webm'],
  { 'in.mkv': clips.mkv!, 'in.srt': SRT },
)
const texts = {
  srt: Buffer.from(SRT),
  vtt: Buffer.from('WEBVTT\n\n00:00.100 --> 00:00.900\nHello\n'),
  ass: Buffer.from(
    '[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.10,0:00:00.90,Default,,0,0,0,,Hello\n',
  ),
}
const spoken = { mkv, mp4, webm, m4v: mp4, mov: mp4, ...texts }
const table = await bench(ffmpeg)

const COPYING = [
  ...['mov mp4', 'mkv mp4', 'ts mp4', 'm2ts mp4', '3gp mp4', 'f4v mp4', 'mp4 mov', 'mp4 mkv', 'mp4 ts', 'mp4 flv'],
  ...['mp4 m4v', 'mp4 3gp', 'webm mkv', 'mpg mkv', 'vob mpg', 'mkv mka', 'mp4 m4a', 'mp4 aac', 'm4a aac', 'aac m4a'],
  ...['mkv ts', 'avi mkv', 'flv mp3', 'wmv wma', 'ogv ogg', 'webm opus', 'dv wav', 'mts ac3', 'mpg mp2', 'm4a mp4'],
]
/** Those put every format but these through a reader and a writer; the others meet one another, each at least once. */
const [read, written] = [0, 1].map((end) => COPYING.map((pair) => pair.split(' ')[end]))
const films = [...ffmpeg.can[0]!.from].filter((ext) => !read!.includes(ext))
const sounds = Object.keys(clips).filter(
  (ext) => ext !== 'amr' && !read!.includes(ext) && !ffmpeg.can[0]!.from.some((film) => film === ext),
)
const meeting = (ins: readonly string[], outs: readonly string[]): string[] => {
  const missing = outs.filter((ext) => !written!.includes(ext))
  const at = (list: readonly string[], index: number) => list[index % list.length]
  const most = Math.max(ins.length, missing.length)
  return Array.from({ length: most }, (_, index) => `${at(ins, index)} ${at(missing, index)}`)
}
/** Whose times or length are not to be had by moving what is in them. */
const UNTIMED = ['ra ogg', 'ra m4a', 'ra mka', 'oga flac', 'm2v mpg', 'm2v vob', 'swf flv', 'avi flv']
const PROVEN = new Set([...COPYING, ...UNTIMED, ...meeting(films, VIDEO_OUT), ...meeting(sounds, AUDIO_OUT)])

/** Every format is read and written, and all are moved that can be without being coded anew. */
function proves({ from, to }: Pair): boolean {
  if (from === 'mkv' && ['srt', 'vtt', 'ass', 'png', 'jpg'].includes(to)) return true
  return familyOf(from) === 'subtitle' || to === 'srt' || PROVEN.has(`${from} ${to}`)
}

const media = Object.entries({ ...clips, ...spoken }).filter(([ext]) => !(ext in texts))
/** What there is to see and to hear in each sample: about a second. */
const samples = new Map(await Promise.all(media.map(async ([ext, bytes]) => [ext, await played(bytes!, ext)] as const)))

/** Every picture is still there, or one more or less, and each sample of sound but for the filling of a coder. */
function assertSameLength(was: Played, is: Played, { from, to }: { from: string; to: string }): void {
  if (is.pictures > 0) {
    assert.ok(Math.abs(is.pictures - was.pictures) <= 1, `${is.pictures} pictures of ${was.pictures}`)
    // Pictures of an AVI cannot begin after the sound: the first one stands until the second is due.
    const apart = (to === 'avi' || to === 'divx' ? 2 : 1) * ONE_PICTURE
    assert.ok(Math.abs(is.shown - was.shown) <= apart, `pictures for ${is.shown} s of ${was.shown}`)
  }
  if (was.heard > 0) {
    const near = SLOW[from] ?? NEAR
    assert.ok(Math.abs(is.heard - was.heard) <= near, `sound for ${is.heard} s of ${was.heard}`)
  }
}
const ONE_PICTURE = 1 / 25 + 1e-6
const NEAR = 0.05
/** At 16,000 samples a second a frame of AAC lasts 64 ms, at 8000 twice that, and a bare stream has one before the sound. */
const SLOW: Record<string, number> = { spx: 0.064, ra: 0.14 }
/** What a container says of its length has the filling in it, and some count from an earlier beginning. */
const told = (from: string): number => (from === 'ra' ? 0.21 : 0.13)

/** Of all samples, and of DV, which has its own: as it is stored, and as it is to be seen. */
const SIZES = new Set(['64x48', '720x576', '768x576'])
const sizeOf = (streams: Looked['streams']): string => {
  const film = streams.find(({ type }) => type === 'video')
  return `${film?.width}x${film?.height}`
}

/** One of each kind that there was, in a codec that plays wherever such files play. */
function assertStreams(streams: Looked['streams'], to: Ext, count: Record<'video' | 'audio', number>): void {
  for (const type of ['video', 'audio'] as const) {
    const codecs = streams.filter((stream) => stream.type === type).map(({ codec }) => codec)
    const usual = isWritable(to) ? (containerOf(to)[type]?.copies ?? []) : []
    assert.equal(codecs.length, count[type], `${type}: ${codecs}`)
    assert.ok(
      codecs.every((codec) => usual.includes(codec)),
      `${codecs}, not ${usual}`,
    )
  }
}

const isFormat = (does: string) => (capability: { does: string; to: unknown }) =>
  capability.does === does && !String(capability.to).match(/gif|webp/)

engineContract({ ...ffmpeg, can: ffmpeg.can.filter(isFormat('convert')) }, table, {
  files: { ...clips, ...spoken },
  proves,
  together: 3,
  async opens(made, ext, from) {
    if (familyOf(ext) === 'subtitle') return assert.match(made.toString(), /0[.,]1\d*.*0[.,]9\d*[\s\S]*Hello/)
    if (ext === 'jpg' || ext === 'png') {
      const { width, height } = await sharp(made).metadata()
      return assert.ok(SIZES.has(`${width}x${height}`), `${width}x${height}`)
    }
    const { streams, seconds } = await look(made, ext)
    const [was, is] = [samples.get(from)!, await played(made, ext)]
    const film = familyOf(ext) === 'video' && was.pictures > 0
    assertStreams(streams, ext, { video: film ? 1 : 0, audio: was.heard > 0 ? 1 : 0 })
    if (film) assert.ok(SIZES.has(sizeOf(streams)), sizeOf(streams))
    assertSameLength(was, is, { from, to: ext })
    assert.ok(Math.abs(seconds - Math.max(is.shown, is.heard)) <= told(from), `${seconds} s by its container`)
  },
})

describe('clips', () => {
  it('are recognised by what is in them', () => {
    for (const [ext, bytes] of Object.entries(clips))
      assert.equal(sniff(bytes.subarray(0, 65_536), `x.${ext}`, bytes.subarray(-65_536)).format, ext)
  })

  it('of AAC as it is broadcast are read too', async () => {
    const bytes = await clip('latm', ['sine=duration=0.5'], ['-c:a', 'aac', '-f', 'latm'])
    assert.equal(sniff(bytes, 'x.aac').format, 'aac')
    const { files } = await table.make('convert', { ext: 'aac', bytes }, 'wav')
    assert.equal((await look(files[0]!, 'wav')).streams[0]?.codec, 'pcm_s16le')
  })
})
