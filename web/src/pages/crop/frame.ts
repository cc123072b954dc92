/** The frame of a crop: moved, drawn, pulled at its handles, always inside the picture. Pure. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Frame extends Size {
  readonly x: number
  readonly y: number
}

/** Compass points: which edges a handle pulls. */
export const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
export type Handle = (typeof HANDLES)[number]

export interface Bounds {
  readonly whole: Size
  /** Sides are multiples of it: films take even ones only. */
  readonly grain: 1 | 2
  /** Width by height, or null for any. */
  readonly ratio: number | null
}

export const GRAVITIES = [
  'top-left',
  'top',
  'top-right',
  'left',
  'center',
  'right',
  'bottom-left',
  'bottom',
  'bottom-right',
] as const
export type Gravity = (typeof GRAVITIES)[number]

const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

const side = (length: number, most: number, grain: number): number =>
  between(Math.round(length / grain) * grain, grain, Math.max(grain, Math.floor(most / grain) * grain))

/** The nearest frame of whole pixels that lies inside. */
export function inside(frame: Frame, { whole, grain }: Bounds): Frame {
  const width = side(frame.width, whole.width, grain)
  const height = side(frame.height, whole.height, grain)
  return {
    x: between(Math.round(frame.x), 0, Math.max(0, Math.floor(whole.width - width))),
    y: between(Math.round(frame.y), 0, Math.max(0, Math.floor(whole.height - height))),
    width,
    height,
  }
}

export const moved = (frame: Frame, across: number, down: number, bounds: Bounds): Frame =>
  inside({ ...frame, x: frame.x + across, y: frame.y + down }, bounds)

/** Pulls a handle; what lies opposite stays where it is. */
export function pulled(frame: Frame, handle: Handle, across: number, down: number, bounds: Bounds): Frame {
  const { whole, grain, ratio } = bounds
  const [west, east] = [handle.includes('w'), handle.includes('e')]
  const [north, south] = [handle.includes('n'), handle.includes('s')]
  const [right, bottom] = [frame.x + frame.width, frame.y + frame.height]
  const roomX = west ? right : east ? whole.width - frame.x : whole.width
  const roomY = north ? bottom : south ? whole.height - frame.y : whole.height
  let width = between(frame.width + (east ? across : west ? -across : 0), grain, roomX)
  let height = between(frame.height + (south ? down : north ? -down : 0), grain, roomY)
  if (ratio !== null) {
    // The side that was pulled leads; at a corner, the one that grew more.
    const byWidth = north || south ? (east || west ? width / height > ratio : false) : true
    width = Math.min(byWidth ? width : height * ratio, roomX, roomY * ratio)
    height = width / ratio
  }
  const x = west ? right - width : east ? frame.x : frame.x + (frame.width - width) / 2
  const y = north ? bottom - height : south ? frame.y : frame.y + (frame.height - height) / 2
  return inside({ x, y, width, height }, bounds)
}

/** From one corner to the other. */
export function drawn(from: { x: number; y: number }, to: { x: number; y: number }, bounds: Bounds): Frame {
  const { ratio, whole } = bounds
  const handle: Handle = `${to.y < from.y ? 'n' : 's'}${to.x < from.x ? 'w' : 'e'}`
  const start = { x: between(from.x, 0, whole.width), y: between(from.y, 0, whole.height), width: 0, height: 0 }
  return pulled(start, handle, to.x - start.x, to.y - start.y, { ...bounds, ratio })
}

/** The biggest frame of this ratio around the middle of the one there was. */
export function proportioned(frame: Frame, bounds: Bounds): Frame {
  const { whole, ratio } = bounds
  if (ratio === null) return frame
  const width = Math.min(whole.width, whole.height * ratio)
  const height = width / ratio
  const [middleX, middleY] = [frame.x + frame.width / 2, frame.y + frame.height / 2]
  return inside({ x: middleX - width / 2, y: middleY - height / 2, width, height }, bounds)
}

/** The usual beginning: most of the picture, so that there is something to take hold of. */
export function begun(bounds: Bounds): Frame {
  const { width, height } = bounds.whole
  return inside({ x: width * 0.1, y: height * 0.1, width: width * 0.8, height: height * 0.8 }, bounds)
}

export function aligned(frame: Frame, gravity: Gravity, bounds: Bounds): Frame {
  const { width, height } = bounds.whole
  const across = gravity.includes('left') ? 0 : gravity.includes('right') ? 1 : 0.5
  const down = gravity.includes('top') ? 0 : gravity.includes('bottom') ? 1 : 0.5
  return inside({ ...frame, x: (width - frame.width) * across, y: (height - frame.height) * down }, bounds)
}

/** Of `16:9`, of `original`, of `free`. */
export function ratioOf(name: string, whole: Size): number | null {
  if (name === 'original') return whole.width / whole.height
  const [across, down] = name.split(':').map(Number)
  return across && down ? across / down : null
}

const share = (length: number, whole: number): string => `${Number(((length / whole) * 100).toFixed(4))}%`

/**
 * As the crop's options. Pixels where the picture's are the server's, too; else shares of it. What reaches the edge needs
 * no length: "Without it, all that is left."
 */
export function optionsOf({ x, y, width, height }: Frame, whole: Size, unit: 'px' | '%'): Record<string, string> {
  const as = (length: number, of: number) => (unit === 'px' ? String(length) : share(length, of))
  return {
    x: as(x, whole.width),
    y: as(y, whole.height),
    ...((unit === 'px' || x + width < whole.width) && { width: as(width, whole.width) }),
    ...((unit === 'px' || y + height < whole.height) && { height: as(height, whole.height) }),
  }
}
