/** What ffmpeg is told about pictures, and what it says of them. Pure. Every input has its format before it. */
import { MAX_PIXELS } from '../sharp/settings.ts'

const QUIET = ['-hide_banner', '-nostdin', '-v', 'error', '-threads', '2', '-protocol_whitelist', 'file'] as const
const ONE = ['-frames:v', '1', '-update', '1'] as const

/** What ffmpeg calls the formats it reads here. A sequence of pictures is a film. */
export const DEMUXERS = { qoi: 'qoi_pipe', dds: 'dds_pipe', bmp: 'bmp_pipe', avif: 'mov', heic: 'mov' } as const
export type Pictured = keyof typeof DEMUXERS

/** The first picture. What is damaged is refused, not guessed. */
export const readArgs = (from: Pictured, input: string): string[] => [
  ...[...QUIET, '-xerror', '-err_detect', 'explode', '-max_pixels', String(MAX_PIXELS), '-f', DEMUXERS[from]],
  ...['-i', input, ...ONE, '-c:v', 'png', '-compression_level', '0', '-f', 'image2', 'step.png'],
]

export const qoiWriteArgs = (input: string): string[] => [
  ...[...QUIET, '-f', 'png_pipe', '-i', input, ...ONE, '-c:v', 'qoi', '-f', 'image2', 'out.qoi'],
]

export const lookArgs = (input: string): string[] => [
  ...['-v', 'error', '-protocol_whitelist', 'file', '-f', 'exr_pipe', '-select_streams', 'v:0'],
  ...['-show_entries', 'stream=width,height,pix_fmt', '-of', 'default=noprint_wrappers=1', input],
]

const PLANES = { grayf32le: 1, gbrpf32le: 3, gbrapf32le: 4 } as const
const FORMATS = { 1: 'grayf32le', 3: 'gbrpf32le', 4: 'gbrapf32le' } as const
const isFloat = (format: string): format is keyof typeof PLANES => Object.hasOwn(PLANES, format)

/** The size, and the planes it has as they are; whatever else it may be becomes four of them. */
export function readLook(words: string): { width: number; height: number; planes: 1 | 3 | 4 } | null {
  const figure = (name: string): string => new RegExp(`^${name}=(\\w+)$`, 'm').exec(words)?.[1] ?? ''
  const [width, height, format] = [Number(figure('width')), Number(figure('height')), figure('pix_fmt')]
  if (!(width > 0 && height > 0)) return null
  return { width, height, planes: isFloat(format) ? PLANES[format] : 4 }
}

export const exrArgs = (input: string, planes: 1 | 3 | 4): string[] => [
  ...[...QUIET, '-f', 'exr_pipe', '-i', input, '-frames:v', '1'],
  ...['-pix_fmt', FORMATS[planes], '-f', 'rawvideo', 'step.raw'],
]
