/** What a compressed film is to be: how big the picture, how much for the sound, at what quality. Pure. */
import { Failure } from '../../core/errors.ts'
import { poorest, type Rate } from './compress-encoders.ts'
import type { VideoWishes } from './compress-options.ts'
import { CRF, type VideoEncoder } from './encoders.ts'

export interface Size {
  width: number
  height: number
}

/** Codecs that share colours between neighbours take even sides only. */
const even = (length: number): number => Math.max(2, Math.round(length / 2) * 2)
const evenDown = (length: number): number => Math.max(2, Math.floor(length / 2) * 2)

export const scaledSize = ({ width, height }: Size, scale: number): Size =>
  scale >= 1
    ? { width: evenDown(width), height: evenDown(height) }
    : { width: even(width * scale), height: even(height * scale) }

const missing = (method: string, what: string): Failure =>
  new Failure('processing_failed', `video_compression_resize_method is ${method}, but ${what} is not given.`)

/** The picture that `by_resolution` means. Nothing is enlarged. */
export function resolution(from: Size, wishes: VideoWishes): Size {
  const { video_compression_resize_method: method, video_compression_resolution_preset: preset } = wishes
  const { video_custom_width_compress: width, video_custom_height_compress: height } = wishes
  const within = (box: Partial<Size>): Size =>
    scaledSize(from, Math.min(1, (box.width ?? from.width) / from.width, (box.height ?? from.height) / from.height))
  if (method === 'preset_resolutions') {
    const [long = from.width, short = from.height] = preset.split(':').map(Number)
    // An upright film fits into the upright preset.
    return within(from.width >= from.height ? { width: long, height: short } : { width: short, height: long })
  }
  if (method !== 'by_height_keep_ar' && width === undefined) throw missing(method, 'video_custom_width_compress')
  if (method !== 'by_width_keep_ar' && height === undefined) throw missing(method, 'video_custom_height_compress')
  if (method === 'by_width_keep_ar') return within({ width: width ?? from.width })
  if (method === 'by_height_keep_ar') return within({ height: height ?? from.height })
  return {
    width: even(Math.min(width ?? from.width, from.width)),
    height: even(Math.min(height ?? from.height, from.height)),
  }
}

/** Where no size is to be reached: the rate at which it is written, in one go. */
export function plainRate(encoder: VideoEncoder, wishes: VideoWishes): Rate {
  const { compress_video: method, video_compress_max_bitrate: most, video_compressor_bufsize: buffer } = wishes
  if (method === 'by_max_bitrate') {
    if (most === undefined)
      throw new Failure(
        'processing_failed',
        'compress_video is by_max_bitrate, but video_compress_max_bitrate gives no bitrate.',
      )
    return { crf: CRF[encoder].usual, cap: { rate: most * 1000, buffer: (buffer ?? most * 2) * 1000 } }
  }
  const { video_compress_crf_x264: x264, video_compress_crf_x265: x265 } = wishes
  const { video_compress_crf_av1: av1, video_compress_crf_vp9: vp9 } = wishes
  const chosen: Partial<Record<VideoEncoder, number | undefined>> = {
    libx264: x264,
    libx265: x265,
    libsvtav1: av1,
    'libvpx-vp9': vp9,
  }
  const usual = CRF[encoder].usual
  return { crf: method === 'by_video_quality' ? (chosen[encoder] ?? usual) : usual }
}

/** Bytes that are asked for; null when something else is. */
export function wantedBytes(wishes: VideoWishes, size: number): number | null {
  if (wishes.compress_video === 'by_percentage')
    return Math.floor((size * wishes.video_compress_quality_percentage) / 100)
  if (wishes.compress_video !== 'by_size') return null
  if (wishes.video_compress_max_filesize !== undefined) return wishes.video_compress_max_filesize
  throw new Failure('processing_failed', 'compress_video is by_size, but video_compress_max_filesize gives no size.')
}

/** Bits a second of one stream of sound; `copy`: as it came. */
export interface Sound {
  bitrate: number
  copy: boolean
}

/** One way to stay within a size: how big the picture is and what the sound takes. */
export interface Rung {
  scale: number
  sound: Sound
}

export interface Film {
  size: Size
  fps: number
  seconds: number
  /** How many streams of sound there are, and what each takes; null when unknown. */
  sounds: number
  soundRate: number | null
}

const SOUNDS = [192_000, 160_000, 128_000, 96_000, 64_000, 48_000, 32_000, 24_000, 16_000] as const
const LEAST_SOUND = 16_000
/** The part of all bits that sound may have. */
const SOUND_SHARE = 0.2
/** Below that a picture shows nothing, and some encoders take no less. */
const LEAST_SIDE = 64
const STEP = 0.7

const soundFor = (total: number, { sounds, soundRate }: Film): Sound => {
  const most = (total * SOUND_SHARE) / Math.max(1, sounds)
  if (soundRate !== null && soundRate <= most) return { bitrate: soundRate, copy: true }
  const least = Math.min(most, soundRate ?? most)
  return { bitrate: SOUNDS.find((bitrate) => bitrate <= least) ?? LEAST_SOUND, copy: false }
}

const lessSound = ({ bitrate }: Sound): Sound => ({
  bitrate: SOUNDS.find((less) => less < bitrate) ?? LEAST_SOUND,
  copy: false,
})

/** From the best picture that so many bytes allow to the smallest there is. */
export function rungs(bytes: number, film: Film, encoder: VideoEncoder): Rung[] {
  const total = (bytes * 8) / film.seconds
  let sound = soundFor(total, film)
  const forPicture = Math.max(0, total - sound.bitrate * film.sounds)
  const { width, height } = film.size
  const smallest = Math.min(1, LEAST_SIDE / Math.min(width, height))
  const bearable = Math.sqrt(forPicture / (poorest(encoder) * width * height * film.fps))
  let scale = bearable > 0.9 ? 1 : Math.max(smallest, bearable)
  const found: Rung[] = []
  for (; scale > smallest; scale = scale * STEP < smallest * 1.1 ? smallest : scale * STEP) {
    found.push({ scale, sound })
    sound = lessSound(sound)
  }
  return [...found, { scale: smallest, sound: { bitrate: Math.min(sound.bitrate, LEAST_SOUND), copy: false } }]
}

/** Rounded up, so that asking for that size succeeds. */
const inWords = (bytes: number): string =>
  bytes >= 1e6 ? `${Math.ceil(bytes / 1e5) / 10} MB` : `${Math.ceil(bytes / 100) / 10} KB`

/** "must be met or the task fails saying the smallest reachable size" */
export const unreachable = (filename: string, wanted: number, smallest: number): Failure =>
  new Failure(
    'processing_failed',
    `"${filename}" cannot be made as small as ${inWords(wanted)}; the smallest reachable size is ${inWords(smallest)}.`,
  )
