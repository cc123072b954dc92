/** New boxes for the pages of a document, inside the box. What lies outside them is hidden by readers, not removed. */
import { type Corners, inherited, resolved, shownBox } from './boxes.ts'
import type { CropQuestion, CropWish, Distance, Gravity, Size } from './plan.ts'
import { type Dict, isDict, readTold, type Told, update } from './told.ts'
import { DocumentProblem } from './trouble.ts'

/** What a crop may be over by rounding, in points. */
const SLACK = 0.01

/** Which share of the free room lies before the box. */
const SHARE: Readonly<Record<Gravity, [across: number, down: number]>> = {
  'top-left': [0, 0],
  top: [0.5, 0],
  'top-right': [1, 0],
  left: [0, 0.5],
  center: [0.5, 0.5],
  right: [1, 0.5],
  'bottom-left': [0, 1],
  bottom: [0.5, 1],
  'bottom-right': [1, 1],
}

export interface Part extends Size {
  left: number
  top: number
}

const points = ({ amount, unit }: Distance, whole: number): number => (unit === '%' ? (whole * amount) / 100 : amount)

/** The part of a page as it is shown that a crop means, or null when it is empty or not within the page. */
export function partOf(whole: Size, wish: CropWish): Part | null {
  const placed = wish.x !== undefined || wish.y !== undefined
  const x = wish.x ? points(wish.x, whole.width) : 0
  const y = wish.y ? points(wish.y, whole.height) : 0
  const asked = {
    width: wish.width ? points(wish.width, whole.width) : whole.width - x,
    height: wish.height ? points(wish.height, whole.height) : whole.height - y,
  }
  const [across, down] = wish.ratio ?? [asked.width, asked.height]
  const width = Math.min(asked.width, (asked.height * across) / down)
  const size = wish.ratio ? { width, height: (width * down) / across } : asked
  const [before, above] = SHARE[wish.gravity]
  const left = placed ? x : (whole.width - size.width) * before
  const top = placed ? y : (whole.height - size.height) * above
  const within =
    left >= -SLACK &&
    top >= -SLACK &&
    left + size.width <= whole.width + SLACK &&
    top + size.height <= whole.height + SLACK
  return within && size.width >= 1 && size.height >= 1 ? { left, top, ...size } : null
}

/** A part of the shown page as corners on the page, which may be turned clockwise when it is shown. */
export function cornersOf([left, bottom, right, top]: Corners, turn: number, part: Part): Corners {
  const [x1, y1, x2, y2] = [part.left, part.top, part.left + part.width, part.top + part.height]
  switch (turn) {
    case 90:
      return [left + y1, bottom + x1, left + y2, bottom + x2]
    case 180:
      return [right - x2, bottom + y1, right - x1, bottom + y2]
    case 270:
      return [right - y2, top - x2, right - y1, top - x1]
    default:
      return [left + x1, top - y2, left + x2, top - y1]
  }
}

const rounded = (value: number): number => Number(value.toFixed(4))

function cropped(told: Told, page: Dict, number: number, wish: CropWish): Dict {
  const box = shownBox(told, page)
  const rotate = inherited(told, page, '/Rotate')
  const turn = typeof rotate === 'number' ? ((rotate % 360) + 360) % 360 : 0
  const unit = resolved(told, page['/UserUnit'])
  const scale = typeof unit === 'number' && unit > 0 ? unit : 1
  const [across, down] = [(box[2] - box[0]) * scale, (box[3] - box[1]) * scale]
  const whole = turn % 180 === 90 ? { width: down, height: across } : { width: across, height: down }
  const part = partOf(whole, wish)
  if (!part) throw new DocumentProblem('outside', 'crop outside the page', { page: number, ...whole })
  const { left, top, width, height } = part
  const units = { left: left / scale, top: top / scale, width: width / scale, height: height / scale }
  const corners = cornersOf(box, turn, units).map(rounded)
  // Boxes for trimming and bleeding would now lie outside.
  const { '/TrimBox': _trim, '/BleedBox': _bleed, '/ArtBox': _art, ...rest } = page
  return { ...rest, '/MediaBox': corners, '/CropBox': corners }
}

export function boxesFor({ pages, wish }: CropQuestion, input: Buffer): Uint8Array {
  const told = readTold(input)
  if (told.pages.length === 0) throw new DocumentProblem('no-pages', 'no pages')
  const wanted = new Set(pages ?? told.pages.keys().map((index) => index + 1))
  const objects = new Map<string, Dict>()
  for (const [index, reference] of told.pages.entries()) {
    if (!wanted.has(index + 1)) continue
    const page = told.object(reference)
    if (!isDict(page)) throw new DocumentProblem('unreadable', `page ${index + 1} is no page`)
    objects.set(reference, cropped(told, page, index + 1, wish))
  }
  return update(told, objects, told.last)
}
