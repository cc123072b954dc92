/**
 * What the sharp worker is asked: a plan, complete and in sharp's own terms, made by settings.ts from options. Types
 * only, so that nothing of it exists inside the box. The order of the fields is the order of the work.
 */
import type { AvifOptions, GifOptions, JpegOptions, PngOptions, TiffOptions, WebpOptions } from 'sharp'

/** A distance in pixels, or a share of the picture's side. */
export interface Distance {
  amount: number
  unit: 'px' | '%'
}

export type Gravity =
  | 'center'
  | 'top'
  | 'bottom'
  | 'left'
  | 'right'
  | 'top-left'
  | 'top-right'
  | 'bottom-left'
  | 'bottom-right'

export interface Size {
  width: number
  height: number
}

export interface Box extends Size {
  left: number
  top: number
}

/** What to keep of a picture: a box, or the biggest box of a ratio; placed by its corner, or by gravity. */
export interface CropWish {
  x?: Distance
  y?: Distance
  width?: Distance
  height?: Distance
  ratio?: [number, number]
  gravity: Gravity
}

export type Fit = 'max' | 'crop' | 'pad' | 'stretch'

export type ResizeWish =
  | { percent: number }
  | { width?: number; height?: number; fit: Fit; enlarge: boolean; gravity: Gravity }

/**
 * `pnm` is for pixels from another program (PPM, PGM, PAM): the quickest way between two, and no format of ours; `linear`
 * for its floats of light, one plane a colour.
 */
export type Loader = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'svg' | 'heif' | 'pnm' | 'linear'

/** What floats say nothing of: 1 for gray, 3 for colours, 4 with opacity. */
export interface Planes extends Size {
  planes: 1 | 3 | 4
}

/** An encoder and its settings, by sharp's names. */
export type Encoding =
  | { as: 'jpeg'; with: JpegOptions }
  | { as: 'png'; with: PngOptions }
  | { as: 'webp'; with: WebpOptions }
  | { as: 'avif'; with: AvifOptions }
  | { as: 'gif'; with: GifOptions }
  | { as: 'tiff'; with: TiffOptions }
  /** Gray pixels for another program. */
  | { as: 'pgm'; with: Record<never, never> }
  | { as: 'exr'; with: { half: boolean; packed: boolean } }

export type ColourSpace = 'srgb' | 'p3' | 'gray' | 'cmyk'

export interface Effects {
  grayscale: boolean
  /** Sigma; 0 for none. */
  blur: number
  sharpen: number
  /** Factors; 1 leaves as it is. */
  brightness: number
  contrast: number
  saturation: number
  negate: boolean
}

/** "must be met or the task fails saying the smallest reachable size": settings to try, the best first. */
export interface Reach {
  bytes: number
  /** Ways to encode, from the best to the smallest; each is smaller than the one before, as a rule. */
  ladder: Encoding[]
  /** When even the last is too big: the picture may become smaller. */
  shrink: boolean
}

/** The smallest result that still looks like the original. */
export interface Likeness {
  /** Structural similarity, at most 1. */
  least: number
  ladder: Encoding[]
}

export interface Span {
  start: number
  end: number | null
}

export interface Plan {
  /** One picture, or several that become the frames of one animation. */
  inputs: { loader: Loader; name: string; planes?: Planes }[]
  maxPixels: number
  /** Dots per inch at which a drawing is rendered; 72 makes its own size. */
  density: number
  /** A page or frame, counted from 0, or all frames of an animation. */
  page: number | 'all'
  /** Parts of an animation to keep, one after the other, in seconds; null keeps all. */
  spans: Span[] | null
  orient: boolean
  /** Another program has turned it already: what its metadata says of the camera no longer holds. */
  upright: boolean
  crop: CropWish | null
  flip: boolean
  flop: boolean
  /** Degrees clockwise. */
  rotate: number
  resize: ResizeWish | null
  effects: Effects
  /** Fills what rotating and padding leave empty; with alpha. */
  background: string
  /** Puts the background behind transparent parts. */
  flatten: boolean
  keepMetadata: boolean
  /** Null keeps what there is, or what stripping makes of it. */
  space: ColourSpace | null
  /** Bits a channel, where the format has a choice; null keeps them. */
  depth: number | null
  /** Dots per inch to note down; null notes nothing new. */
  dpi: number | null
  encode: Encoding
  /** Milliseconds a frame; null keeps the input's. */
  delay: number | null
  /** Times an animation plays, 0 for ever; null keeps the input's. */
  loop: number | null
  reach: Reach | null
  likeness: Likeness | null
  /** A result that is not smaller than the input is not wanted. */
  onlySmaller: boolean
}

/** What the worker does beside plans: metadata off a picture whose pixels stay, a look at whether a drawing can be drawn,
 * a picture out of an icon (counted from 1, the smallest first; null for the biggest). */
export type Chore = { chore: 'bare'; loader: Loader } | { chore: 'weigh' } | { chore: 'icon'; page: number | null }

/** Why it did not work; problems.ts has the words. */
export type ProblemCode =
  | 'unreadable'
  | 'too-many-pixels'
  | 'result-too-big'
  | 'outside'
  | 'no-such-page'
  | 'mixed-pages'
  | 'nothing-left'
  | 'unreachable'
  | 'too-wide'
  | 'not-animated'
  | 'too-complex'
  | 'failed'

export interface Problem {
  problem: ProblemCode
  /** Which input. */
  input: number
  /** Figures for the message. */
  figures: { [name: string]: number }
  /** The library's own words, for the log. */
  detail: string
}

export interface Done {
  width: number
  height: number
  frames: number
  /** How many pages or frames the input has. */
  pages: number
  /** The input is already as small as this gets: keep it. */
  unchanged: boolean
  /** What reached the wanted size: the step of the ladder, and how much smaller the picture became. */
  reached: { step: number; scale: number } | null
}
