/** Where a crop lies and how big a picture becomes. Pure; runs inside the box, where the picture's size is known. */
import type { Box, CropWish, Distance, Gravity, ResizeWish, Size } from './plan.ts'

const pixels = (distance: Distance, whole: number): number =>
  Math.round(distance.unit === '%' ? (whole * distance.amount) / 100 : distance.amount)

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

/** The biggest box of this ratio that fits in. */
const biggest = (whole: Size, [across, down]: [number, number]): Size => {
  const width = Math.min(whole.width, Math.round((whole.height * across) / down))
  return { width, height: Math.min(whole.height, Math.round((width * down) / across)) }
}

/** The box a crop means, or null when it is empty or not within the picture. */
export function cropBox(whole: Size, wish: CropWish): Box | null {
  const placed = wish.x !== undefined || wish.y !== undefined
  const x = wish.x ? pixels(wish.x, whole.width) : 0
  const y = wish.y ? pixels(wish.y, whole.height) : 0
  const asked = {
    width: wish.width ? pixels(wish.width, whole.width) : whole.width - x,
    height: wish.height ? pixels(wish.height, whole.height) : whole.height - y,
  }
  // A ratio with a width or a height is the biggest box of that ratio within those sides.
  const size = wish.ratio ? biggest(asked, wish.ratio) : asked
  const [across, down] = SHARE[wish.gravity]
  const left = placed ? x : Math.round((whole.width - size.width) * across)
  const top = placed ? y : Math.round((whole.height - size.height) * down)
  const inside = left >= 0 && top >= 0 && left + size.width <= whole.width && top + size.height <= whole.height
  return inside && size.width >= 1 && size.height >= 1 ? { left, top, ...size } : null
}

/** The size a resize leads to, for the limits and for `percent`; padding and cropping make exactly what was asked. */
export function resized(from: Size, wish: ResizeWish): Size {
  if ('percent' in wish) return scaled(from, wish.percent / 100)
  const { width, height, fit, enlarge } = wish
  if (width !== undefined && height !== undefined && fit !== 'max') return { width, height }
  const factor = Math.min(
    (width ?? Number.POSITIVE_INFINITY) / from.width,
    (height ?? Number.POSITIVE_INFINITY) / from.height,
  )
  return scaled(from, Number.isFinite(factor) ? (enlarge ? factor : Math.min(1, factor)) : 1)
}

export const scaled = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
})
