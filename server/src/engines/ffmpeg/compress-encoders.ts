/** How an encoder is told a rate it may not exceed, a size it has to reach, and which look at the film this is. Pure. */
import type { Ext } from '../../catalog/formats.ts'
import { HARDWARE, isHardware, passArgs, pixelFormatOf, type Speed, type VideoEncoder, videoArgs } from './encoders.ts'

/** `pass` 0: there is only one. Bits a second, and bits. */
export type Rate = { crf: number; cap?: { rate: number; buffer: number } } | { bitrate: number; pass: 0 | 1 | 2 }

export interface Encode {
  encoder: VideoEncoder
  rate: Rate
  speed: Speed
  /** For old devices. */
  plain: boolean
  /** More than eight bits a colour. */
  deep: boolean
  to: Ext
}

/** What compressing offers; the box shows no graphics card to anybody, so the processor does its work. */
const OFFERED = ['libx264', 'libx265', 'libsvtav1', 'libvpx-vp9'] as const

export function encoderFor(
  asked: string | undefined,
  usual: VideoEncoder,
): { encoder: VideoEncoder; instead: boolean } {
  if (asked === undefined) return { encoder: usual, instead: false }
  if (isHardware(asked)) return { encoder: HARDWARE[asked].cpu, instead: true }
  return { encoder: OFFERED.find((name) => name === asked) ?? usual, instead: false }
}

/** Bits a pixel below which a smaller picture looks better than a blurred one. */
const POOREST: Partial<Record<VideoEncoder, number>> = {
  libx264: 0.02,
  libx265: 0.012,
  libsvtav1: 0.01,
  'libvpx-vp9': 0.014,
}
export const poorest = (encoder: VideoEncoder): number => POOREST[encoder] ?? 0.05

const HOLDS_HVC1: readonly Ext[] = ['mp4', 'm4v', 'mov']
const bits = (value: number): string => String(Math.round(value))

const capped = (encoder: VideoEncoder, crf: number, cap: { rate: number; buffer: number }, speed: Speed): string[] => {
  const limit = ['-maxrate', bits(cap.rate), '-bufsize', bits(cap.buffer)]
  // These know no quality below a limit: the limit is what they aim at.
  if (encoder === 'libsvtav1' || encoder === 'libtheora')
    return [...videoArgs(encoder, { bitrate: cap.rate, speed }), ...limit]
  // VP9 holds a quality below a rate only when it is told the rate so.
  const rate = encoder === 'libvpx-vp9' ? ['-b:v', bits(cap.rate)] : []
  return [...videoArgs(encoder, { crf, speed }), ...rate, ...limit]
}

function rateArgs({ encoder, rate, speed }: Encode): string[] {
  if ('crf' in rate)
    return rate.cap ? capped(encoder, rate.crf, rate.cap, speed) : videoArgs(encoder, { crf: rate.crf, speed })
  return [
    ...videoArgs(encoder, { bitrate: Math.round(rate.bitrate), speed }),
    ...(rate.pass === 0 ? [] : passArgs(encoder, rate.pass)),
  ]
}

/** Apple's players want H.265 under this name. */
export const tagArgs = ({ encoder, to }: Pick<Encode, 'encoder' | 'to'>): string[] =>
  encoder === 'libx265' && HOLDS_HVC1.includes(to) ? ['-tag:v', 'hvc1'] : []

export const encodeArgs = (encode: Encode): string[] => [
  ...rateArgs(encode),
  ...['-pix_fmt', pixelFormatOf(encode.encoder, encode.deep)],
  ...(encode.plain && encode.encoder === 'libx264' ? ['-profile:v', 'baseline'] : []),
]
