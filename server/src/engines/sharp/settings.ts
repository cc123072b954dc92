/** From options to the worker's plan. Pure: it knows option names and what sharp can do, and touches no file. */
import { timeParts } from '../kit/time-parts.ts'
import { compressions, encodingOf, type Target } from './encodings.ts'
import type { CropWish, Effects, Encoding, Loader, Plan, Reach, ResizeWish } from './plan.ts'
import type { Wishes } from './wishes.ts'

const LOADER = {
  jpg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tiff',
  svg: 'svg',
  svgz: 'svg',
  avif: 'heif',
} as const
export type Source = keyof typeof LOADER
/** What reads a format inside the worker; null where nothing does. */
export const loaderOf = (ext: string): Loader | null => (isSource(ext) ? LOADER[ext] : ext === 'heic' ? 'heif' : null)
export const isSource = (ext: string): ext is Source => Object.hasOwn(LOADER, ext)

/** Frames (or pages) survive only between formats that hold them in the same sense. */
const MOVING: readonly string[] = ['gif', 'webp']
const keepsFrames = (from: Source, to: Target): boolean =>
  (MOVING.includes(from) && MOVING.includes(to)) || (from === 'tiff' && to === 'tiff')

/** 16384 pixels square: more than any camera has, and what one worker's memory holds. */
export const MAX_PIXELS = 2 ** 28

export interface Ask {
  from: readonly { format: Source; name: string }[]
  to: Target
  wishes: Wishes
}

export function resizeWish(wishes: Wishes): ResizeWish | null {
  if (wishes.resize_type_image === 'keep_original') return null
  const { image_custom_width: width, image_custom_height: height, image_resize_percentage: percent } = wishes
  const side = wishes.image_longest_side
  const shared = { enlarge: wishes.image_resize_enlarge ?? true, gravity: 'center' } as const
  if (width !== undefined || height !== undefined)
    return { width, height, fit: wishes.image_resize_fit ?? 'max', ...shared }
  if (side !== undefined) return { width: side, height: side, fit: 'max', ...shared }
  return percent === undefined || percent === 100 ? null : { percent }
}

const effectsOf = (wishes: Wishes): Effects => ({
  grayscale: (wishes.image_grayscale ?? false) || wishes.image_colorspace === 'gray',
  negate: wishes.image_negate ?? false,
  blur: wishes.image_blur ?? 0,
  sharpen: wishes.image_sharpen ?? 0,
  brightness: (wishes.image_brightness ?? 100) / 100,
  contrast: (wishes.image_contrast ?? 100) / 100,
  saturation: (wishes.image_saturation ?? 100) / 100,
})

/** What all operations share. A background that was given also goes behind transparent parts; a JPEG always needs one. */
function plan({ from, to, wishes }: Ask, encode: Encoding): Plan {
  const flip = wishes.image_flip ?? 'none'
  const still = wishes.page !== undefined || !from.every(({ format }) => keepsFrames(format, to))
  return {
    inputs: from.map(({ format, name }) => ({ loader: LOADER[format], name })),
    maxPixels: MAX_PIXELS,
    // Sharp counts 72 where style sheets count 96 for the drawing’s own size.
    density: ((wishes.svg_density ?? 96) * 72) / 96,
    page: still ? (wishes.page ?? 1) - 1 : 'all',
    spans: null,
    orient: wishes['auto-orient'] ?? true,
    upright: false,
    crop: null,
    flip: flip === 'vertical' || flip === 'both',
    flop: flip === 'horizontal' || flip === 'both',
    rotate: (((wishes.image_rotate ?? 0) % 360) + 360) % 360,
    resize: resizeWish(wishes),
    effects: effectsOf(wishes),
    background: wishes.background ?? (to === 'jpg' ? '#ffffff' : '#00000000'),
    flatten: to === 'jpg' || wishes.background !== undefined,
    keepMetadata: !(wishes.strip ?? true),
    space: wishes.image_colorspace ?? null,
    depth: wishes.image_bit_depth === undefined ? null : Number(wishes.image_bit_depth),
    dpi: wishes.image_dpi ?? null,
    encode,
    delay: wishes.animation_delay ?? null,
    loop: wishes.animation_loop ?? null,
    reach: null,
    likeness: null,
    onlySmaller: false,
  }
}

export const convertPlan = (ask: Ask): Plan => plan(ask, encodingOf(ask.to, ask.wishes))

/** Several pictures, or animations, one after the other. */
export const mergePlan = (ask: Ask): Plan => ({ ...convertPlan(ask), page: 'all', keepMetadata: false })

export function cropPlan(ask: Ask): Plan {
  const { x, y, width, height, aspect_ratio, gravity = 'center' } = ask.wishes
  const crop: CropWish = { x, y, width, height, gravity }
  const [across, down] = aspect_ratio?.split(':').map(Number) ?? []
  return { ...convertPlan(ask), crop: across && down ? { ...crop, ratio: [across, down] } : crop }
}

export function trimPlan(ask: Ask): Plan {
  const { start = 0, end, duration, ranges } = ask.wishes
  return { ...convertPlan(ask), spans: timeParts({ start, end, duration, ranges }) }
}

/** Whether the picture itself is to become another one, so that the input cannot stand for the result. */
export const changesPicture = ({ resize, effects, rotate, flip, flop, flatten, page }: Plan): boolean =>
  resize !== null ||
  rotate !== 0 ||
  flip ||
  flop ||
  flatten ||
  (typeof page === 'number' && page > 0) ||
  JSON.stringify(effects) !== JSON.stringify(effectsOf({}))

export function compressPlan(ask: Ask): Plan {
  const { wishes, to } = ask
  const bytes = wishes.compress_max_filesize
  const ways = compressions(to, wishes)
  const base = plan(ask, ways.usual)
  // A JPEG has nothing transparent; without a background given nothing of it is changed by flattening.
  const unchanged = !changesPicture({ ...base, flatten: wishes.background !== undefined && to !== 'jpg' })
  const reach: Reach | null =
    bytes === undefined ? null : { bytes, ladder: ways.ladder, shrink: wishes.compress_allow_resize ?? false }
  const least = reach ? undefined : wishes.compress_perceptual
  const likeness = least === undefined ? null : { least, ladder: ways.ladder }
  return { ...base, reach, likeness, onlySmaller: unchanged }
}
