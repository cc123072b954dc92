/** Which options each of sharp's capabilities has: what belongs to every picture, to its source, to its target. */
import { options } from '../../catalog/option.ts'
import * as image from '../../catalog/vocabulary/image.ts'
import { COMPRESSED_QUALITY, USUAL_QUALITY } from './encodings.ts'

const { resize_type_image, image_custom_width, image_custom_height, image_resize_percentage } = image
const { image_longest_side, image_dpi, image_colorspace, image_colorspace_print, image_bit_depth } = image
const { image_resize_fit, image_resize_enlarge, image_rotate, image_flip, image_grayscale, image_negate } = image
const { image_blur, image_sharpen, image_brightness, image_contrast, image_saturation } = image
const {
  strip,
  background,
  background_filled,
  page,
  page_together,
  image_pages,
  svg_density,
  animation_delay,
  animation_loop,
} = image
const { compress_image, compress_image_lossy, compress_max_filesize, compress_allow_resize, compress_quality } = image
const { compress_perceptual } = image

const size = {
  resize_type_image,
  image_custom_width,
  image_custom_height,
  image_longest_side,
  image_resize_percentage,
  image_resize_fit,
  image_resize_enlarge,
}
const carried = { strip, 'auto-orient': image.auto_orient }
const changes = {
  image_rotate,
  image_flip,
  image_grayscale,
  image_negate,
  image_blur,
  image_sharpen,
  image_brightness,
  image_contrast,
  image_saturation,
}
/** Of what has pages or frames, where they cannot stay together. */
const pages = { page: page_together, image_pages }
const times = { animation_delay, animation_loop }

const { jpg_convert_compress_method, jpg_convert_compression_level, jpg_progressive, jpg_chroma_subsampling } = image
const { png_compression_level, png_convert_quality, png_interlace } = image

/** How a format is written. */
const written = {
  jpg: {
    quality: image.quality(USUAL_QUALITY.jpg),
    jpg_convert_compress_method,
    jpg_convert_compression_level,
    jpg_progressive,
    jpg_chroma_subsampling,
    background: background_filled,
    image_colorspace: image_colorspace_print,
    image_dpi,
  },
  png: {
    png_compression_level,
    png_convert_quality,
    png_interlace,
    background,
    image_colorspace,
    image_bit_depth,
    image_dpi,
  },
  webp: {
    quality: image.quality(USUAL_QUALITY.webp),
    webp_lossless: image.webp_lossless,
    webp_effort: image.webp_effort,
    background,
    image_colorspace,
  },
  avif: {
    quality: image.quality(USUAL_QUALITY.avif),
    avif_lossless: image.avif_lossless,
    avif_effort: image.avif_effort,
    background,
    image_colorspace,
    image_bit_depth: image.image_bit_depth_avif,
  },
  gif: { gif_colors: image.gif_colors, gif_dither: image.gif_dither, background },
  tiff: {
    tiff_compression: image.tiff_compression,
    quality: image.quality(USUAL_QUALITY.tiff),
    background,
    image_colorspace: image_colorspace_print,
    image_bit_depth,
    image_dpi,
  },
}

const whole = { ...size, ...carried, ...changes }

/**
 * For formats that another program writes: what sharp does to a picture before it. With a background behind transparent
 * parts where the format has none.
 */
export const before = { background, ...whole }
/** Where the size is said otherwise. */
export const beforeIcon = { background, ...carried, ...changes }
export const beforeOpaque = { background: background_filled, ...whole }
/** For formats that another program has read, already turned as the camera was held. */
const upright = { ...size, strip, ...changes }
export const afterOptions = {
  jpg: options({ page, ...written.jpg, ...upright }),
  png: options({ page, ...written.png, ...upright }),
  webp: options({ page, ...written.webp, ...upright }),
  avif: options({ page, ...written.avif, ...upright }),
} as const
/** And where there is but one picture. */
export const afterStillOptions = {
  jpg: options({ ...written.jpg, ...upright }),
  png: options({ ...written.png, ...upright }),
  webp: options({ ...written.webp, ...upright }),
  tiff: options({ ...written.tiff, ...upright }),
} as const

/** To each format: from a plain picture, from one with pages or frames, from one that moves, from a drawing. */
export const convertOptions = {
  jpg: {
    still: options({ ...written.jpg, ...whole }),
    paged: options({ ...pages, ...written.jpg, ...whole }),
    drawn: options({ svg_density, ...written.jpg, ...whole }),
  },
  png: {
    still: options({ ...written.png, ...whole }),
    paged: options({ ...pages, ...written.png, ...whole }),
    drawn: options({ svg_density, ...written.png, ...whole }),
  },
  avif: {
    still: options({ ...written.avif, ...whole }),
    paged: options({ ...pages, ...written.avif, ...whole }),
    drawn: options({ svg_density, ...written.avif, ...whole }),
  },
  tiff: {
    still: options({ ...written.tiff, ...whole }),
    paged: options({ ...pages, ...written.tiff, ...whole }),
    drawn: options({ svg_density, ...written.tiff, ...whole }),
  },
  webp: {
    still: options({ ...written.webp, ...whole }),
    paged: options({ ...pages, ...written.webp, ...whole }),
    moving: options({ page, ...times, ...written.webp, ...whole }),
    drawn: options({ svg_density, ...written.webp, ...whole }),
  },
  gif: {
    still: options({ ...written.gif, ...whole }),
    paged: options({ ...pages, ...written.gif, ...whole }),
    moving: options({ page, ...times, ...written.gif, ...whole }),
    drawn: options({ svg_density, ...written.gif, ...whole }),
  },
} as const

const toSize = { compress_max_filesize, compress_allow_resize }
/** What may happen to a picture while it is compressed. */
const smaller = { ...size, ...carried, image_grayscale }
/** And where another program has turned it already. */
export const smallerUpright = { ...size, strip, image_grayscale }

export const compressOptions = {
  jpg: options({
    compress_image: compress_image_lossy,
    quality: compress_quality(COMPRESSED_QUALITY.jpg),
    compress_perceptual,
    ...toSize,
    jpg_progressive: image.jpg_progressive_small,
    jpg_chroma_subsampling,
    ...smaller,
  }),
  png: options({
    compress_image,
    quality: compress_quality(COMPRESSED_QUALITY.png, 'From 1, few colours, to 99, many; 100 keeps every pixel.'),
    ...toSize,
    png_interlace,
    ...smaller,
  }),
  webp: options({
    compress_image,
    quality: compress_quality(COMPRESSED_QUALITY.webp),
    compress_perceptual,
    ...toSize,
    ...smaller,
  }),
  avif: options({
    compress_image,
    quality: compress_quality(COMPRESSED_QUALITY.avif),
    compress_perceptual,
    ...toSize,
    ...smaller,
  }),
  gif: options({ compress_image, quality: compress_quality(COMPRESSED_QUALITY.gif), ...toSize, ...smaller }),
  tiff: options({ compress_image, quality: compress_quality(COMPRESSED_QUALITY.tiff), page, ...toSize, ...smaller }),
} as const

const { x, y, width, height, aspect_ratio, gravity } = image
const part = { x, y, width, height, aspect_ratio, gravity, ...carried }

export const cropOptions = {
  jpg: options({ ...part, ...written.jpg }),
  png: options({ ...part, ...written.png }),
  webp: options({ ...part, ...written.webp }),
  avif: options({ ...part, ...written.avif }),
  gif: options({ ...part, ...written.gif }),
  tiff: options({ ...part, page, ...written.tiff }),
} as const

const { start, end, duration, ranges } = image

export const trimOptions = {
  gif: options({ start, end, duration, ranges, ...times, ...written.gif }),
  webp: options({ start, end, duration, ranges, ...times, ...written.webp }),
} as const

export const mergeOptions = {
  gif: options({ ...times, ...size, ...written.gif, 'auto-orient': image.auto_orient }),
  webp: options({ ...times, ...size, ...written.webp, 'auto-orient': image.auto_orient }),
} as const
