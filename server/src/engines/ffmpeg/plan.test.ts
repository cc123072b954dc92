import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resolve } from '../../catalog/resolve.ts'
import { Failure } from '../../core/errors.ts'
import { beforeArgs, firstPassArgs, outputArgs } from './args.ts'
import { containerOf, type Writable } from './containers.ts'
import type { AudioStream, Media, Stream, SubtitleStream, VideoStream } from './media.ts'
import { soundOptions, videoOptions } from './options.ts'
import { isPartable } from './part-order.ts'
import { plan } from './plan.ts'
import { audioWishes, videoWishes } from './wishes.ts'

const common = { language: null, title: null, bitrate: null, seconds: 60, isDefault: false }
const film = (over: Partial<VideoStream> = {}): VideoStream => ({
  ...{ ...common, kind: 'video', index: 0, codec: 'h264', width: 1920, height: 1080, rotation: 0, pixelAspect: 1 },
  ...{ fps: 25, vfr: false, frames: null, pixelFormat: 'yuv420p', hdr: false, transfer: '', cover: false },
  interlaced: false,
  ...over,
})
const sound = (over: Partial<AudioStream> = {}): AudioStream => ({
  ...{
    ...common,
    kind: 'audio',
    index: 1,
    codec: 'aac',
    channels: 2,
    sampleRate: 48_000,
    layout: 'stereo',
    depth: null,
  },
  ...over,
})
const words = (over: Partial<SubtitleStream> = {}): SubtitleStream => ({
  ...{ ...common, kind: 'subtitle', index: 2, codec: 'subrip', pictures: false, forced: false },
  ...over,
})
const media = (...streams: Stream[]): Media => ({
  ...{ container: 'mov', seconds: 60, bitrate: null, size: 1, chapters: 0, tags: {}, streams },
})

const planned = (of: Media, to: Writable, given: Record<string, unknown> = {}) => {
  const target = { ext: to, container: containerOf(to), filename: 'x', added: null, present: null }
  if (target.container.video === null) {
    const declared = soundOptions(to)
    const { values, issues } = resolve(declared, given)
    assert.deepEqual(issues, [])
    return plan(of, audioWishes(values), target)
  }
  const declared = videoOptions(to)
  const { values, issues } = resolve(declared, given)
  assert.deepEqual(issues, [])
  return plan(of, videoWishes(values), target)
}
const told = (...of: Parameters<typeof planned>): string => outputArgs(planned(...of)).join(' ')
const refused = (...of: Parameters<typeof planned>): string => {
  try {
    planned(...of)
  } catch (error) {
    if (error instanceof Failure) return error.message
  }
  return 'nothing is wrong'
}

const PHONE = media(film(), sound())

describe('a plan', () => {
  it('is for several machines only where no picture hangs on others, and coding takes long', () => {
    const partable = (to: Writable, given: Record<string, unknown>) => isPartable(planned(PHONE, to, given))
    for (const given of [{ video_crf: 30 }, { video_resolution: '720p' }, { video_rotate: '90' }])
      assert.equal(partable('mp4', given), true, JSON.stringify(given))
    assert.equal(isPartable(planned(media(film({ hdr: true, transfer: 'smpte2084' })), 'mp4', { video_crf: 30 })), true)
    for (const given of [
      {},
      { video_bitrate: 200 },
      { video_bitrate: 200, video_two_pass: true },
      ...[
        { video_fps: 10 },
        { video_deinterlace: true },
        { video_speed: 200 },
        { video_reverse: true, video_resolution: '120p' },
      ],
      ...[{ cut_start: 1, video_crf: 30 }, { cut_end: 5, video_crf: 30 }, { video_codec: 'mpeg4' }],
    ])
      assert.equal(partable('mp4', given), false, JSON.stringify(given))
    assert.equal(partable('ts', { video_crf: 30 }), false)
  })

  it('takes a picture that is coded already from the last input', () => {
    const of = planned(PHONE, 'mp4', { video_crf: 30, video_codec: 'libx265' })
    const said = '-map_metadata:s:v:0 0:s:0 -tag:v:0 hvc1 -map 0:1'
    assert.match(outputArgs(of, null, ['-i', 'list']).join(' '), new RegExp(`^-i list -map 1:0 -c:v:0 copy ${said}`))
    const added = { demuxer: 'srt', file: 'added.srt' } as const
    const more = { ...of, other: { seconds: 9 }, added, subtitles: [{ from: 'added', encoder: 'mov_text' }] } as const
    assert.match(outputArgs(more, null, ['-i', 'list']).join(' '), /-i file:added.srt -i list -map 3:0 -c:v:0 copy /)
  })

  it('copies what the target can hold', () => {
    const end = '-max_muxing_queue_size 4096'
    assert.equal(
      told(PHONE, 'mp4'),
      `-map 0:0 -c:v:0 copy -map 0:1 -c:a:0 copy ${end} -movflags +faststart -f mp4 file:out.mp4`,
    )
    assert.equal(told(PHONE, 'mkv'), `-map 0:0 -c:v:0 copy -map 0:1 -c:a:0 copy ${end} -f matroska file:out.mkv`)
  })

  const copied: readonly (readonly [Stream, Stream, Writable, boolean, boolean])[] = [
    [film(), sound(), 'mov', true, true],
    [film(), sound({ codec: 'opus' }), 'mp4', true, false],
    [film({ codec: 'vp9' }), sound({ codec: 'opus' }), 'webm', true, true],
    [film({ codec: 'vp9' }), sound({ codec: 'opus' }), 'mp4', false, false],
    [film(), sound(), 'avi', false, false],
    [film({ codec: 'mpeg2video' }), sound({ codec: 'mp2' }), 'mpg', true, true],
    [film({ rotation: 90 }), sound(), 'mov', true, true],
    [film({ rotation: 90 }), sound(), 'mkv', false, true],
    [film({ codec: 'theora' }), sound({ codec: 'vorbis' }), 'ogv', true, true],
  ]
  for (const [picture, track, to, whole, heard] of copied) {
    it(`of ${picture.codec} and ${track.codec} to ${to} takes over ${whole ? 'the picture' : 'no picture'}, ${heard ? 'the sound' : 'no sound'}`, () => {
      const made = planned(media(picture, track), to)
      assert.deepEqual([made.picture?.copy, made.sound[0]?.copy], [whole, heard])
    })
  }

  const changing: readonly Record<string, unknown>[] = [
    ...[{ video_crf: 30 }, { video_bitrate: 500 }, { video_resolution: '720p' }, { video_fps: 10 }, { cut_start: 1 }],
    ...[{ video_rotate: 90 }, { video_flip: 'vertical' }, { video_speed: 200 }, { video_aspect_ratio: '4:3' }],
    ...[{ video_codec: 'libx265' }, { video_deinterlace: true }],
  ]
  for (const given of changing) {
    it(`codes the picture anew for ${JSON.stringify(given)}`, () =>
      assert.equal(planned(PHONE, 'mp4', given).picture?.copy, false))
  }

  it('keeps copying where only the end is cut, or the codec is the same', () => {
    assert.equal(planned(PHONE, 'mp4', { cut_end: 10 }).picture?.copy, true)
    assert.equal(planned(PHONE, 'mp4', { video_codec: 'libx264' }).picture?.copy, true)
  })

  it('keeps every track a container has room for', () => {
    const tracks = media(film(), sound(), sound({ index: 3, codec: 'ac3' }), words())
    assert.match(told(tracks, 'mkv'), /-map 0:1 -c:a:0 copy -map 0:3 -c:a:1 copy -map 0:2 -c:s:0 copy/)
    assert.match(told(tracks, 'mp4'), /-c:s:0 mov_text/)
    assert.equal(planned(tracks, 'flv').sound.length, 1)
    assert.deepEqual(planned(tracks, 'flv').leftOut, ['subtitles'])
  })

  it('makes sizes even, and pixels square', () => {
    assert.match(told(media(film({ width: 639, height: 361 })), 'mp4', { video_crf: 20 }), /scale=640:362:/)
    assert.match(
      told(media(film({ width: 720, height: 576, pixelAspect: 16 / 15 })), 'avi'),
      /scale=768:576:.*setsar=1/,
    )
  })

  it('fits, pads, cuts or stretches to a resolution', () => {
    const to = (video_fit: string): string => told(PHONE, 'mp4', { video_resolution: '640x480', video_fit })
    assert.match(to('fit'), /-filter:v:0 scale=640:360:flags=bicubic,setsar=1/)
    assert.match(to('pad'), /scale=640:360:flags=bicubic,pad=640:480:-1:-1/)
    assert.match(to('crop'), /scale=854:480:flags=bicubic,crop=640:480/)
    assert.match(to('stretch'), /scale=640:480:flags=bicubic,setsar=1/)
  })

  it('brings more light than usual into the range of usual screens, unless the codec can hold it', () => {
    const bright = media(film({ hdr: true, transfer: 'smpte2084', codec: 'hevc' }))
    assert.match(told(bright, 'mp4', { video_crf: 20 }), /tonemap=.*format=yuv420p .*-color_trc:v:0 bt709/)
    assert.match(
      told(bright, 'mp4', { video_codec: 'libx265', video_crf: 20 }),
      /format=yuv420p10le .*-color_trc:v:0 smpte2084/,
    )
    assert.match(told(bright, 'mp4'), /-c:v:0 copy -tag:v:0 hvc1/)
  })

  it('gives old codecs frames at even times', () =>
    assert.match(told(media(film({ vfr: true, fps: 29.97 })), 'avi'), /fps=29.97/))

  it('looks twice when told so', () => {
    const twice = planned(PHONE, 'mp4', { video_two_pass: true, video_bitrate: 800 })
    assert.match(firstPassArgs(twice).join(' '), /-b:v 800000 .*-pass 1 -passlogfile pass -an -sn -f null -$/)
    assert.match(outputArgs(twice, 2).join(' '), /-pass 2/)
    assert.match(refused(PHONE, 'mp4', { video_two_pass: true, video_crf: 20 }), /needs a video_bitrate/)
  })

  it('reads only the part that is kept', () =>
    assert.deepEqual(beforeArgs(planned(PHONE, 'webm', { cut_start: '00:00:10', cut_end: 12.5 })), [
      '-ss',
      '10',
      '-t',
      '2.5',
    ]))

  it('says what stands against a wish', () => {
    assert.match(
      refused(media(film({ codec: 'vp9' })), 'avi', { video_codec: 'copy' }),
      /coded as vp9, which avi does not hold/,
    )
    assert.match(refused(PHONE, 'mp4', { video_codec: 'copy', video_rotate: 90 }), /other options change it/)
    assert.match(refused(PHONE, 'mp4', { cut_start: 70 }), /behind the end/)
    assert.match(refused(PHONE, 'mp4', { cut_start: 10, cut_end: 5 }), /cut_end must be later/)
    assert.match(refused(media(sound()), 'avi'), /no moving picture/)
    assert.match(refused(media(film()), 'mp3'), /no sound/)
    assert.match(refused(PHONE, 'mp3', { audio_track: 2 }), /1 audio tracks, no track 2/)
    assert.match(refused(PHONE, 'mp4', { subtitle_mode: 'hard' }), /no subtitles/)
  })

  it('keeps fine sound fine, and knows what an encoder can do', () => {
    assert.match(told(media(sound({ codec: 'flac', depth: 24 })), 'wav'), /-c:a:0 pcm_s24le/)
    assert.match(told(media(sound({ codec: 'flac', depth: 16 })), 'wav'), /-c:a:0 pcm_s16le/)
    assert.match(told(media(sound({ sampleRate: 96_000, codec: 'flac' })), 'mp3'), /-ar:a:0 48000/)
    assert.match(told(media(sound({ channels: 6, codec: 'ac3' })), 'mp3'), /-ac:a:0 2/)
    assert.match(told(media(sound({ codec: 'tta', channels: 1, layout: 'unknown' })), 'm4a'), /channel_layouts=mono/)
    assert.match(told(media(sound({ channels: 6, codec: 'ac3' })), 'opus'), /-filter:a:0 aformat=channel_layouts/)
  })
})
