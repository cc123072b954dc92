/**
 * What the pdf-lib worker is asked and what it answers. Types only, so that nothing of it exists inside the box. Lengths
 * are points, 72 to the inch, unless they say otherwise.
 */

/** Points, or a share of a side. */
export interface Distance {
  amount: number
  unit: 'px' | '%'
}

export interface Size {
  width: number
  height: number
}

/** How a picture lies on its page. */
export interface PageWish {
  /** Standing upright; null makes the page as big as the picture. */
  size: Size | null
  turned: 'portrait' | 'landscape' | 'auto'
  /** Which share of the free room lies left of the picture, and above it. */
  align: [across: number, down: number]
  margin: Distance
  enlarge: boolean
}

/** One picture, its bytes the only input, becomes a document of one page. */
export interface PictureQuestion {
  task: 'picture'
  format: 'jpg' | 'png'
  maxPixels: number
  /** Turns the picture as the camera was held. */
  orient: boolean
  strip: boolean
  page: PageWish
}

/** What a document is like: the input is what qpdf tells of it. */
export interface SurveyQuestion {
  task: 'survey'
}

/** The same of many at once, inputs in order: `pages` is 0 for one that cannot be told, `encrypted` is in the same order. */
export interface SurveysQuestion {
  task: 'surveys'
}

/** Bookmarks for a joined document: inputs are what qpdf tells of it, then of each file with `pages`. */
export interface BookmarksQuestion {
  task: 'bookmarks'
  /** `pages` of the file as they stand in the joined document; null for a file that has nothing but that one page. */
  files: { title: string; pages: number[] | null }[]
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

/** What to keep of a page as it is shown: a box, or the biggest box of a ratio; placed by its corner, or by gravity. */
export interface CropWish {
  x?: Distance
  y?: Distance
  width?: Distance
  height?: Distance
  ratio?: [number, number]
  gravity: Gravity
}

/** New boxes for pages: the input is what qpdf tells of the document. */
export interface CropQuestion {
  task: 'crop'
  /** Counted from 1; null for all. */
  pages: number[] | null
  wish: CropWish
}

/** A list of pages for a document that has none that can be used: the input is what qpdf tells of it. */
export interface MendQuestion {
  task: 'mend'
}

export type Question =
  | PictureQuestion
  | SurveyQuestion
  | SurveysQuestion
  | BookmarksQuestion
  | CropQuestion
  | MendQuestion

/** Why it did not work; problems.ts has the words. */
export type ProblemCode =
  | 'unreadable'
  | 'unsupported'
  | 'too-many-pixels'
  | 'no-room'
  | 'outside'
  | 'no-pages'
  | 'too-complex'
  | 'failed'

export interface Problem {
  problem: ProblemCode
  /** Figures for the message. */
  figures: { [name: string]: number }
  /** For the log. */
  detail: string
}
