/**
 * How long a program may take. An honest file has pages, pixels or bytes to show for its time; what goes round in circles
 * has none of them, and is ended soon. Pure.
 */
import type { Limits } from '../../ports/sandbox.ts'

export interface Effort {
  /** Of the file that is read. */
  bytes: number
  pages?: number
  /** Pixels of all pages that are drawn. */
  pixels?: number
}

const START = 10
const PER_PAGE = 2
const PER_MEGAPIXEL = 0.5
const PER_MEGABYTE = 4
const MOST = 240

/** On a busy machine a second of work takes a while. */
const WALL_PER_SECOND = 2000

export function patience({ bytes, pages = 1, pixels = 0 }: Effort): Pick<Limits, 'cpu' | 'wall'> {
  const asked = START + pages * PER_PAGE + (pixels / 1e6) * PER_MEGAPIXEL + (bytes / 1e6) * PER_MEGABYTE
  const cpu = Math.ceil(Math.min(MOST, asked))
  return { cpu, wall: cpu * WALL_PER_SECOND }
}
