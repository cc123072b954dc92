/**
 * Draws the pages of a PDF, whatever program does it. Most documents are short and sound: those are drawn at once, for a
 * look at them first would cost as much again. Only where that was not all, or went wrong, are they looked at with care.
 */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { BoxResult, Limits } from '../../ports/sandbox.ts'
import { sizeOfMade } from '../kit/hop-files.ts'
import { madePages, pageNamed, removePages } from '../kit/made-pages.ts'
import { patience } from '../kit/patience.ts'
import type { Warm } from '../kit/warm.ts'
import { asItIs, checkCount, checkPixels, type Inputs, openPdf, sizesOf } from './document.ts'
import { stretches } from './pages.ts'

export const TOPPM = { program: '/usr/bin/pdftoppm', debian: 'poppler-utils' } as const

export type Drawn = Pick<BoxResult, 'code' | 'stderr'>

export interface Drawing {
  wishes: { pdf_dpi: number; pdf_password?: string | undefined; pdf_pages?: string | undefined }
  /** What the files are called after their number. */
  ending: string
  /** Draws pages up to this one as `stretch` does, by a program that is kept warm; null where that cannot be. */
  warmly(last: number): Promise<Drawn | null>
  /** Draws a stretch of pages, or as many of them as there are, into `page-<number>`. */
  stretch(from: (inputs: Inputs) => string, first: number, last: number, limits: Partial<Limits>): Promise<Drawn>
  /** The same by another program, for what the first does not get through or is too slow with. */
  otherwise?: Drawing['stretch'] | undefined
  /** How many pages are there up to the last that was asked for, if all of them were drawn; otherwise null. */
  wentWell(result: Drawn, drawn: number): number | null
}

/** One run each: enough to be quick, few enough to tell how far it is. */
const PAGES_AT_ONCE = 25
const AT_FIRST = 3
/** A page that needs more is refused by its size, in words, before it is drawn. */
const ROOM_AT_FIRST = 2 ** 30
/** What a warm program draws in no time, and within its limits. */
const [SMALL, COARSE] = [2e6, 300]
/** Bytes of a picture with hardly a pixel. */
const SPECK = 350
/** Square inches of a usual page. */
const USUAL = 8.3 * 11.7

/** Of a warm program that draws: it is given as long, and as much, as one that is started for the first pages. */
export const DRAWING = { timeout: 40_000, memory: ROOM_AT_FIRST }

/** Seconds of work on the first pages, where another program is there to go on: what runs in circles is soon given to it. */
export const BRIEFLY = 12

/** `to` is what it is told to call its files. */
export async function drawnBy(
  warm: Warm,
  work: Work,
  to: string,
  ending: string,
  args: (from: string, to: string) => readonly string[],
): Promise<Drawn | null> {
  const said = await warm(work, { input: work.input, output: to, outputs: pageNamed(ending), args })
  return said && { code: said.ok ? 0 : 1, stderr: said.words }
}

/** What the programs themselves make of a document, other than that the caller has gone or the machine is out of order. */
const isOfTheFile = (error: unknown): error is Failure =>
  error instanceof Failure && (error.errorCode === 'processing_failed' || error.errorCode === 'engine_timeout')

interface Begun {
  /** How many of the first pages are drawn. */
  drawn: number
  /** And there are no more. */
  all: boolean
  /** Why the program is not to be asked again for the same document. */
  gaveUp: 'too slow' | 'nothing drawn' | null
}

async function begin(work: Work, { wishes, ending, warmly, stretch, otherwise, wentWell }: Drawing): Promise<Begun> {
  const nothing = { drawn: 0, all: false, gaveUp: null }
  if (!asItIs(wishes)) return nothing
  const effort = { bytes: work.input.size, pages: AT_FIRST, pixels: AT_FIRST * USUAL * wishes.pdf_dpi ** 2 }
  const { cpu, wall } = patience(effort)
  const limits = { cpu: otherwise ? Math.min(cpu, BRIEFLY) : cpu, wall, addressSpace: ROOM_AT_FIRST }
  try {
    const isLittle = work.input.size < SMALL && wishes.pdf_dpi <= COARSE
    const result = (isLittle && (await warmly(AT_FIRST))) || (await stretch(([input]) => input, 1, AT_FIRST, limits))
    const names = await madePages(work, ending, 1)
    if (names.length !== wentWell(result, names.length) || (await hasSpeck(work, names))) return nothing
    return { drawn: names.length, all: names.length < AT_FIRST, gaveUp: null }
  } catch (error) {
    if (!isOfTheFile(error)) throw error
    const isSlow = error.errorCode === 'engine_timeout'
    // What takes too long now would take too long again.
    if (isSlow && !otherwise) throw error
    return { ...nothing, gaveUp: isSlow ? 'too slow' : 'nothing drawn' }
  }
}

/** A page that shows nothing is drawn as one pixel; a file that small may be one of those. */
async function hasSpeck(work: Work, names: readonly string[]): Promise<boolean> {
  const sizes = await Promise.all(names.map((name) => sizeOfMade(work, name)))
  return sizes.some((size) => size < SPECK)
}

/** Draws a stretch, by the other program where the first left a page out. Answers the one to go on with. */
async function drawStretch(
  work: Work,
  { ending, otherwise }: Drawing,
  stretch: Drawing['stretch'],
  ...[from, first, last, limits]: Parameters<Drawing['stretch']>
): Promise<Drawing['stretch']> {
  if (!otherwise || stretch === otherwise) {
    await stretch(from, first, last, limits)
    return stretch
  }
  try {
    await stretch(from, first, last, limits)
    await madePages(work, ending, last)
    return stretch
  } catch (error) {
    if (!isOfTheFile(error)) throw error
    await removePages(work, ending, first)
    await otherwise(from, first, last, limits)
    return otherwise
  }
}

export async function drawPages(work: Work, drawing: Drawing): Promise<readonly string[]> {
  const { drawn, all, gaveUp } = await begin(work, drawing)
  if (all) return madePages(work, drawing.ending, drawn)
  const { wishes, ending, otherwise } = drawing
  // What was not to be relied on is drawn again, maybe under other names.
  if (drawn === 0) await removePages(work, ending, 1)
  const source = await openPdf(work, wishes)
  checkCount(source)
  const sizes = await sizesOf(work, source)
  checkPixels(sizes, wishes.pdf_dpi)
  const isHopeless = gaveUp === 'too slow' || (gaveUp !== null && source.name === undefined)
  let stretch = (isHopeless && otherwise) || drawing.stretch
  for (const [from, to] of stretches(source.pages - drawn, PAGES_AT_ONCE)) {
    const [first, last] = [from + drawn, to + drawn]
    const pixels = checkPixels(sizes.slice(first - 1, last), wishes.pdf_dpi)
    const limits = patience({ bytes: work.input.size, pages: last - first + 1, pixels })
    stretch = await drawStretch(work, drawing, stretch, (inputs) => source.at(inputs), first, last, limits)
    work.progress((last / source.pages) * 100)
  }
  return madePages(work, ending, source.pages)
}
