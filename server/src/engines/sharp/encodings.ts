/** How each format is written, for a conversion and for compressing. Pure; the figures behind the choices are beside them. */
import type { Encoding } from './plan.ts'
import type { Wishes } from './wishes.ts'

export const TARGETS = ['jpg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const
export type Target = (typeof TARGETS)[number]

/** What a picture is written with when nobody says: hard to tell from the original, at a decent size. */
export const USUAL_QUALITY = { jpg: 85, webp: 80, avif: 60, tiff: 85 } as const
/** And when the point is to be small. */
export const COMPRESSED_QUALITY = { jpg: 75, png: 100, webp: 70, avif: 50, gif: 75, tiff: 75 } as const

type Encoder = (wishes: Wishes, quality?: number) => Encoding

const jpg: Encoder = (wishes, quality = jpgQuality(wishes)) => {
  const chroma = wishes.jpg_chroma_subsampling ?? 'auto'
  const chromaSubsampling = chroma === 'auto' ? (quality >= 90 ? '4:4:4' : '4:2:0') : chroma
  return { as: 'jpeg', with: { quality, progressive: wishes.jpg_progressive ?? false, chromaSubsampling } }
}

/** The level is what ImageMagick calls by that name, a quality; callers send it alone as well. */
function jpgQuality(wishes: Wishes): number {
  if (wishes.jpg_convert_compress_method === 'no_change') return wishes.quality ?? USUAL_QUALITY.jpg
  return wishes.jpg_convert_compression_level ?? wishes.quality ?? USUAL_QUALITY.jpg
}

/** A third smaller than without filters, in twice the time (2.3 MB in 0.3 s against 3.5 MB in 0.17 s for 1.7 megapixels). */
const losslessPng = (wishes: Wishes, compressionLevel: number): Encoding => ({
  as: 'png',
  with: { compressionLevel, adaptiveFiltering: true, progressive: wishes.png_interlace ?? false, palette: false },
})

/**
 * Sharp's palettes have 256, 16, 4 or 2 colours, and dithering costs as much as colours do, so a quality is a step of
 * this ladder.
 */
const PALETTES: readonly { from: number; colours: number; dither: number }[] = [
  { from: 90, colours: 256, dither: 1 },
  { from: 75, colours: 256, dither: 0.5 },
  { from: 50, colours: 256, dither: 0 },
  { from: 35, colours: 16, dither: 1 },
  { from: 20, colours: 16, dither: 0 },
  { from: 10, colours: 4, dither: 0 },
  { from: 0, colours: 2, dither: 0 },
]

const palettePng = (wishes: Wishes, quality: number): Encoding => {
  const { colours, dither } = PALETTES.find(({ from }) => quality >= from) ?? { colours: 256, dither: 1 }
  // Effort 7 makes it a sixth smaller in five times the time.
  const shared = { palette: true, effort: 4, compressionLevel: 9, progressive: wishes.png_interlace ?? false }
  return { as: 'png', with: { ...shared, colours, dither } }
}

const png: Encoder = (wishes) => {
  const level = wishes.png_compression_level ?? (wishes.png_convert_quality === undefined ? 'lossless' : 'lossy')
  if (level === 'lossless') return losslessPng(wishes, 6)
  return palettePng(wishes, wishes.png_convert_quality ?? (level === 'light' ? 90 : 60))
}

const webp: Encoder = (wishes, quality = wishes.quality ?? USUAL_QUALITY.webp) => {
  const lossless = wishes.webp_lossless ?? false
  return { as: 'webp', with: { quality, lossless, effort: wishes.webp_effort ?? 4 } }
}

/** Effort 1 writes 1.7 megapixels in 0.6 s; 3 takes 2 s and saves a seventh; 4 takes 12 s and saves hardly more. */
const avif: Encoder = (wishes, quality = wishes.quality ?? USUAL_QUALITY.avif) => {
  const lossless = wishes.avif_lossless ?? false
  const { image_bit_depth: bits } = wishes
  const bitdepth = bits === '10' ? 10 : bits === '12' ? 12 : 8
  return { as: 'avif', with: { quality, lossless, effort: wishes.avif_effort ?? 1, bitdepth } }
}

/** Up to effort 4 it takes half the time of more (8 s against 15 s for 12 megapixels), for a tenth more bytes. */
const gif: Encoder = (wishes) => {
  const [colours, dither] = [Number(wishes.gif_colors ?? 256), (wishes.gif_dither ?? 100) / 100]
  // A palette taken over from the input has its own idea of both.
  const own = colours < 256 || dither < 1
  return { as: 'gif', with: { effort: 4, colours, dither, ...(own && { reuse: false }) } }
}

const tiff: Encoder = (wishes, quality = wishes.quality ?? USUAL_QUALITY.tiff) => {
  const compression = wishes.tiff_compression ?? 'deflate'
  const predictor = compression === 'deflate' || compression === 'lzw' ? 'horizontal' : 'none'
  return { as: 'tiff', with: { compression, predictor, quality } }
}

const ENCODERS = { jpg, png, webp, avif, gif, tiff } satisfies Record<Target, Encoder>

export const encodingOf = (to: Target, wishes: Wishes): Encoding => ENCODERS[to](wishes)

const QUALITIES = [95, 90, 85, 80, 75, 70, 65, 60, 55, 50, 45, 40, 35, 30, 25, 20, 15, 10, 5, 1]

/** Slower encoders, for they are asked to be small. */
function small(to: Target, wishes: Wishes, quality: number): Encoding {
  const made = ENCODERS[to](wishes, quality)
  // What mozjpeg does, which with it is always progressive.
  const thorough = { trellisQuantisation: true, overshootDeringing: true, quantisationTable: 3 }
  if (made.as === 'jpeg')
    return { as: 'jpeg', with: { ...made.with, ...(made.with.progressive ? { mozjpeg: true } : thorough) } }
  if (made.as === 'avif') return { as: 'avif', with: { ...made.with, effort: wishes.avif_effort ?? 2 } }
  if (made.as === 'tiff') return { as: 'tiff', with: { ...made.with, compression: 'jpeg', predictor: 'none' } }
  return made
}

const gifSteps = (wishes: Wishes): Encoding[] => {
  const step = (colours: number, dither: number, interFrameMaxError: number): Encoding => ({
    as: 'gif',
    with: { ...(gif(wishes).with as object), colours, dither, interFrameMaxError },
  })
  return [
    step(256, 1, 0),
    step(256, 0, 0),
    step(256, 0, 8),
    step(256, 0, 24),
    step(16, 0, 24),
    step(4, 0, 32),
    step(2, 0, 32),
  ]
}

const losslessOf = (to: Target, wishes: Wishes): Encoding => {
  if (to === 'webp') return { as: 'webp', with: { lossless: true, effort: wishes.webp_effort ?? 6 } }
  if (to === 'avif') return { as: 'avif', with: { lossless: true, effort: wishes.avif_effort ?? 2 } }
  if (to === 'tiff') return { as: 'tiff', with: { compression: 'deflate', predictor: 'horizontal' } }
  if (to === 'gif') return { as: 'gif', with: { effort: 10, dither: 0, reuse: true } }
  return losslessPng(wishes, 9)
}

/** How to compress when no size is asked for, and the ladder down to a size. */
export function compressions(to: Target, wishes: Wishes): { usual: Encoding; ladder: Encoding[] } {
  const lossless = losslessOf(to, wishes)
  const asked = wishes.compress_image === 'lossless'
  if (to === 'png') {
    const quality = wishes.quality ?? COMPRESSED_QUALITY.png
    const ladder = [lossless, ...PALETTES.map(({ from }) => palettePng(wishes, from))]
    return { usual: asked || quality === 100 ? lossless : palettePng(wishes, quality), ladder }
  }
  if (to === 'gif') return { usual: asked ? lossless : gifOf(wishes), ladder: gifSteps(wishes) }
  const ladder = QUALITIES.map((each) => small(to, wishes, each))
  const usual = asked && to !== 'jpg' ? lossless : small(to, wishes, wishes.quality ?? COMPRESSED_QUALITY[to])
  return { usual, ladder: to === 'tiff' ? [lossless, ...ladder] : ladder }
}

/** A quality of a GIF is fewer colours and frames that may differ a little from what they were. */
function gifOf(wishes: Wishes): Encoding {
  const steps = gifSteps(wishes)
  const quality = wishes.quality ?? COMPRESSED_QUALITY.gif
  return steps[Math.min(steps.length - 1, Math.floor(((100 - quality) / 100) * steps.length))] ?? gif(wishes)
}
