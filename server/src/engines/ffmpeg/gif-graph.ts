/** The filters that make an animation of a film. Pure: numbers and names of ours only. */
import type { VideoStream } from './media.ts'
import { shownSize } from './media.ts'

export interface Shown {
  width: number
  height: number
  fps: number
  frames: number
}

/** How big, how fast and how long the animation is. */
export function shownAs(
  video: VideoStream,
  seconds: number,
  wanted: { fps: number; width: number | undefined },
): Shown {
  const whole = shownSize(video)
  const width = wanted.width ?? whole.width
  const fps = Math.min(wanted.fps, video.fps ?? wanted.fps)
  return {
    width,
    height: Math.max(1, Math.round((whole.height * width) / whole.width)),
    fps,
    frames: Math.max(1, Math.ceil(seconds * fps)),
  }
}

/** The only picture of a film too short for another would be counted away. */
export const framesOf = ({ fps, width, height, frames }: Shown): string =>
  `${frames === 1 ? 'trim=end_frame=1' : `fps=${Number(fps.toFixed(4))}`},scale=${width}:${height}:flags=lanczos,setsar=1`

/** From 256 at 0 to 51 at 80. */
export const coloursFor = (compression: number): number => Math.max(2, Math.round(256 * (1 - compression / 100)))

export interface Palette {
  colours: number
  dither: 'sierra2_4a' | 'floyd_steinberg' | 'bayer' | 'none'
  transparent: boolean
  still: boolean
}

const PALETTE = 'palette.png'
const pixels = ({ transparent }: Palette): string => (transparent ? 'format=rgba' : 'format=rgb24')

const generate = ({ colours, transparent, still }: Palette): string =>
  `palettegen=max_colors=${colours}:reserve_transparent=${transparent ? 1 : 0}:stats_mode=${still ? 'diff' : 'full'}`

const use = ({ dither, still }: Palette): string =>
  `paletteuse=dither=${dither}:diff_mode=${still ? 'rectangle' : 'none'}:alpha_threshold=128`

/** All at once: the frames wait in memory until the colours are known. */
export const inOne = (index: number, shown: Shown, palette: Palette): string =>
  `[0:${index}]${framesOf(shown)},${pixels(palette)},split[a][b];[a]${generate(palette)}[p];[b][p]${use(palette)}[out]`

/** The film twice: first for the colours, then for the frames. */
export const firstLook = (index: number, shown: Shown, palette: Palette): string =>
  `[0:${index}]${framesOf(shown)},${pixels(palette)},${generate(palette)}[out]`
export const secondLook = (index: number, shown: Shown, palette: Palette): string =>
  `movie=filename=${PALETTE}[p];[0:${index}]${framesOf(shown)},${pixels(palette)}[b];[b][p]${use(palette)}[out]`

/** Bytes of all frames, when they wait in memory. */
export const waiting = ({ width, height, frames }: Shown): number => width * height * 4 * frames

/** The writer counts repeats after the first time, and has a word for none: -1. */
export const gifLoop = (plays: number): string => String(plays === 0 ? 0 : plays === 1 ? -1 : plays - 1)

export { PALETTE }
