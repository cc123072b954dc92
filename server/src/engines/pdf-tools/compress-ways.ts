/** What may be asked of a compressed PDF, and the ways of packing that follow from it. Pure. */
import { options, type Values } from '../../catalog/option.ts'
import * as pdf from '../../catalog/vocabulary/pdf.ts'
import type { Packing } from '../ghostscript/args.ts'

export const compressOptions = options({
  pdf_compress_profile: pdf.pdf_compress_profile,
  compress_max_filesize: pdf.pdf_max_filesize,
  pdf_image_dpi: pdf.pdf_image_dpi,
  pdf_image_quality: pdf.pdf_image_quality,
  pdf_grayscale: pdf.pdf_grayscale,
  strip: pdf.pdf_strip,
  pdf_linearize: pdf.pdf_linearize,
  pdf_password: pdf.pdf_password,
})
type Wishes = Values<typeof compressOptions>

/** One way to pack; `null` loses nothing. */
export type Way = Packing | null

const STEPS: readonly (readonly [dpi: number, quality: number])[] = [
  ...([
    [300, 90],
    [300, 80],
    [225, 75],
    [150, 75],
    [150, 60],
    [120, 50],
  ] as const),
  ...([
    [96, 45],
    [72, 40],
    [72, 25],
    [50, 20],
    [36, 12],
    [25, 8],
  ] as const),
]

/** What was asked for, when no size was. */
export function wayOf(wishes: Wishes): Way {
  const { pdf_compress_profile: profile, pdf_image_dpi: dpi, pdf_image_quality: quality, pdf_grayscale: gray } = wishes
  if (profile === 'lossless') return gray ? { profile: 'prepress', gray } : null
  return { profile, dpi, quality, gray }
}

/** From the best to the smallest. What was asked of pictures is the most they get; without loss there is only one way. */
export function ladder(wishes: Wishes): readonly Way[] {
  const { pdf_compress_profile: profile, pdf_image_dpi = 1200, pdf_image_quality = 100, pdf_grayscale: gray } = wishes
  if (profile === 'lossless') return [wayOf(wishes)]
  const steps = STEPS.map(([dpi, quality]) => ({
    profile,
    dpi: Math.min(dpi, pdf_image_dpi),
    quality: Math.min(quality, pdf_image_quality),
    gray,
  }))
  return gray ? steps : [null, ...steps]
}
