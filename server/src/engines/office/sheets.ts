/** A spreadsheet made ready for printing, where that takes more than LibreOffice offers: see sheets-inside.ts. */
import { fileURLToPath } from 'node:url'
import { Failure } from '../../core/errors.ts'
import { FILTERS } from './filters.ts'
import { convert, type Hop, type Order } from './way.ts'

const INSIDE = '/opt/reforge/sheets-inside.ts'
const NO_SUCH_SHEET = 3
const READY = 'ready.fods'

export interface SheetWishes {
  sheet: number | undefined
  sheet_fit: string
}

/** Answers the file to print, or null when the input itself will do. */
export async function prepareSheets(
  work: Hop,
  { sheet = 0, sheet_fit }: SheetWishes,
  opening: Pick<Order, 'password' | 'infilter'>,
): Promise<string | null> {
  if (sheet === 0 && sheet_fit !== 'width') return null
  // Also where it is flat already: then it is as LibreOffice writes it.
  const flat = await convert(work, { to: 'fods', filter: FILTERS.sheet.fods ?? '', ...opening })
  const { code, stderr } = await work.run({
    command: (at) => ['/opt/node/bin/node', '--no-warnings', at(INSIDE), flat, READY, String(sheet), sheet_fit],
    readOnly: {
      '/opt/node/bin/node': process.execPath,
      [INSIDE]: fileURLToPath(import.meta.resolve('./sheets-inside.ts')),
    },
    limits: { addressSpace: null },
  })
  if (code === NO_SUCH_SHEET) throw new Failure('processing_failed', `"${work.input.filename}" has no sheet ${sheet}.`)
  if (code !== 0)
    throw new Failure('processing_failed', `"${work.input.filename}" could not be prepared for printing.`, stderr)
  return READY
}
