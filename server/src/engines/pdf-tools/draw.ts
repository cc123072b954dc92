/**
 * Draws the pages of a PDF, whatever program does it. Most documents are short and sound: those are drawn at once, for a
 * look at them first would cost as much again. Only where that was not all, or went wrong, are they looked at with care.
 */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { BoxResult, Limits } from '../../ports/sandbox.ts'
import { madePages } from '../kit/made-pages.ts'
import { patience } from '../kit/patience.ts'
import { asItIs, checkCount, checkPixels, type Inputs, openPdf, sizesOf } from './document.ts'
import { stretches } from './pages.ts'

export interface Drawing {
  wishes: { pdf_dpi: number; pdf_password?: string | undefined; pdf_pages?: string | undefined }
  /** What the files are called after their number. */
  ending: string
  /** Draws a stretch of pages, or as many of them as there are, into `page-<number>`. */
  stretch(from: (inputs: Inputs) => string, first: number, last: number, limits: Partial<Limits>): Promise<BoxResult>
  /** How many pages are there up to the last that was asked for, if all of them were drawn; otherwise null. */
  wentWell(result: BoxResult, drawn: number): number | null
}

/** One run each: enough to be quick, few enough to tell how far it is. */
const PAGES_AT_ONCE = 25
const AT_FIRST = 3
/** A page that needs more is refused by its size, in words, before it is drawn. */
const ROOM_AT_FIRST = 2 ** 30
/** Square inches of a usual page. */
const USUAL = 8.3 * 11.7

/** How many of the first pages are drawn, and whether that is all. */
async function begin(work: Work, { wishes, ending, stretch, wentWell }: Drawing) {
  const nothing = { drawn: 0, all: false }
  if (!asItIs(wishes)) return nothing
  const effort = { bytes: work.input.size, pages: AT_FIRST, pixels: AT_FIRST * USUAL * wishes.pdf_dpi ** 2 }
  const limits = { ...patience(effort), addressSpace: ROOM_AT_FIRST }
  try {
    const result = await stretch(([input]) => input, 1, AT_FIRST, limits)
    const { length } = await madePages(work, ending, 1)
    const pages = wentWell(result, length)
    return pages === length ? { drawn: length, all: length < AT_FIRST } : nothing
  } catch (error) {
    // What takes too long now would take too long again.
    if (error instanceof Failure && error.errorCode === 'processing_failed') return nothing
    throw error
  }
}

export async function drawPages(work: Work, drawing: Drawing): Promise<readonly string[]> {
  const { drawn, all } = await begin(work, drawing)
  if (all) return madePages(work, drawing.ending, drawn)
  const { wishes, ending, stretch } = drawing
  const source = await openPdf(work, wishes)
  checkCount(source)
  const sizes = await sizesOf(work, source)
  checkPixels(sizes, wishes.pdf_dpi)
  for (const [from, to] of stretches(source.pages - drawn, PAGES_AT_ONCE)) {
    const [first, last] = [from + drawn, to + drawn]
    const pixels = checkPixels(sizes.slice(first - 1, last), wishes.pdf_dpi)
    const limits = patience({ bytes: work.input.size, pages: last - first + 1, pixels })
    await stretch((inputs) => source.at(inputs), first, last, limits)
    work.progress((last / source.pages) * 100)
  }
  return madePages(work, ending, source.pages)
}
