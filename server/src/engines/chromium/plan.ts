/** What the browser worker is asked, and what it answers. Types only: both sides of the box read them. */

/** Sides of a sheet and its margins in inches, as the browser counts them. */
export interface Printing {
  as: 'pdf'
  /** `auto`: one page as long as the content; `css`: what the page's own style sheet says, else the sheet given. */
  sheet: { size: 'fixed' | 'auto' | 'css'; width: number; height: number }
  landscape: boolean
  margin: number
  /** How large everything is printed; with a width to lay out, the scale follows from it. */
  scale: number
  layoutWidth: number | null
  background: boolean
  headerFooter: boolean
  bookmarks: boolean
  /** Like 1-3,5; empty for all. */
  range: string
}

export interface Shooting {
  as: 'png' | 'jpeg' | 'webp'
  fullPage: boolean
  transparent: boolean
  quality: number | null
  /** Pixels a side, and in all, that the format and the machine can hold. */
  most: { side: number; pixels: number }
}

export type Source = 'html' | 'xhtml' | 'mhtml'

export interface Plan {
  source: Source
  viewport: { width: number; height: number; scale: number }
  media: 'screen' | 'print'
  javascript: boolean
  /** Milliseconds for the page to load. */
  within: number
  /** Milliseconds to wait after loading. */
  delay: number
  hideCookie: boolean
  output: Printing | Shooting
}

export type ProblemCode =
  | 'endless'
  | 'too-slow'
  | 'too-tall'
  | 'too-long'
  | 'no-such-pages'
  | 'no-room'
  | 'not-a-page'
  | 'crashed'
  | 'failed'

export interface Problem {
  problem: ProblemCode
  figures: Record<string, number>
  /** For the log. */
  detail: string
}
