/** Options of pictures, shared by every engine that makes or changes them. Values mean the same wherever a name is used. */
import { option } from '../option.ts'

// Size

export const resize_type_image = option.choice(
  { keep_original: 'Keep original', dimension: 'By dimensions', percentage: 'By percentage' },
  { label: 'Resize', hint: 'How the size of the picture is given. Without it, whichever size is given counts.' },
)

export const image_custom_width = option.integer({
  label: 'Width',
  hint: 'Width of the result. With no height, the height follows.',
  units: 'px',
  min: 1,
  max: 65_535,
  agrees: { resize_type_image: ['dimension'] },
})

export const image_custom_height = option.integer({
  label: 'Height',
  hint: 'Height of the result. With no width, the width follows.',
  units: 'px',
  min: 1,
  max: 65_535,
  agrees: { resize_type_image: ['dimension'] },
})

export const image_longest_side = option.integer({
  label: 'Longest side',
  hint: 'Length of the longer side of the result, where neither width nor height is given. The other follows.',
  units: 'px',
  min: 1,
  max: 65_535,
  agrees: { resize_type_image: ['dimension'] },
})

export const image_resize_percentage = option.number({
  label: 'Percentage',
  hint: 'Size of the result in percent of the original.',
  units: '%',
  min: 0.1,
  max: 1000,
  agrees: { resize_type_image: ['percentage'] },
})

export const image_resize_fit = option.choice(
  {
    max: 'Fit within, keep the proportions',
    crop: 'Fill, cut off what is over',
    pad: 'Fit within, fill up with the background',
    stretch: 'Stretch',
  },
  { label: 'Fit', hint: 'What happens when both width and height are given.', default: 'max', more: true },
)

export const image_resize_enlarge = option.boolean({
  label: 'Enlarge',
  hint: 'Small pictures are enlarged to the size asked for.',
  default: true,
  more: true,
})

// What is carried over

export const background = option.color({
  hint: 'Colour behind transparent parts, and of what padding and rotating add.',
})

/** For formats that have no transparency. */
export const background_filled = option.color({ ...background, default: '#ffffff' })

export const strip = option.boolean({
  label: 'Remove metadata',
  hint: 'Removes EXIF, XMP and the like, places and dates included. Colours are converted to sRGB.',
  default: true,
  neutral: false,
})

export const auto_orient = option.boolean({
  label: 'Orient',
  hint: 'Turns the picture as the camera was held.',
  default: true,
  neutral: false,
})

export const image_dpi = option.number({
  label: 'Resolution',
  hint: 'Dots per inch that printers and layout programs are told. The pixels stay as they are.',
  units: 'dpi',
  min: 1,
  max: 10_000,
  more: true,
})

const SPACES = { srgb: 'sRGB', p3: 'Display P3', gray: 'Gray', cmyk: 'CMYK' } as const
const space = { label: 'Colour space', hint: 'Colours are converted to it. Without it, to sRGB.', more: true } as const
export const image_colorspace = option.choice({ srgb: SPACES.srgb, p3: SPACES.p3, gray: SPACES.gray }, space)
/** For formats that printers take. */
export const image_colorspace_print = option.choice(SPACES, space)

const depth = { label: 'Bit depth', hint: 'Bits of each colour. Without it, those of the original where possible.' }
export const image_bit_depth = option.choice({ '8': '8', '16': '16' }, { ...depth, more: true })
export const image_bit_depth_avif = option.choice(
  { '8': '8', '10': '10', '12': '12' },
  { label: 'Bit depth', hint: 'Bits of each colour.', default: '8', more: true },
)

// Changes

export const image_rotate = option.number({
  label: 'Rotate',
  hint: 'Degrees clockwise.',
  units: '°',
  min: -360,
  max: 360,
  default: 0,
  more: true,
})

export const image_flip = option.choice(
  { none: 'No', horizontal: 'Left to right', vertical: 'Upside down', both: 'Both' },
  { label: 'Mirror', hint: 'Mirrors the picture, before it is rotated.', default: 'none', more: true },
)

export const image_grayscale = option.boolean({ label: 'Grayscale', hint: 'Takes the colours away.', default: false })
export const image_negate = option.boolean({
  label: 'Negative',
  hint: 'Inverts the colours.',
  default: false,
  more: true,
})

export const image_blur = option.number({
  label: 'Blur',
  hint: 'Radius of the blur; 0 for none.',
  units: 'px',
  min: 0,
  max: 100,
  default: 0,
  more: true,
})

export const image_sharpen = option.number({
  label: 'Sharpen',
  hint: 'Radius of the sharpening; 0 for none.',
  units: 'px',
  min: 0,
  max: 10,
  default: 0,
  more: true,
})

const percentage = (label: string, hint: string) =>
  option.number({ label, hint, units: '%', min: 0, max: 400, default: 100, more: true })

export const image_brightness = percentage('Brightness', 'Brightness in percent of the original.')
export const image_contrast = percentage('Contrast', 'Contrast in percent of the original.')
export const image_saturation = percentage('Saturation', 'Strength of the colours in percent of the original.')

// Pages, frames, drawings

export const page = option.integer({
  label: 'Page',
  hint: 'The page or frame to take, counted from 1. Without it, the first, or all frames where the result can move.',
  min: 1,
  max: 100_000,
})

export const image_pages = option.choice(
  { together: 'One file', separate: 'A file for each' },
  {
    label: 'Pages',
    hint: 'Whether every page or frame becomes a file of its own. One file has the first of them, or all where it can.',
    default: 'together',
  },
)

/** Where it may be asked for all of them, each by itself. */
export const page_together = option.integer({ ...page, agrees: { image_pages: ['together'] } })

export const svg_density = option.number({
  label: 'Density',
  hint: 'Dots per inch at which the drawing is rendered; 96 gives its own size.',
  units: 'dpi',
  min: 1,
  max: 2400,
  default: 96,
})

export const animation_delay = option.integer({
  label: 'Delay',
  hint: 'How long each frame is shown.',
  units: 'ms',
  min: 20,
  max: 60_000,
})

export const animation_loop = option.integer({
  label: 'Repeat',
  hint: 'How often the animation plays; 0 for ever.',
  min: 0,
  max: 65_535,
})

// Formats

/** The same name for every format; each has its own usual value. On the way to a compression nothing is lost before it. */
export const quality = (usual: number) =>
  option.integer({ hint: 'From 1, small, to 100, best.', min: 1, max: 100, default: usual, neutral: 100 })

export const jpg_convert_compress_method = option.choice(
  { no_change: 'As usual', quality: 'By quality' },
  { label: 'Compression', hint: 'Whether the quality is chosen here.', more: true },
)

export const jpg_convert_compression_level = option.integer({
  label: 'Compression level',
  hint: 'Quality of the JPEG: from 1, small, to 100, best.',
  min: 1,
  max: 100,
  agrees: { jpg_convert_compress_method: ['quality'] },
  // `quality` says the same.
  more: true,
})

export const jpg_progressive = option.boolean({
  label: 'Progressive',
  hint: 'Shows a coarse picture first while it loads.',
  default: false,
  more: true,
})

/** And is a little smaller, too. */
export const jpg_progressive_small = option.boolean({ ...jpg_progressive, default: true })

export const jpg_chroma_subsampling = option.choice(
  { auto: 'By quality', '4:2:0': 'Smaller', '4:4:4': 'Sharper colours' },
  { label: 'Colour detail', hint: 'How finely colours are kept.', default: 'auto', more: true },
)

export const png_compression_level = option.choice(
  { lossless: 'Lossless', light: 'Light', lossy: 'Lossy' },
  { label: 'Compression', hint: 'Whether the number of colours may be reduced to save space.' },
)

export const png_convert_quality = option.integer({
  label: 'Quality',
  hint: 'From 1, few colours, to 100, most.',
  min: 1,
  max: 100,
  agrees: { png_compression_level: ['light', 'lossy'] },
})

export const png_interlace = option.boolean({
  label: 'Interlaced',
  hint: 'Shows a coarse picture first while it loads.',
  default: false,
  more: true,
})

const lossless = option.boolean({ label: 'Lossless', hint: 'Keeps every pixel as it is.', default: false })
export const webp_lossless = lossless
export const avif_lossless = lossless

export const webp_effort = option.integer({
  label: 'Effort',
  hint: 'From 0, quick, to 6, small.',
  min: 0,
  max: 6,
  default: 4,
  more: true,
})

export const avif_effort = option.integer({
  label: 'Effort',
  hint: 'From 0, quick, to 6, small and very slow.',
  min: 0,
  max: 6,
  default: 1,
  more: true,
})

export const tiff_compression = option.choice(
  { none: 'None', lzw: 'LZW', deflate: 'Deflate', packbits: 'PackBits', jpeg: 'JPEG', webp: 'WebP' },
  { label: 'Compression', hint: 'How the pixels are packed; JPEG and WebP lose some detail.', default: 'deflate' },
)

export const gif_colors = option.choice(
  { '256': '256', '16': '16', '4': '4', '2': '2' },
  { label: 'Colours', hint: 'How many colours a frame may have.', default: '256' },
)

export const gif_dither = option.integer({
  label: 'Dithering',
  hint: 'How far missing colours are imitated by patterns.',
  units: '%',
  min: 0,
  max: 100,
  default: 100,
  more: true,
})

// Compressing

export const compress_image = option.choice(
  { by_quality: 'By quality', by_size: 'To a size', lossless: 'Without loss' },
  { label: 'Method', hint: 'Without it, the size counts where one is given, else the quality.' },
)

/** For formats that cannot be packed any better without loss. */
export const compress_image_lossy = option.choice(
  { by_quality: 'By quality', by_size: 'To a size' },
  { label: 'Method', hint: 'Without it, the size counts where one is given, else the quality.' },
)

export const compress_max_filesize = option.size({
  label: 'Largest size',
  hint: 'The result is not bigger than this, or the task fails and tells the smallest reachable size.',
  units: 'KB',
  unit: 'KB',
  min: 100,
  agrees: { compress_image: ['by_size'] },
})

export const compress_perceptual = option.number({
  label: 'Likeness',
  hint: 'Instead of a quality: how like the original it must look, up to 1. The smallest result that does is taken; at 0.98 a difference hardly shows.',
  min: 0.5,
  max: 1,
  agrees: { compress_image: ['by_quality'] },
})

export const compress_allow_resize = option.boolean({
  label: 'May become smaller',
  hint: 'Where quality alone does not reach the size, the picture loses pixels.',
  default: false,
})

export const compress_quality = (usual: number, hint = 'From 1, small, to 100, best.') =>
  option.integer({ hint, min: 1, max: 100, default: usual, agrees: { compress_image: ['by_quality'] } })

// Crop

const place = (label: string, hint: string) => option.length({ label, hint, min: 0, max: 1_000_000 })
export const x = place('Left', 'Where the crop begins, from the left: pixels, or percent of the width.')
export const y = place('Top', 'Where the crop begins, from the top: pixels, or percent of the height.')
export const width = place('Width', 'Width of the crop: pixels, or percent. Without it, all that is left.')
export const height = place('Height', 'Height of the crop: pixels, or percent. Without it, all that is left.')

export const aspect_ratio = option.string({
  label: 'Aspect ratio',
  hint: 'The biggest part of the picture with these proportions is kept.',
  pattern: /[1-9]\d{0,4}(\.\d{1,4})?:[1-9]\d{0,4}(\.\d{1,4})?/,
  expects: 'proportions like 16:9',
  maxLength: 24,
})

export const gravity = option.choice(
  {
    center: 'Centre',
    top: 'Top',
    bottom: 'Bottom',
    left: 'Left',
    right: 'Right',
    'top-left': 'Top left',
    'top-right': 'Top right',
    'bottom-left': 'Bottom left',
    'bottom-right': 'Bottom right',
  },
  { label: 'Position', hint: 'Which part is kept where neither x nor y is given.', default: 'center' },
)

// Trim

export const start = option.time({ hint: 'Where the part to keep begins.', default: 0, min: 0 })
export const end = option.time({ hint: 'Where the part to keep ends. Without it, at the end.', min: 0.01 })
export const duration = option.time({ hint: 'How long the part to keep is, where no end is given.', min: 0.01 })

const TIME = String.raw`\d{1,6}(?::\d{1,2}){0,2}(?:\.\d{1,6})?`
const RANGE = `${TIME}\\s*-\\s*(?:${TIME})?`

export const ranges = option.string({
  label: 'Parts',
  hint: 'Several parts to keep, joined in this order, instead of start and end: 0-5, 00:01:00-00:01:10, 90-',
  pattern: new RegExp(`\\s*${RANGE}(?:\\s*,\\s*${RANGE})*\\s*`),
  expects: 'times like 0-5, 00:01:00-00:01:10, 90-',
  maxLength: 2000,
})
