/**
 * Spreadsheets that say "this, a billion times": a few bytes that no machine could lay out. Sheets of the OpenDocument kind
 * are looked at before LibreOffice reads them. Empty rows up to the end of the sheet are usual, and cost nothing.
 */
import { Failure } from '../../core/errors.ts'

/** Of cells with something in them; those that are written out one by one are not limited here. */
const MOST_CELLS = 2_000_000
/** Longer sheets are read only so far: what they have in bytes they may cost in time. */
export const MOST_READ = 64 * 2 ** 20

/** No tag that matters is longer. */
const LONGEST_TAG = 16_384
const TAG = /<(\/?)[\w-]{1,40}:(?:(table-row)|(?:covered-)?table-cell)(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g
const ROWS = /:number-rows-repeated\s*=\s*["'](\d{1,9})/
const COLUMNS = /:number-columns-repeated\s*=\s*["'](\d{1,9})/
const FILLED = /:(?:value-type|formula)\s*=/

const times = (pattern: RegExp, tag: string): number => Number(pattern.exec(tag)?.[1] ?? 1)

/** How many cells come of repeating, as far as the pieces show. Stops as soon as they are too many. */
export async function repeatedCells(pieces: AsyncIterable<string>): Promise<number> {
  let [rest, rows, total] = ['', 1, 0]
  for await (const piece of pieces) {
    const text = rest + piece
    let end = 0
    for (const match of text.matchAll(TAG)) {
      const [whole, closing, row, attributes = ''] = match
      end = match.index + whole.length
      if (closing !== '') continue
      if (row) rows = times(ROWS, attributes)
      else if (FILLED.test(attributes)) total += rows * times(COLUMNS, attributes) - 1
      if (total > MOST_CELLS) return total
    }
    rest = text.slice(Math.max(end, text.length - LONGEST_TAG))
  }
  return total
}

export async function checkCells(filename: string, pieces: AsyncIterable<string>): Promise<void> {
  if ((await repeatedCells(pieces)) <= MOST_CELLS) return
  throw new Failure(
    'processing_failed',
    `"${filename}" repeats its cells more than ${MOST_CELLS.toLocaleString('en')} times, which is more than is accepted.`,
  )
}
