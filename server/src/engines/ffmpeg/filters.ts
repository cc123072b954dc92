/** What happens to pictures and sound between decoding and encoding, as ffmpeg's filters. Pure: numbers only, no user text. */
import { pixelFormatOf, type VideoEncoder } from './encoders.ts'
import { shownSize, type VideoStream } from './media.ts'
import type { PictureWishes, SoundWishes } from './wishes.ts'

const number = (value: number): string => String(Number(value.toFixed(6)))
const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2)

export interface Size {
  width: number
  height: number
}

/** As it is shown after turning: what scaling starts from. */
function standing(stream: VideoStream, rotate: number): Size {
  const { width, height } = shownSize(stream)
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width }
}

/** "Even sizes for yuv420p"; pixels become square, since half the players forget that they are not. */
export function targetSize(stream: VideoStream, { size, fit, rotate }: PictureWishes): { picture: Size; frame: Size } {
  const from = standing(stream, rotate)
  if (size === null) return both({ width: even(from.width), height: even(from.height) })
  const wanted = { width: size.width ?? (from.width / from.height) * size.height, height: size.height }
  const frame = { width: even(wanted.width), height: even(wanted.height) }
  if (fit === 'stretch') return both(frame)
  const [across, down] = [frame.width / from.width, frame.height / from.height]
  const scale = fit === 'crop' ? Math.max(across, down) : Math.min(across, down)
  const picture = { width: even(from.width * scale), height: even(from.height * scale) }
  return fit === 'fit' ? both(picture) : { picture, frame }
}
const both = (size: Size): { picture: Size; frame: Size } => ({ picture: size, frame: size })

const TURN: Record<PictureWishes['rotate'], readonly string[]> = {
  0: [],
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
}
const MIRROR: Record<PictureWishes['flip'], readonly string[]> = {
  none: [],
  horizontal: ['hflip'],
  vertical: ['vflip'],
  both: ['hflip', 'vflip'],
}

/** Light beyond what a usual screen shows, brought into its range. */
export const TONE_MAP: readonly string[] = [
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
]

function resized(stream: VideoStream, wishes: PictureWishes): string[] {
  const { picture, frame } = targetSize(stream, wishes)
  const from = standing({ ...stream, pixelAspect: 1 }, wishes.rotate)
  const scaled = picture.width !== from.width || picture.height !== from.height
  const { width, height } = frame
  return [
    ...(scaled ? [`scale=${picture.width}:${picture.height}:flags=bicubic`] : []),
    ...(frame.width > picture.width || frame.height > picture.height ? [`pad=${width}:${height}:-1:-1`] : []),
    ...(frame.width < picture.width || frame.height < picture.height ? [`crop=${width}:${height}`] : []),
    'setsar=1',
  ]
}

export interface Drawn {
  /** Subtitles in the folder of the hop to draw over the picture. */
  burn: string | null
  tempo: number
  /** What frames come at, where the codec cannot do with uneven times. */
  steady: string | null
  encoder: VideoEncoder
  /** Light beyond a usual screen stays. */
  deep: boolean
}

export function pictureFilters(stream: VideoStream, wishes: PictureWishes, drawn: Drawn): string[] {
  const { flip, rotate, fps, aspect, deinterlace, reverse } = wishes
  const rate = fps === undefined ? drawn.steady : number(fps)
  return [
    ...(deinterlace ? ['yadif'] : []),
    ...MIRROR[flip],
    ...TURN[rotate],
    ...(stream.hdr && !drawn.deep ? TONE_MAP : []),
    ...resized(stream, wishes),
    ...(drawn.burn === null ? [] : [`subtitles=filename=${drawn.burn}`]),
    ...(drawn.tempo === 1 ? [] : [`setpts=PTS/${number(drawn.tempo)}`]),
    ...(rate === null ? [] : [`fps=${rate}`]),
    ...(aspect === undefined ? [] : [`setdar=${number(aspect)}`]),
    `format=${pixelFormatOf(drawn.encoder, drawn.deep)}`,
    // Last, where a picture takes the least memory.
    ...(reverse ? ['reverse'] : []),
  ]
}

/** One step changes the speed by no more than two, or it sounds torn. */
function tempoSteps(tempo: number): string[] {
  const steps: string[] = []
  let rest = tempo
  for (; rest > 2; rest /= 2) steps.push('atempo=2')
  for (; rest < 0.5; rest /= 0.5) steps.push('atempo=0.5')
  return rest === 1 ? steps : [...steps, `atempo=${number(rest)}`]
}

/** Sound that begins after the picture or ends before it has to be silent as long where it ends and begins now. */
function backwards(reverse: SoundWishes['reverse'], lasts: number | null): string[] {
  if (reverse === false) return []
  if (reverse === 'sound' || lasts === null) return ['areverse']
  const whole = number(lasts)
  return ['aresample=async=1:first_pts=0', `apad=whole_dur=${whole}`, `atrim=end=${whole}`, 'areverse']
}

/** @param seconds how long the result is, where known: a fade-out must know where to begin */
export function soundFilters(
  { volume, normalize, fadeIn, fadeOut, reverse }: SoundWishes,
  tempo: number,
  seconds: number | null,
): string[] {
  const last = seconds === null ? null : Math.max(0, seconds - fadeOut)
  return [
    ...backwards(reverse, seconds === null ? null : seconds * tempo),
    ...tempoSteps(tempo),
    ...(volume === 1 ? [] : [`volume=${number(volume)}`]),
    ...(normalize ? ['loudnorm=I=-16:TP=-1.5:LRA=11'] : []),
    ...(fadeIn > 0 ? [`afade=t=in:st=0:d=${number(fadeIn)}`] : []),
    ...(fadeOut > 0 && last !== null ? [`afade=t=out:st=${number(last)}:d=${number(fadeOut)}`] : []),
  ]
}
