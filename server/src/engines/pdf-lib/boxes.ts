/** How big a page is, by what it says of itself and what it belongs to, inside the box. */
import { type Dict, isDict, isReference, type Told, type Value } from './told.ts'

const DEEPEST = 64

/** Lower left and upper right corner, in the page's own units. */
export type Corners = [left: number, bottom: number, right: number, top: number]

/** What readers assume of a page that does not say. */
const LETTER: Corners = [0, 0, 612, 792]

/** What stands in a page or, where it may, in what it belongs to. */
export function inherited(told: Told, page: Dict, key: string): Value | undefined {
  let dict: Value | undefined = page
  for (let depth = 0; isDict(dict) && depth < DEEPEST; depth++) {
    const value = resolved(told, dict[key])
    if (value !== undefined && value !== null) return value
    dict = resolved(told, dict['/Parent'])
  }
  return undefined
}

export const resolved = (told: Told, value: Value | undefined): Value | undefined =>
  isReference(value) ? told.object(value) : value

function readCorners(told: Told, value: Value | undefined): Corners | null {
  if (!Array.isArray(value)) return null
  const sides = value.map((side) => resolved(told, side)).filter((side) => typeof side === 'number')
  const [a, b, c, d] = sides
  if (a === undefined || b === undefined || c === undefined || d === undefined || a === c || b === d) return null
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

export const mediaBox = (told: Told, page: Dict): Corners =>
  readCorners(told, inherited(told, page, '/MediaBox')) ?? LETTER

/** "the default … is the page's media box", and what hangs over it is not shown. */
export function shownBox(told: Told, page: Dict): Corners {
  const media = mediaBox(told, page)
  const crop = readCorners(told, inherited(told, page, '/CropBox')) ?? media
  const both: Corners = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ]
  return both[0] < both[2] && both[1] < both[3] ? both : media
}
