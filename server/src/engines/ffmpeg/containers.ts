/** What each file format of sound and moving pictures can hold, and by which of ffmpeg's writers it is made. Pure data. */
import type { Ext } from '../../catalog/formats.ts'
import type { AudioEncoder, VideoEncoder } from './encoders.ts'

/** Streams of one kind in a container. */
export interface Slot<E extends string> {
  /** The first is the usual one. */
  readonly encoders: readonly [E, ...E[]]
  /** Codecs taken over as they are: what plays wherever such files play. */
  readonly copies: readonly string[]
  /** Codecs it can hold, when somebody insists on a copy. */
  readonly holds: readonly string[]
  readonly most: number
}

export interface Container {
  readonly muxer: string
  readonly video: Slot<VideoEncoder> | null
  readonly audio: Slot<AudioEncoder> | null
  /** Text becomes `encoder`; `copies` stay as they are. */
  readonly subtitles: { readonly encoder: string; readonly copies: readonly string[] } | null
  readonly flags: readonly string[]
  readonly cover: boolean
  readonly chapters: boolean
  /** It can say how a picture is to be turned. */
  readonly rotation: boolean
  /** Without a picture it is still such a file. */
  readonly soundOnly: boolean
}

const MANY = 32
const slot = <E extends string>(
  encoders: readonly [E, ...E[]],
  copies: readonly string[],
  more: readonly string[] = [],
  most = MANY,
): Slot<E> => ({ encoders, copies, holds: [...copies, ...more], most })

const FAST_START = ['-movflags', '+faststart']
const PCM_LE = ['pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_u8'] as const
const PCM_BE = ['pcm_s16be', 'pcm_s24be', 'pcm_s32be'] as const

const base = { subtitles: null, flags: [], cover: false, chapters: false, rotation: false, soundOnly: false } as const

const MODERN: Slot<VideoEncoder> = slot(
  ['libx264', 'libx265', 'libsvtav1', 'libaom-av1', 'libvpx-vp9', 'mpeg4'],
  ['h264', 'hevc', 'av1'],
  ['vp9', 'mpeg4', 'mpeg2video', 'mpeg1video', 'mjpeg'],
)
const MODERN_SOUND: Slot<AudioEncoder> = slot(
  ['aac', 'libmp3lame', 'ac3', 'eac3', 'alac', 'libopus', 'flac'],
  ['aac', 'mp3', 'ac3', 'eac3', 'alac'],
  ['opus', 'flac', 'mp2', 'dts', 'vorbis'],
)

const mp4: Container = {
  ...base,
  muxer: 'mp4',
  soundOnly: true,
  video: MODERN,
  audio: MODERN_SOUND,
  subtitles: { encoder: 'mov_text', copies: ['mov_text'] },
  flags: FAST_START,
  cover: true,
  chapters: true,
  rotation: true,
}

const mov: Container = {
  ...mp4,
  muxer: 'mov',
  video: slot(
    ['libx264', 'libx265', 'prores_ks', 'mpeg4', 'mjpeg'],
    ['h264', 'hevc', 'prores', 'mjpeg', 'mpeg4', 'dnxhd', 'qtrle'],
    ['mpeg2video', 'mpeg1video', 'dvvideo', 'png', 'rawvideo', 'cfhd'],
  ),
  audio: slot(
    ['aac', 'pcm_s16le', 'pcm_s24le', 'alac', 'libmp3lame', 'ac3'],
    ['aac', 'mp3', 'alac', 'ac3', 'eac3', ...PCM_LE, ...PCM_BE],
    ['mp2', 'pcm_alaw', 'pcm_mulaw'],
  ),
}

const mkv: Container = {
  ...base,
  muxer: 'matroska',
  soundOnly: true,
  video: slot(
    [
      'libx264',
      'libx265',
      'libsvtav1',
      'libaom-av1',
      'libvpx-vp9',
      'libvpx',
      'mpeg4',
      'mpeg2video',
      'libtheora',
      'ffv1',
    ],
    [
      ...[
        'h264',
        'hevc',
        'av1',
        'vp9',
        'vp8',
        'mpeg4',
        'mpeg2video',
        'mpeg1video',
        'theora',
        'prores',
        'mjpeg',
        'ffv1',
      ],
      ...['vc1', 'wmv3', 'msmpeg4v3', 'dvvideo'],
    ],
    ['rv30', 'rv40', 'wmv2', 'wmv1', 'h263', 'flv1', 'huffyuv', 'png'],
  ),
  audio: slot(
    ['aac', 'libopus', 'libvorbis', 'libmp3lame', 'flac', 'ac3', 'eac3', 'mp2', 'pcm_s16le', 'alac', 'tta', 'wavpack'],
    [
      ...['aac', 'opus', 'vorbis', 'mp3', 'flac', 'ac3', 'eac3', 'dts', 'mp2', 'alac', 'tta', 'wavpack', 'truehd'],
      ...['pcm_s16le', 'pcm_s24le', 'pcm_f32le'],
    ],
    ['wmav2', 'wmav1', 'mlp'],
  ),
  subtitles: {
    encoder: 'srt',
    copies: ['subrip', 'ass', 'ssa', 'webvtt', 'dvd_subtitle', 'hdmv_pgs_subtitle', 'dvb_subtitle'],
  },
  cover: true,
  chapters: true,
}

const webm: Container = {
  ...base,
  muxer: 'webm',
  soundOnly: true,
  video: slot(['libvpx-vp9', 'libvpx', 'libsvtav1', 'libaom-av1'], ['vp8', 'vp9', 'av1']),
  audio: slot(['libopus', 'libvorbis'], ['opus', 'vorbis']),
  subtitles: { encoder: 'webvtt', copies: ['webvtt'] },
  chapters: true,
}

const avi: Container = {
  ...base,
  muxer: 'avi',
  video: slot(
    ['mpeg4', 'libx264', 'mjpeg', 'ffv1'],
    ['mpeg4', 'msmpeg4v3', 'msmpeg4v2', 'mjpeg', 'dvvideo'],
    ['h264', 'mpeg2video', 'wmv2', 'huffyuv', 'ffv1'],
  ),
  audio: slot(['libmp3lame', 'ac3', 'mp2', 'pcm_s16le', 'aac'], ['mp3', 'ac3', 'mp2', 'pcm_s16le'], ['aac', 'dts']),
}

const wmv: Container = {
  ...base,
  muxer: 'asf',
  video: slot(['wmv2', 'libx264', 'mpeg4'], ['wmv1', 'wmv2', 'wmv3', 'vc1'], ['h264', 'mpeg4', 'msmpeg4v3']),
  audio: slot(['wmav2', 'libmp3lame'], ['wmav1', 'wmav2', 'wmapro'], ['mp3', 'aac', 'ac3']),
}

const mpg: Container = {
  ...base,
  muxer: 'mpeg',
  video: slot(['mpeg2video', 'mpeg1video'], ['mpeg2video', 'mpeg1video'], ['h264']),
  audio: slot(['mp2', 'libmp3lame', 'ac3'], ['mp2', 'mp3', 'ac3'], ['dts', 'pcm_dvd']),
}

const ts: Container = {
  ...base,
  muxer: 'mpegts',
  video: slot(['libx264', 'libx265', 'mpeg2video'], ['h264', 'hevc', 'mpeg2video', 'mpeg1video'], ['mpeg4']),
  audio: slot(
    ['aac', 'ac3', 'eac3', 'mp2', 'libmp3lame'],
    ['aac', 'ac3', 'eac3', 'mp2', 'mp3', 'dts'],
    ['opus', 'aac_latm'],
  ),
  subtitles: { encoder: '', copies: ['dvb_subtitle'] },
}

/** Each packet has its time before it. */
const disc: Container = {
  ...ts,
  audio: slot(['ac3', 'aac', 'mp2'], ['ac3', 'eac3', 'aac', 'mp2', 'dts']),
  flags: ['-mpegts_m2ts_mode', '1'],
}

const phone: Container = {
  ...mp4,
  muxer: '3gp',
  video: slot(['libx264', 'mpeg4'], ['h264', 'mpeg4', 'h263'], [], 1),
  audio: slot(['aac'], ['aac', 'amr_nb', 'amr_wb'], [], 1),
  subtitles: null,
  cover: false,
  soundOnly: false,
}

const m4a: Container = {
  ...base,
  muxer: 'ipod',
  video: null,
  audio: slot(['aac', 'alac'], ['aac', 'alac'], ['ac3', 'mp3'], 1),
  flags: FAST_START,
  cover: true,
  chapters: true,
}

const sound = (
  muxer: string,
  encoders: readonly [AudioEncoder, ...AudioEncoder[]],
  copies: readonly string[],
  more: Partial<Container> & { holds?: readonly string[] } = {},
): Container => {
  const { holds = [], ...rest } = more
  return { ...base, muxer, video: null, audio: slot(encoders, copies, holds, 1), ...rest }
}

export const CONTAINERS = {
  mp4,
  m4v: {
    ...mp4,
    muxer: 'ipod',
    soundOnly: false,
    video: slot(['libx264', 'libx265', 'mpeg4'], ['h264', 'hevc', 'mpeg4']),
    audio: slot(['aac', 'alac', 'ac3'], ['aac', 'alac', 'ac3']),
  },
  mov,
  mkv,
  webm,
  avi,
  wmv,
  flv: {
    ...base,
    muxer: 'flv',
    video: slot(['libx264', 'flv'], ['h264', 'flv1'], ['vp6f'], 1),
    audio: slot(['aac', 'libmp3lame'], ['aac', 'mp3'], ['speex', 'nellymoser'], 1),
  },
  mpg,
  ts,
  '3gp': phone,
  '3g2': { ...phone, muxer: '3g2' },
  f4v: {
    ...phone,
    muxer: 'f4v',
    video: slot(['libx264'], ['h264'], [], 1),
    audio: slot(['aac'], ['aac', 'mp3'], [], 1),
  },
  asf: wmv,
  divx: { ...avi, video: slot(['mpeg4'], ['mpeg4'], [], 1), flags: ['-tag:v', 'DIVX'] },
  vob: {
    ...mpg,
    muxer: 'vob',
    video: slot(['mpeg2video'], ['mpeg2video']),
    audio: slot(['ac3', 'mp2'], ['ac3', 'mp2', 'dts', 'pcm_dvd']),
  },
  m2ts: disc,
  mts: disc,
  ogv: {
    ...base,
    muxer: 'ogv',
    video: slot(['libtheora'], ['theora']),
    audio: slot(['libvorbis', 'libopus', 'flac'], ['vorbis', 'opus', 'flac', 'speex']),
    chapters: true,
  },
  mp3: sound('mp3', ['libmp3lame'], ['mp3'], { flags: ['-id3v2_version', '3', '-write_xing', '1'], cover: true }),
  wav: sound('wav', [...PCM_LE, 'pcm_alaw', 'pcm_mulaw', 'adpcm_ms'], PCM_LE, {
    holds: ['pcm_alaw', 'pcm_mulaw', 'adpcm_ms', 'adpcm_ima_wav', 'gsm_ms'],
  }),
  flac: sound('flac', ['flac'], ['flac'], { cover: true }),
  ogg: sound('ogg', ['libvorbis', 'libopus', 'flac', 'libspeex'], ['vorbis'], {
    holds: ['opus', 'flac', 'speex'],
    chapters: true,
  }),
  oga: sound('oga', ['libvorbis', 'flac', 'libopus'], ['vorbis', 'flac', 'opus', 'speex'], { chapters: true }),
  opus: sound('opus', ['libopus'], ['opus'], { chapters: true }),
  m4a,
  m4b: m4a,
  m4r: { ...m4a, cover: false },
  aac: sound('adts', ['aac'], ['aac']),
  wma: sound('asf', ['wmav2'], ['wmav1', 'wmav2', 'wmapro', 'wmalossless'], { cover: true }),
  aiff: sound('aiff', PCM_BE, PCM_BE, { flags: ['-write_id3v2', '1'], cover: true }),
  ac3: sound('ac3', ['ac3'], ['ac3']),
  mp2: sound('mp2', ['mp2'], ['mp2']),
  au: sound(
    'au',
    ['pcm_s16be', 'pcm_s24be', 'pcm_s32be', 'pcm_mulaw', 'pcm_alaw'],
    ['pcm_s16be', 'pcm_mulaw', 'pcm_alaw'],
  ),
  caf: sound('caf', ['pcm_s16le', 'pcm_s24le', 'alac', 'pcm_s16be'], ['pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'alac']),
  wv: sound('wv', ['wavpack'], ['wavpack']),
  tta: sound('tta', ['tta'], ['tta']),
  mka: { ...mkv, video: null, subtitles: null },
  spx: sound('spx', ['libspeex'], ['speex']),
} as const satisfies Partial<Record<Ext, Container>>

/** Formats that can be written. */
export type Writable = keyof typeof CONTAINERS

export const isWritable = (ext: Ext): ext is Writable => Object.hasOwn(CONTAINERS, ext)
export const containerOf = (ext: Writable): Container => CONTAINERS[ext]

const WRITABLE: readonly Writable[] = Object.keys(CONTAINERS) as Writable[]
export const VIDEO_OUT = WRITABLE.filter((ext) => containerOf(ext).video !== null)
export const AUDIO_OUT = WRITABLE.filter((ext) => containerOf(ext).video === null)
