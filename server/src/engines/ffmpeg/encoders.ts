/**
 * What each encoder is told for a quality, a bitrate and a speed. Pure. Names are ffmpeg's; those of hardware are here with
 * what does the same work on the CPU.
 */
import { X265_POOLS } from '../kit/threads.ts'

export const SPEEDS = [
  'ultrafast',
  'superfast',
  'veryfast',
  'faster',
  'fast',
  'medium',
  'slow',
  'slower',
  'veryslow',
] as const
export type Speed = (typeof SPEEDS)[number]

export const VIDEO_ENCODERS = {
  libx264: { codec: 'h264', title: 'H.264' },
  libx265: { codec: 'hevc', title: 'H.265' },
  libvpx: { codec: 'vp8', title: 'VP8' },
  'libvpx-vp9': { codec: 'vp9', title: 'VP9' },
  libsvtav1: { codec: 'av1', title: 'AV1 (SVT)' },
  'libaom-av1': { codec: 'av1', title: 'AV1 (AOM)' },
  mpeg4: { codec: 'mpeg4', title: 'MPEG-4' },
  mpeg2video: { codec: 'mpeg2video', title: 'MPEG-2' },
  mpeg1video: { codec: 'mpeg1video', title: 'MPEG-1' },
  wmv2: { codec: 'wmv2', title: 'Windows Media 8' },
  flv: { codec: 'flv1', title: 'Sorenson Spark' },
  libtheora: { codec: 'theora', title: 'Theora' },
  mjpeg: { codec: 'mjpeg', title: 'Motion JPEG' },
  prores_ks: { codec: 'prores', title: 'ProRes' },
  ffv1: { codec: 'ffv1', title: 'FFV1, lossless' },
} as const
export type VideoEncoder = keyof typeof VIDEO_ENCODERS

export const AUDIO_ENCODERS = {
  aac: { codec: 'aac', title: 'AAC' },
  libmp3lame: { codec: 'mp3', title: 'MP3' },
  libopus: { codec: 'opus', title: 'Opus' },
  libvorbis: { codec: 'vorbis', title: 'Vorbis' },
  libspeex: { codec: 'speex', title: 'Speex' },
  flac: { codec: 'flac', title: 'FLAC' },
  alac: { codec: 'alac', title: 'Apple Lossless' },
  ac3: { codec: 'ac3', title: 'Dolby Digital' },
  eac3: { codec: 'eac3', title: 'Dolby Digital Plus' },
  mp2: { codec: 'mp2', title: 'MP2' },
  wmav2: { codec: 'wmav2', title: 'Windows Media Audio 2' },
  wavpack: { codec: 'wavpack', title: 'WavPack' },
  tta: { codec: 'tta', title: 'True Audio' },
  pcm_s16le: { codec: 'pcm_s16le', title: '16 bit' },
  pcm_s24le: { codec: 'pcm_s24le', title: '24 bit' },
  pcm_s32le: { codec: 'pcm_s32le', title: '32 bit' },
  pcm_f32le: { codec: 'pcm_f32le', title: '32 bit floating point' },
  pcm_u8: { codec: 'pcm_u8', title: '8 bit' },
  pcm_s16be: { codec: 'pcm_s16be', title: '16 bit' },
  pcm_s24be: { codec: 'pcm_s24be', title: '24 bit' },
  pcm_s32be: { codec: 'pcm_s32be', title: '32 bit' },
  pcm_alaw: { codec: 'pcm_alaw', title: 'A-law' },
  pcm_mulaw: { codec: 'pcm_mulaw', title: 'µ-law' },
  adpcm_ms: { codec: 'adpcm_ms', title: 'ADPCM' },
} as const
export type AudioEncoder = keyof typeof AUDIO_ENCODERS

/** Encoders of graphics cards, and what does the same on the CPU. */
export const HARDWARE = {
  h264_nvenc: { cpu: 'libx264', title: 'H.264 (NVIDIA)' },
  hevc_nvenc: { cpu: 'libx265', title: 'H.265 (NVIDIA)' },
  h264_qsv: { cpu: 'libx264', title: 'H.264 (Intel)' },
  hevc_qsv: { cpu: 'libx265', title: 'H.265 (Intel)' },
} as const satisfies Record<string, { cpu: VideoEncoder; title: string }>
export type Hardware = keyof typeof HARDWARE
export type AnyVideoEncoder = VideoEncoder | Hardware

export const isHardware = (name: string): name is Hardware => Object.hasOwn(HARDWARE, name)

export interface Quality {
  /** As x264 counts, 0 best to 51; the newer ones count to 63. Without it, each encoder's usual. */
  crf?: number | undefined
  /** Bits a second; goes before crf. */
  bitrate?: number | undefined
  speed?: Speed | undefined
  /** Pixels a second, where an encoder needs a bitrate as an upper bound. */
  pixelRate?: number | undefined
}

/** How far the quality goes, and where it is when nobody chose. */
export const CRF: Record<VideoEncoder, { max: number; usual: number }> = {
  libx264: { max: 51, usual: 23 },
  libx265: { max: 51, usual: 26 },
  libvpx: { max: 63, usual: 20 },
  'libvpx-vp9': { max: 63, usual: 32 },
  libsvtav1: { max: 63, usual: 35 },
  'libaom-av1': { max: 63, usual: 32 },
  mpeg4: { max: 51, usual: 5 },
  mpeg2video: { max: 51, usual: 5 },
  mpeg1video: { max: 51, usual: 5 },
  wmv2: { max: 51, usual: 5 },
  flv: { max: 51, usual: 5 },
  libtheora: { max: 51, usual: 15 },
  mjpeg: { max: 51, usual: 4 },
  prores_ks: { max: 51, usual: 12 },
  ffv1: { max: 51, usual: 0 },
}

const SPEED_STEP: Record<Speed, number> = Object.fromEntries(SPEEDS.map((speed, step) => [speed, step])) as Record<
  Speed,
  number
>

/** From the quickest to the slowest of what an encoder counts. */
const step = (speed: Speed, values: readonly number[]): string =>
  String(values[SPEED_STEP[speed]] ?? values[values.length >> 1])

const USUAL_SPEED: Speed = 'fast'
/** Bits a pixel no film needs more of. */
const PLENTY = 0.5

const rate = (bitrate: number): string[] => [
  ...['-b:v', String(Math.round(bitrate))],
  ...['-maxrate', String(Math.round(bitrate * 1.5)), '-bufsize', String(Math.round(bitrate * 2))],
]
/** Encoders of the old kind count from 1, best, to 31. */
const oldScale = (crf: number): string => String(Math.min(31, Math.max(1, Math.round(1 + (crf * 30) / 51))))

type Told = Required<Pick<Quality, 'crf' | 'speed'>> & { crf: number; speed: Speed } & Quality

const old = ({ crf, bitrate }: Told): string[] => (bitrate ? rate(bitrate) : ['-q:v', oldScale(crf)])
const newScale = ({ crf, bitrate }: Told): string[] =>
  bitrate ? ['-b:v', String(Math.round(bitrate))] : ['-crf', String(Math.round(crf)), '-b:v', '0']

const X265 = `log-level=error:${X265_POOLS}`

const TELL: Record<VideoEncoder, (told: Told) => string[]> = {
  libx264: ({ crf, bitrate, speed }) => ['-preset', speed, ...(bitrate ? rate(bitrate) : ['-crf', String(crf)])],
  libx265: ({ crf, bitrate, speed }) => [
    ...['-preset', speed, ...(bitrate ? rate(bitrate) : ['-crf', String(crf)])],
    ...['-x265-params', X265],
  ],
  // Its quality counts only below a bitrate.
  libvpx: ({ crf, bitrate, speed, pixelRate = 10_000_000 }) => [
    ...['-deadline', 'good', '-cpu-used', step(speed, [5, 5, 5, 4, 4, 3, 2, 1, 0]), '-auto-alt-ref', '1'],
    ...(bitrate ? rate(bitrate) : ['-crf', String(Math.max(4, crf)), '-b:v', String(Math.round(pixelRate * PLENTY))]),
  ],
  'libvpx-vp9': (told) => [
    ...['-deadline', SPEED_STEP[told.speed] < 3 ? 'realtime' : 'good'],
    ...['-cpu-used', step(told.speed, [8, 7, 6, 5, 5, 3, 2, 1, 0]), '-row-mt', '1', '-tile-columns', '2'],
    ...newScale(told),
  ],
  libsvtav1: ({ crf, bitrate, speed }) => [
    ...['-preset', step(speed, [12, 11, 10, 9, 8, 7, 6, 5, 4])],
    ...(bitrate ? ['-b:v', String(Math.round(bitrate))] : ['-crf', String(Math.round(crf))]),
  ],
  'libaom-av1': (told) => [
    ...['-cpu-used', step(told.speed, [8, 8, 7, 7, 6, 5, 4, 3, 2]), '-row-mt', '1', ...newScale(told)],
  ],
  mpeg4: (told) => [...old(told), '-bf', '0'],
  mpeg2video: (told) => [...old(told), '-bf', '2'],
  mpeg1video: (told) => [...old(told), '-bf', '2'],
  wmv2: old,
  flv: old,
  // Counts from 0 to 10, best.
  libtheora: ({ crf, bitrate }) =>
    bitrate ? ['-b:v', String(Math.round(bitrate))] : ['-q:v', String(Math.max(0, 10 - (crf * 10) / 51).toFixed(1))],
  mjpeg: old,
  prores_ks: ({ crf, bitrate }) => ['-profile:v', '3', ...(bitrate ? rate(bitrate) : ['-q:v', oldScale(crf)])],
  ffv1: () => ['-level', '3'],
}

/** Arguments of one video encoder, `-c:v` included. `crf` beyond what it knows is its worst. */
export function videoArgs(encoder: VideoEncoder, { crf, speed, ...quality }: Quality = {}): string[] {
  const { max, usual } = CRF[encoder]
  const told = { ...quality, crf: Math.min(max, crf ?? usual), speed: speed ?? USUAL_SPEED }
  return ['-c:v', encoder, ...TELL[encoder](told)]
}

/** Those that can be told twice: what a first look found makes the second better. */
export const TWO_PASS: ReadonlySet<VideoEncoder> = new Set([
  'libx264',
  'libx265',
  'libvpx',
  'libvpx-vp9',
  'libaom-av1',
  'mpeg4',
  'mpeg2video',
  'mpeg1video',
])

export const passArgs = (encoder: VideoEncoder, pass: 1 | 2): string[] =>
  encoder === 'libx265'
    ? ['-x265-params', `${X265}:pass=${pass}:stats=pass.log`]
    : ['-pass', String(pass), '-passlogfile', 'pass']

/** Ten bits of each colour: they can hold more light than a usual screen. */
export const DEEP: ReadonlySet<VideoEncoder> = new Set(['libx265', 'libvpx-vp9', 'libsvtav1', 'libaom-av1'])

const PIXELS: Partial<Record<VideoEncoder, string>> = { mjpeg: 'yuvj420p', prores_ks: 'yuv422p10le' }
export const pixelFormatOf = (encoder: VideoEncoder, deep = false): string =>
  PIXELS[encoder] ?? (deep && DEEP.has(encoder) ? 'yuv420p10le' : 'yuv420p')

/** Whether a bitrate means anything to it. */
export const isLossless = (encoder: AudioEncoder): boolean => /^(?:pcm_|adpcm_|flac$|alac$|wavpack$|tta$)/.test(encoder)

export interface AudioQuality {
  /** Bits a second. */
  bitrate?: number | undefined
  /** `vbr`: as many bits as the sound needs. */
  control?: 'auto' | 'cbr' | 'vbr' | undefined
  channels?: number | undefined
}

/** Bits a second for one channel, where nobody chose. */
const USUAL_RATE: Partial<Record<AudioEncoder, number>> = {
  libmp3lame: 96_000,
  aac: 80_000,
  libopus: 64_000,
  libvorbis: 80_000,
  ac3: 96_000,
  eac3: 96_000,
  mp2: 128_000,
  wmav2: 80_000,
}

/** LAME's V0 to V9 by the bitrate they come to for two channels. */
const LAME = [245, 225, 190, 175, 165, 130, 115, 100, 85, 65]
const nearest = (values: readonly number[], wanted: number): number =>
  values.reduce(
    (best, value, index) => (Math.abs(value - wanted) < Math.abs((values[best] ?? 0) - wanted) ? index : best),
    0,
  )

const varying = (encoder: AudioEncoder, bitrate: number, channels: number): string[] | null => {
  const kbits = ((bitrate / 1000) * 2) / Math.max(1, channels)
  if (encoder === 'libmp3lame') return ['-q:a', String(nearest(LAME, kbits))]
  if (encoder === 'libvorbis') return ['-q:a', Math.max(-1, Math.min(10, (kbits - 64) / 25)).toFixed(1)]
  if (encoder === 'aac') return ['-q:a', Math.max(0.1, Math.min(4, kbits / 80)).toFixed(2)]
  if (encoder === 'libopus') return ['-vbr', 'on', '-b:a', String(bitrate)]
  return null
}

/** Arguments of one audio encoder, without the stream they are for: `['-c:a', …]`. */
export function audioArgs(
  encoder: AudioEncoder,
  { bitrate, control = 'auto', channels = 2 }: AudioQuality = {},
): string[] {
  const start = ['-c:a', encoder]
  if (isLossless(encoder)) return start
  if (encoder === 'libspeex') return [...start, ...(bitrate ? ['-b:a', String(bitrate)] : ['-q:a', '8'])]
  const usual = (USUAL_RATE[encoder] ?? 80_000) * Math.max(1, channels)
  const wanted = bitrate ?? usual
  if (control === 'vbr') return [...start, ...(varying(encoder, wanted, channels) ?? ['-b:a', String(wanted)])]
  if (control === 'cbr' && encoder === 'libopus') return [...start, '-vbr', 'off', '-b:a', String(wanted)]
  // Vorbis varies anyway; its quality is the better way to say how much.
  if (control === 'auto' && encoder === 'libvorbis' && bitrate === undefined) return [...start, '-q:a', '5']
  return [...start, '-b:a', String(wanted)]
}
