/** Where a picture lies on its page, and the matrix that puts it there. Pure; runs inside the box. */
import type { PageWish, Size } from './plan.ts'

/** "The maximum is 14,400 by 14,400 units, the minimum 3 by 3": what readers take without a word about units. */
const MOST = 14_400
const LEAST = 3

/** The lower left corner and the size, on a page whose origin is its lower left corner. */
export interface Placed {
  page: Size
  left: number
  bottom: number
  width: number
  height: number
}

/** `natural` is the picture as it is shown, at its own density. Null when the margin leaves no room. */
export const place = (natural: Size, wish: PageWish): Placed | null =>
  wish.size ? onPage(natural, wish, wish.size) : asBig(natural, wish)

const marginOf = ({ margin }: PageWish, { width, height }: Size): number =>
  margin.unit === '%' ? (Math.min(width, height) * margin.amount) / 100 : margin.amount

function asBig(natural: Size, wish: PageWish): Placed {
  const margin = marginOf(wish, natural)
  const room = Math.max(MOST - 2 * margin, LEAST)
  const factor = Math.min(1, room / natural.width, room / natural.height)
  const [width, height] = [natural.width * factor, natural.height * factor]
  const page = { width: Math.max(LEAST, width + 2 * margin), height: Math.max(LEAST, height + 2 * margin) }
  return { page, left: (page.width - width) / 2, bottom: (page.height - height) / 2, width, height }
}

function onPage(natural: Size, wish: PageWish, upright: Size): Placed | null {
  const lies = wish.turned === 'landscape' || (wish.turned === 'auto' && natural.width > natural.height)
  const page = lies ? { width: upright.height, height: upright.width } : upright
  const margin = marginOf(wish, page)
  const room = { width: page.width - 2 * margin, height: page.height - 2 * margin }
  if (room.width < 1 || room.height < 1) return null
  const fits = Math.min(room.width / natural.width, room.height / natural.height)
  const factor = wish.enlarge ? fits : Math.min(1, fits)
  const [width, height] = [natural.width * factor, natural.height * factor]
  const [across, down] = wish.align
  const left = margin + (room.width - width) * across
  const top = margin + (room.height - height) * down
  return { page, left, bottom: page.height - top - height, width, height }
}

export type Matrix = [number, number, number, number, number, number]

/** From the unit square that a picture fills to its place, by EXIF's number for how the camera was held. */
export function matrix(orientation: number, { left: x, bottom: y, width: w, height: h }: Placed): Matrix {
  switch (orientation) {
    case 2:
      return [-w, 0, 0, h, x + w, y]
    case 3:
      return [-w, 0, 0, -h, x + w, y + h]
    case 4:
      return [w, 0, 0, -h, x, y + h]
    case 5:
      return [0, -h, -w, 0, x + w, y + h]
    case 6:
      return [0, -h, w, 0, x, y + h]
    case 7:
      return [0, h, w, 0, x, y]
    case 8:
      return [0, h, -w, 0, x + w, y]
    default:
      return [w, 0, 0, h, x, y]
  }
}
