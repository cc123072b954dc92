/** What becomes of the film itself: taken over as it is, or coded anew. Pure. */
import { Failure } from '../../core/errors.ts'
import { DEEP, HARDWARE, isHardware, pixelFormatOf, TWO_PASS, VIDEO_ENCODERS, type VideoEncoder } from './encoders.ts'
import { pictureFilters, type Size, targetSize } from './filters.ts'
import type { VideoStream } from './media.ts'
import type { CodedPicture, Copied, Target } from './planned.ts'
import type { PictureWishes } from './wishes.ts'

interface Around {
  /** Nothing else of the task stands against a copy. */
  mayCopy: boolean
  mustEncode: boolean
  burn: string | null
  tempo: number
  /** Of the result. */
  seconds: number | null
}

/** Whether the picture itself is to be another one. */
const changes = ({ size, fps, aspect, rotate, flip, deinterlace, reverse }: PictureWishes): boolean =>
  size !== null ||
  fps !== undefined ||
  aspect !== undefined ||
  rotate !== 0 ||
  flip !== 'none' ||
  deinterlace ||
  reverse

const recoded = ({ crf, bitrate }: PictureWishes): boolean => crf !== undefined || bitrate !== undefined

function fits(stream: VideoStream, wishes: PictureWishes, { container }: Target): boolean {
  const { encoder } = wishes
  const held = container.video?.copies.includes(stream.codec) === true
  if (!held || (stream.rotation !== 0 && !container.rotation)) return false
  return (
    encoder === 'auto' || (encoder !== 'copy' && !isHardware(encoder) && VIDEO_ENCODERS[encoder].codec === stream.codec)
  )
}

function insisted(
  stream: VideoStream,
  wishes: PictureWishes,
  target: Target,
  mustEncode: boolean,
): Copied<VideoStream> {
  const { container, ext } = target
  const why = (reason: string): Failure => new Failure('processing_failed', `The picture cannot be copied: ${reason}`)
  if (mustEncode || changes(wishes)) throw why('other options change it. Leave video_codec at auto.')
  if (container.video?.holds.includes(stream.codec) !== true)
    throw why(`it is coded as ${stream.codec}, which ${ext} does not hold. Leave video_codec at auto.`)
  return { stream, copy: true }
}

/** Those that want frames at even times. */
const STEADY = new Set<VideoEncoder>(['mpeg4', 'wmv2', 'flv', 'libtheora', 'mjpeg'])
const ODD_RATE = 120
/** All that MPEG-1 and MPEG-2 know. */
const TELEVISION = ['24000/1001', '24', '25', '30000/1001', '30', '50', '60000/1001', '60']
const perSecond = (rate: string): number => {
  const [above = 0, below = 1] = rate.split('/').map(Number)
  return above / below
}

function steadyRate({ fps, vfr }: VideoStream, encoder: VideoEncoder, tempo: number): string | null {
  if (encoder === 'mpeg1video' || encoder === 'mpeg2video') {
    const off = (rate: string): number => Math.abs(perSecond(rate) - (fps ?? 25))
    return TELEVISION.reduce((best, rate) => (off(rate) < off(best) ? rate : best))
  }
  // Frames that come closer together than before would fall on each other.
  if (tempo !== 1 && fps !== null) return String(Math.min(60, Math.round(fps * 1000) / 1000))
  if (!STEADY.has(encoder)) return null
  if (fps === null) return '25'
  if (fps > ODD_RATE) return '60'
  return vfr ? String(Math.round(fps * 1000) / 1000) : null
}

/** Playing backwards holds every picture in memory; so much a pixel. */
const BYTES: Readonly<Record<string, number>> = { yuv420p: 1.5, yuvj420p: 1.5, yuv420p10le: 3, yuv422p10le: 4 }
const REVERSIBLE = 2 ** 30

function refuseLong({ width, height }: Size, rate: number, seconds: number | null, bytes: number): void {
  const fail = (words: string): Failure => new Failure('processing_failed', words)
  if (seconds === null) throw fail('How long the film lasts cannot be told: video_reverse needs a cut_end.')
  const most = Math.floor(REVERSIBLE / (width * height * bytes) / rate)
  if (seconds > most)
    throw fail(
      `A film of ${width} × ${height} pixels can be played backwards only up to ${most} seconds; this one lasts ${Math.ceil(seconds)}. Cut it with cut_start and cut_end, or make it smaller with video_resolution.`,
    )
}

/** SVT refuses pictures that small. */
const SVT_LEAST = 64

export function planPicture(
  stream: VideoStream,
  wishes: PictureWishes,
  target: Target,
  { mayCopy, mustEncode, burn, tempo, seconds }: Around,
): Copied<VideoStream> | CodedPicture {
  const { encoder } = wishes
  if (encoder === 'copy') return insisted(stream, wishes, target, mustEncode)
  if (mayCopy && !changes(wishes) && !recoded(wishes) && fits(stream, wishes, target)) return { stream, copy: true }
  if (wishes.twoPass && wishes.bitrate === undefined)
    throw new Failure('processing_failed', 'video_two_pass needs a video_bitrate.')
  const { frame } = targetSize(stream, wishes)
  const asked = encoder === 'auto' ? (target.container.video?.encoders[0] ?? 'libx264') : encoder
  const used = asked === 'libsvtav1' && Math.min(frame.width, frame.height) < SVT_LEAST ? 'libaom-av1' : asked
  const cpu = isHardware(used) ? HARDWARE[used].cpu : used
  const deep = stream.hdr && DEEP.has(cpu)
  const rate = wishes.fps ?? stream.fps ?? 25
  if (wishes.reverse) refuseLong(frame, rate, seconds, BYTES[pixelFormatOf(cpu, deep)] ?? 8)
  return {
    stream,
    copy: false,
    encoder: used,
    filters: pictureFilters(stream, wishes, {
      burn,
      tempo,
      encoder: cpu,
      deep,
      steady: steadyRate(stream, cpu, tempo),
    }),
    quality: {
      crf: wishes.crf,
      bitrate: wishes.bitrate,
      speed: wishes.speed,
      pixelRate: frame.width * frame.height * Math.min(60, rate),
    },
    twoPass: wishes.twoPass && used === cpu && TWO_PASS.has(cpu),
    deep,
  }
}
