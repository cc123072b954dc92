/** Looks at a picture before it is decoded, inside the box: what it is, how big, how many frames, and whether it may be. */
import { gunzipSync } from 'node:zlib'
import sharp, { type SharpOptions } from 'sharp'
import { drawsTooMuch } from './drawing.ts'
import { glance, type Seen } from './glance.ts'
import { readLinear } from './linear.ts'
import type { Loader, Plan, Planes, ProblemCode, Size, Span } from './plan.ts'
import { type Pixels, readPnm } from './pnm.ts'

const MOST_UNPACKED = 64 * 2 ** 20

/** Something to tell the user; the words are the server's. */
export class PictureProblem extends Error {
  readonly code: ProblemCode
  readonly input: number
  readonly figures: { [name: string]: number }

  constructor(code: ProblemCode, input: number, detail: string, figures: { [name: string]: number } = {}) {
    super(detail)
    this.code = code
    this.input = input
    this.figures = figures
  }
}

/** A picture and what is to be read of it. */
export interface Source {
  bytes: Buffer | Uint16Array
  options: SharpOptions
  /** Of one frame, turned as it will be shown. */
  size: Size
  frames: number
  /** How many pages or frames there are in all. */
  pages: number
  /** Milliseconds of each frame; empty for a still picture. */
  delay: number[]
  loop: number
  /** More than eight bits a channel. */
  deep: boolean
  gray: boolean
  /** Its colour profile does not fit any picture of red, green and blue. */
  cmyk: boolean
  /** Its colours are those of Display P3, as cameras of phones have them. */
  wide: boolean
}

/** The frames whose time has some part in the span. */
export function framesWithin(delay: readonly number[], span: Span): [number, number] {
  // In whole milliseconds: 0.1 and 0.2 seconds make a little more than 0.3.
  const from = Math.round(span.start * 1000)
  const to = span.end === null ? null : Math.round(span.end * 1000)
  let at = 0
  let first = -1
  let last = -1
  delay.forEach((milliseconds, index) => {
    const [begin, end] = [at, at + milliseconds]
    at = end
    if (end <= from || (to !== null && begin >= to)) return
    if (first < 0) first = index
    last = index
  })
  return first < 0 ? [0, 0] : [first, last - first + 1]
}

async function look(bytes: Buffer, loader: Loader, input: number, density: number): Promise<Seen> {
  const seen = glance(bytes, loader)
  if (seen) return seen
  try {
    // Only the header is read here, so that the message can name the size; decoding has the limit.
    const found = await sharp(bytes, { limitInputPixels: false, density }).metadata()
    if (found.format !== loader) throw new Error(`it is ${found.format}, not ${loader}`)
    return found
  } catch (error) {
    throw new PictureProblem('unreadable', input, error instanceof Error ? error.message : String(error))
  }
}

function range(
  plan: Plan,
  span: Span | undefined,
  input: number,
  pages: number,
  delay: readonly number[],
): [first: number, count: number] {
  if (plan.page === 'all') {
    if (!span) return [0, pages]
    if (pages < 2) throw new PictureProblem('not-animated', input, 'one frame')
    const [first, count] = framesWithin(delay, span)
    if (count > 0) return [first, count]
    const seconds = delay.reduce((sum, each) => sum + each, 0) / 1000
    throw new PictureProblem('nothing-left', input, 'no frame within the span', { seconds })
  }
  if (plan.page < pages) return [plan.page, 1]
  throw new PictureProblem('no-such-page', input, `page ${plan.page} of ${pages}`, { pages })
}

/** A drawing may come packed; what it unpacks to is limited here, for the library would take it all. */
function unpacked(bytes: Buffer, input: number): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED })
  } catch (error) {
    throw new PictureProblem('unreadable', input, error instanceof Error ? error.message : String(error))
  }
}

export function openDrawing(given: Buffer, input: number): Buffer {
  const drawing = unpacked(given, input)
  if (drawsTooMuch(drawing)) throw new PictureProblem('too-complex', input, 'too much to draw')
  return drawing
}

function openLinear(given: Buffer, planes: Planes): Pixels | null {
  const pixels = readLinear(given, planes)
  return pixels && { ...planes, channels: planes.planes, deep: true, pixels }
}

/** Pixels that another program has decoded. */
function openPixels(plan: Plan, given: Buffer, input: number): Source {
  const planes = plan.inputs[input]?.planes
  const found = planes ? openLinear(given, planes) : readPnm(given)
  if (!found) throw new PictureProblem('unreadable', input, 'no pixels')
  const { width, height, channels, deep, pixels } = found
  if (width * height > plan.maxPixels)
    throw new PictureProblem('too-many-pixels', input, 'over the limit', { width, height, most: plan.maxPixels })
  const options: SharpOptions = { raw: { width, height, channels }, limitInputPixels: plan.maxPixels }
  return {
    bytes: pixels,
    options,
    size: { width, height },
    frames: 1,
    pages: 1,
    delay: [],
    loop: 0,
    deep,
    gray: channels < 3,
    cmyk: false,
    wide: false,
  }
}

/** @param span which part of it, where the plan keeps only some */
export async function openPicture(
  plan: Plan,
  given: Buffer,
  input: number,
  span: Span | undefined = plan.spans?.[0],
): Promise<Source> {
  const loader = plan.inputs[input]?.loader
  if (!loader) throw new PictureProblem('unreadable', input, 'an input without a loader')
  if (loader === 'pnm' || loader === 'linear') return openPixels(plan, given, input)
  const bytes = loader === 'svg' ? openDrawing(given, input) : given
  const density = plan.density
  const found = await look(bytes, loader, input, density)
  const pages = found.pages ?? 1
  // A GIF that names no delay is shown at ten frames a second by every browser.
  const delays = (found.delay ?? []).map((each) => (each > 10 ? each : 100))
  const [page, frames] = range(plan, span, input, pages, delays)
  // Sharp turns no animation, and cameras make none.
  const orient = plan.orient && frames === 1
  const { width, height } = orient ? found.autoOrient : found
  if (width * height * frames > plan.maxPixels) {
    throw new PictureProblem('too-many-pixels', input, 'over the limit', {
      width,
      height,
      frames,
      most: plan.maxPixels,
    })
  }
  return {
    bytes,
    options: {
      // 'error' refuses truncated and damaged pictures but lets pass what decoders merely remark on.
      failOn: 'error',
      limitInputPixels: plan.maxPixels,
      unlimited: false,
      sequentialRead: true,
      autoOrient: orient,
      ...(loader === 'svg' ? { density } : {}),
      ...(pages > 1 ? { page, pages: frames } : {}),
    },
    size: { width, height },
    frames,
    pages,
    delay: pages > 1 && (frames > 1 || span) ? delays.slice(page, page + frames) : [],
    loop: found.loop ?? 0,
    deep: found.depth !== 'uchar',
    gray: found.space === 'b-w' || found.space === 'grey16',
    cmyk: found.space === 'cmyk',
    wide: found.icc !== undefined && /P\0?3/.test(found.icc.toString('latin1', 128, 1024)),
  }
}
