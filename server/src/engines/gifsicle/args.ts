/** What gifsicle is told, and what it says of a file. Pure. */

export interface GifStep {
  /** 0 keeps every pixel. */
  lossy: number
  colors: number
}

const step = (lossy: number, colors = 256): GifStep => ({ lossy, colors })

/** From the best to the smallest. */
export const GIF_LADDER: readonly GifStep[] = [
  ...[0, 20, 40, 60, 80, 100, 140, 200].map((lossy) => step(lossy)),
  ...[128, 64, 32, 16, 8, 4, 2].map((colors) => step(200, colors)),
]

/** A quality is a loss and, below the middle, fewer colours. */
export const gifStep = (quality: number): GifStep => ({
  lossy: Math.round((100 - quality) * 1.6),
  colors: quality >= 50 ? 256 : Math.max(2, Math.round((quality / 50) * 256)),
})

export interface GifWishes {
  image_custom_width?: number
  image_custom_height?: number
  image_resize_percentage?: number
  image_grayscale?: boolean
  strip?: boolean
}

/** Frames to show, each for some hundredths of a second. */
export interface Shown {
  frame: number
  delay: number
}

const FRAME = /^\s+\+ image #(\d{1,6}) /
const DELAY = /\bdelay (\d{1,6}(?:\.\d\d?)?)s/

/** Of `--info`: hundredths of a second a frame; a frame that names none is shown for a tenth, as browsers do. */
export function readDelays(words: string): number[] {
  const delays: number[] = []
  for (const line of words.split('\n')) {
    if (FRAME.test(line)) delays.push(0)
    const found = DELAY.exec(line)
    if (found && delays.length > 0) delays[delays.length - 1] = Math.round(Number(found[1]) * 100)
  }
  return delays.map((delay) => (delay > 1 ? delay : 10))
}

/** Leaves frames out until there are no more than that many a second; the whole lasts as long as before. */
export function slower(delays: readonly number[], fps: number): Shown[] {
  const shown: Shown[] = []
  for (const [frame, delay] of delays.entries()) {
    const last = shown.at(-1)
    if (last && last.delay < 100 / fps - 0.5) last.delay += delay
    else shown.push({ frame, delay })
  }
  return shown
}

const resize = (
  { image_custom_width: w, image_custom_height: h, image_resize_percentage: p }: GifWishes,
  scale: number,
) => {
  const side = (length: number): number => Math.max(1, Math.round(length * scale))
  // It only makes smaller: a bigger GIF is no compressed one.
  if (w !== undefined || h !== undefined)
    return ['--resize-fit', `${w === undefined ? '_' : side(w)}x${h === undefined ? '_' : side(h)}`]
  const factor = ((p ?? 100) / 100) * scale
  return factor === 1 ? [] : ['--scale', factor.toFixed(4)]
}

export const gifArgs = (
  input: string,
  output: string,
  { lossy, colors }: GifStep,
  wishes: GifWishes,
  { scale = 1, frames = null }: { scale?: number; frames?: readonly Shown[] | null } = {},
): string[] => [
  ...['--no-warnings', '--no-ignore-errors', '-O3', '--resize-method', 'mix'],
  ...(wishes.strip === false ? [] : ['--no-comments', '--no-names', '--no-extensions']),
  ...(lossy > 0 ? [`--lossy=${lossy}`] : []),
  ...(colors < 256 ? ['--colors', String(colors)] : []),
  ...(wishes.image_grayscale ? ['--use-colormap', 'gray'] : []),
  ...resize(wishes, scale),
  // Frames that build on others cannot lose them.
  ...(frames ? ['--unoptimize', input] : [input]),
  ...(frames ?? []).flatMap(({ frame, delay }) => ['--delay', String(delay), `#${frame}`]),
  ...['-o', output],
]
