/**
 * Makes the list of a document's pages anew where programs find none in it, or no size of a page. qpdf reads what is left
 * of a document, the pdf-lib worker works out the list from what it tells, and qpdf writes it.
 */
import { join } from 'node:path'
import type { Work } from '../../catalog/engine.ts'
import { removeMade } from '../kit/hop-files.ts'
import { patience } from '../kit/patience.ts'
import { askPdfLib } from '../pdf-lib.ts'
import { qpdf } from './qpdf.ts'

const TOLD = 'damaged.json'
const LIST = 'list.json'

/** `from` is a file in the work folder, or undefined for the input. */
export async function mend(work: Work, from: string | undefined, to: string): Promise<void> {
  const limits = patience({ bytes: work.input.size })
  const structure = ['--json', '--json-key=qpdf', '--json-stream-data=none']
  await qpdf(work, { from, to: TOLD, args: () => structure, limits })
  const reads = join(work.dir, TOLD)
  await askPdfLib(work, { task: 'mend' }, { about: work.input, reads, makes: LIST })
  await qpdf(work, { from, to, job: { updateFromJson: LIST, decrypt: '' }, limits })
  await Promise.all([TOLD, LIST].map((name) => removeMade(work, name)))
}
