import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { bench } from '../../../test/support/bench.ts'
import { clip, look, makeClips, pixelsAt, samplesOf } from '../../../test/support/clips.ts'
import { colourAt, near } from '../../../test/support/samples.ts'
import type { Ext } from '../../catalog/formats.ts'
import { ffmpeg } from '../ffmpeg.ts'

const { make } = await bench(ffmpeg)
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
/** A second of red, then one of blue; a tone. */
const TWO = ["color=red:size=320x240:rate=25:duration=2,drawbox=color=blue:t=fill:enable='gte(t,1)'", 'sine=duration=2']
const plain = await clip('mp4', TWO, [...X264, '-g', '25', '-c:a', 'aac'])
const SRT = '1\n00:00:00,000 --> 00:00:02,000\n<b>MMMMMMMM</b>\n'
const CHAPTERS =
  ';FFMETADATA1\ntitle=Film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Two\n'
/** Two sounds, two subtitles (the first for another time), two chapters and a title. */
const [rich] = await makeClips(
  (name) => [
    ...['-i', name('in.mp4'), '-i', name('late.srt'), '-i', name('in.srt'), '-i', name('meta.txt')],
    ...[
      '-map',
      '0:v',
      '-map',
      '0:a',
      '-map',
      '0:a',
      '-map',
      '1',
      '-map',
      '2',
      '-map_metadata',
      '3',
      '-map_chapters',
      '3',
    ],
    ...['-c', 'copy', '-c:s', 'srt', '-metadata:s:a:1', 'language=deu', name('out.mkv')],
  ],
  ['out.mkv'],
  { 'in.mp4': plain, 'in.srt': SRT, 'late.srt': SRT.replace('00:00:00,000', '00:00:01,800'), 'meta.txt': CHAPTERS },
)

const convert = async (
  given: Record<string, unknown>,
  to: Ext = 'mp4',
  from: Ext = 'mp4',
  bytes = plain,
): Promise<Buffer> => (await make('convert', { ext: from, bytes }, to, given)).files[0]!
const kinds = async (bytes: Uint8Array, ext: string) => (await look(bytes, ext)).streams.map(({ type }) => type)
/** Whether white letters are in the lower half. */
const hasWords = async (bytes: Uint8Array, ext = 'mp4'): Promise<boolean> =>
  (await pixelsAt(bytes, ext, 0.5, 320, 240)).subarray(320 * 120 * 3).some((each, at) => at % 3 === 1 && each > 150)

describe('a film', { concurrency: 3 }, () => {
  it('is moved from one container to another without being coded anew', async () => {
    const { files, told } = await make('convert', { ext: 'mp4', bytes: plain }, 'mov')
    assert.deepEqual(told.copied, ['video', 'audio'])
    const packets = (bytes: Uint8Array, ext: string) =>
      look(bytes, ext).then(({ streams }) => streams.map((each) => each.packets))
    assert.deepEqual(await packets(files[0]!, 'mov'), await packets(plain, 'mp4'))
  })

  it('keeps sounds, subtitles, chapters, languages and title', async () => {
    for (const to of ['mp4', 'mkv', 'mov'] as const) {
      const { streams, chapters, tags } = await look(await convert({}, to, 'mkv', rich), to)
      const own = streams
        .filter(({ codec }) => codec !== 'bin_data')
        .map(({ type }) => type)
        .filter((type) => type !== 'data')
      assert.deepEqual(own, ['video', 'audio', 'audio', 'subtitle', 'subtitle'], to)
      assert.deepEqual([chapters, tags.title], [2, 'Film'], to)
      if (to !== 'mov') assert.equal(streams[2]?.tags.language, 'deu', to)
    }
  })

  it('keeps its cover and the fonts in it', async () => {
    const [mp4, mkv] = await makeClips(
      (name) => [
        ...['-i', name('in.mp4'), '-f', 'lavfi', '-i', 'color=red:size=32x32:duration=0.04', '-map', '0', '-map', '1'],
        ...['-c', 'copy', '-c:v:1', 'mjpeg', '-disposition:v:1', 'attached_pic', name('out.mp4')],
        ...['-map', '0', '-c', 'copy', '-attach', name('a.ttf'), '-metadata:s:t', 'mimetype=font/ttf', name('out.mkv')],
      ],
      ['out.mp4', 'out.mkv'],
      { 'in.mp4': plain, 'a.ttf': 'no font at all' },
    )
    const covers = async (bytes: Uint8Array, ext: string) =>
      (await look(bytes, ext)).streams.filter(({ cover }) => cover).length
    const moved = await convert({}, 'mkv', 'mp4', mp4)
    assert.deepEqual([await covers(moved, 'mkv'), await covers(await convert({}, 'mp4', 'mkv', moved), 'mp4')], [1, 1])
    assert.ok((await kinds(await convert({}, 'mkv', 'mkv', mkv), 'mkv')).includes('attachment'))
  })

  it('without a picture is still a film where the format allows it', async () => {
    const spoken = await convert({}, 'm4a')
    assert.deepEqual(await kinds(await convert({}, 'mkv', 'mp4', spoken), 'mkv'), ['audio'])
    await assert.rejects(convert({}, 'ogv', 'mp4', spoken), /no moving picture/)
  })

  it('loses what tells about it when told so', async () => {
    const { chapters, tags, streams } = await look(await convert({ strip_metadata: true }, 'mkv', 'mkv', rich), 'mkv')
    assert.deepEqual([chapters, tags.title, streams[2]?.tags.language], [0, undefined, undefined])
  })

  it('loses its sound when told so', async () =>
    assert.deepEqual(await kinds(await convert({ video_remove_audio: true }), 'mp4'), ['video']))

  it('has sound as asked for', async () => {
    const given = { audio_codec: 'libmp3lame', audio_bitrate: 64, audio_sample_rate: '22050', audio_channel: 'stereo' }
    const { streams } = await look(await convert(given), 'mp4')
    assert.deepEqual(
      [streams[0]?.codec, streams[1]?.codec, streams[1]?.rate, streams[1]?.channels],
      ['h264', 'mp3', 22_050, 2],
    )
    assert.ok(Math.abs(streams[1]!.bits! - 64_000) < 6000)
    const peak = async (bytes: Uint8Array) =>
      (await samplesOf(bytes, 'mp4')).reduce((most, each) => Math.max(most, Math.abs(each)), 0)
    const [usual, low] = [await peak(plain), await peak(await convert({ audio_filter_volume: 20 }))]
    assert.ok(low < usual / 3 && low > usual / 8)
  })

  it('is cut where it was asked, not where it is easy', async () => {
    const part = await convert({ cut_start: 0.8, cut_end: '00:00:01.4' })
    assert.ok(Math.abs((await look(part, 'mp4')).seconds - 0.6) <= 0.05)
    const [first, last] = [await pixelsAt(part, 'mp4', 0, 1, 1), await pixelsAt(part, 'mp4', 0.4, 1, 1)]
    assert.ok(first[0]! > 150 && last[2]! > 150)
    const end = await make('convert', { ext: 'mp4', bytes: plain }, 'mp4', { cut_end: 1 })
    assert.ok(Math.abs((await look(end.files[0]!, 'mp4')).seconds - 1) <= 0.05)
    assert.deepEqual(end.told.copied, ['video', 'audio'])
  })

  it('runs faster, picture and sound', async () => {
    const { seconds, streams } = await look(await convert({ video_speed: 200 }), 'mp4')
    assert.ok(Math.abs(seconds - 1) <= 0.06)
    assert.equal(streams.length, 2)
  })

  it('runs backwards, picture and sound, without what would come at the wrong time', async () => {
    const spoken = await clip(
      'mp4',
      [TWO[0]!, "aevalsrc='sin(880*PI*t)*lt(t\\,0.5)':duration=1.5:sample_rate=8000"],
      [...X264, '-c:a', 'aac'],
    )
    const made = await convert({ video_reverse: true }, 'mp4', 'mp4', spoken)
    const [first, last] = [await pixelsAt(made, 'mp4', 0.5, 1, 1), await pixelsAt(made, 'mp4', 1.5, 1, 1)]
    assert.ok(first[2]! > 150 && first[0]! < 60 && last[0]! > 150 && last[2]! < 60)
    const { seconds, streams } = await look(made, 'mp4')
    assert.deepEqual([Math.round(seconds * 10), streams[0]?.packets], [20, 50])
    // The tone was in the first half second of two: it is in the last now.
    const samples = await samplesOf(made, 'mp4')
    const loud = (from: number, to: number) =>
      samples.subarray(from * 8000, to * 8000).reduce((most, each) => Math.max(most, Math.abs(each)), 0)
    assert.ok(loud(0, 1.4) < 0.1 && loud(1.6, 1.9) > 0.5)
    const { files, told } = await make('convert', { ext: 'mkv', bytes: rich! }, 'mkv', { video_reverse: true })
    assert.deepEqual([(await look(files[0]!, 'mkv')).chapters, told.left_out], [0, ['subtitles']])
  })

  it('is too long to run backwards where it would not fit into memory', async () => {
    const still = [
      ...'-t 100 -c:v libx264 -preset ultrafast -x264-params keyint=infinite -r 1 -pix_fmt yuv420p'.split(' '),
    ]
    const long = await clip('mp4', ['color=size=64x48:rate=1'], still)
    const given = { video_reverse: true, video_resolution: '3840x2160', video_fit: 'stretch', video_fps: 25 }
    await assert.rejects(
      convert(given, 'mp4', 'mp4', long),
      /3840 × 2160 pixels can be played backwards only up to 3 seconds; this one lasts 100/,
    )
  })

  it('has its subtitles burnt in, in the track that was chosen, or left out', async () => {
    const hard = { subtitle_mode: 'hard' }
    assert.equal(await hasWords(await convert({}, 'mp4', 'mkv', rich)), false)
    assert.equal(await hasWords(await convert(hard, 'mp4', 'mkv', rich)), false)
    const burnt = await convert({ ...hard, subtitle_track: 2 }, 'mp4', 'mkv', rich)
    assert.deepEqual([await hasWords(burnt), (await kinds(burnt, 'mp4')).includes('subtitle')], [true, false])
    assert.equal(
      (await kinds(await convert({ subtitle_mode: 'none' }, 'mkv', 'mkv', rich), 'mkv')).includes('subtitle'),
      false,
    )
  })

  it('gets subtitles that come with the task, as a track or in the picture', async () => {
    assert.deepEqual(await kinds(await convert({ subtitle_add: SRT }), 'mp4'), ['video', 'audio', 'subtitle'])
    assert.ok(await hasWords(await convert({ subtitle_add: SRT, subtitle_mode: 'hard' })))
    await assert.rejects(convert({ subtitle_add: 'just words' }), /not the text of an SRT/)
    await assert.rejects(convert({ subtitle_add: SRT }, 'avi'), /avi has no subtitle tracks/)
  })

  it('gives its subtitles away as files', async () => {
    const { files } = await make('convert', { ext: 'mkv', bytes: rich! }, 'srt')
    assert.equal(files.length, 2)
    const one = await make('convert', { ext: 'mkv', bytes: rich! }, 'vtt', { subtitle_track: 2 })
    assert.match(one.files[0]!.toString(), /^WEBVTT\s+00:00\.0\d\d --> 00:02\.0\d\d\s+<b>MMMMMMMM<\/b>/)
    await assert.rejects(make('convert', { ext: 'mp4', bytes: plain }, 'srt'), /no subtitles in "sample\.mp4"/)
  })

  it('has subtitles in whichever letters they were written down', async () => {
    const bytes = Buffer.from('1\n00:00:00,000 --> 00:00:02,000\nGr\xfc\xdfe\n', 'latin1')
    const { files } = await make('convert', { ext: 'srt', bytes }, 'vtt', { subtitle_charset: 'windows-1252' })
    assert.match(files[0]!.toString(), /Grüße/)
    await assert.rejects(make('convert', { ext: 'srt', bytes }, 'vtt'), /subtitle_charset/)
  })

  it('gives a picture of a moment, or of many', async () => {
    const at = async (frame_time: number) => convert({ frame_time }, 'png')
    assert.ok(near(await colourAt(await at(0), 0.5, 0.5), '#ff0000', 40))
    assert.ok(near(await colourAt(await at(1.5), 0.5, 0.5), '#0000ff', 40))
    const { files } = await make('convert', { ext: 'mp4', bytes: plain }, 'jpg', { frame_interval: 0.5 })
    assert.equal(files.length, 4)
    assert.ok(near(await colourAt(files[3]!, 0.5, 0.5), '#0000ff', 40))
    await assert.rejects(at(5), /behind the end/)
  })

  it('gives pictures in the size and quality that were asked for', async () => {
    const card = await clip('mp4', ['testsrc2=size=128x96:duration=0.2'], X264)
    const width = async (given: Record<string, unknown>) =>
      (await sharp(await convert(given, 'png', 'mp4', card)).metadata()).width
    assert.deepEqual([await width({ image_custom_width: 50 }), await width({ image_resize_percentage: 25 })], [50, 32])
    assert.equal(await width({ image_custom_height: 48 }), 64)
    assert.equal(await width({ resize_type_image: 'dimension', image_custom_width: 50 }), 50)
    await assert.rejects(
      width({ resize_type_image: 'keep_original', image_custom_width: 50 }),
      /keep_original|dimension/,
    )
    const size = async (quality: number) => (await convert({ quality }, 'jpg', 'mp4', card)).length
    assert.ok((await size(20)) < (await size(95)))
  })
})
