/**
 * Putting documents and pictures together, and cropping pages. qpdf writes the documents, so that they are never held in
 * memory; what is to change in them is worked out by the pdf-lib worker from what qpdf tells of their structure.
 */
import type { Engine, Work } from '../catalog/engine.ts'
import { Failure } from '../core/errors.ts'
import { merge } from './pdf-lib/merge.ts'
import { pdfLibWorker } from './pdf-lib/resident.ts'
import { cropOptions, cropWish, mergeOptions } from './pdf-lib/settings.ts'
import { among, COPYING, survey, withPassword, XARGS } from './pdf-lib/survey.ts'
import { askPdfLib } from './pdf-lib.ts'
import { mendIfDamaged, OPENING } from './pdf-tools/document.ts'
import { choosePages } from './pdf-tools/pages.ts'
import { qpdf } from './pdf-tools/qpdf.ts'

const TOLD = 'told.json'
const BOXES = 'boxes.json'
const MENDED = 'mended.pdf'
/** Everything but what is in the streams: a page may have its size from what it belongs to. */
const ALL = ['--json-key=pages', '--json-key=qpdf', '--json-stream-data=none']

function chosen(list: string | undefined, count: number): number[] | null {
  if (list === undefined) return null
  const pages = choosePages(list, count)
  if ('wrong' in pages) throw new Failure('processing_failed', `pdf_pages cannot be used: ${pages.wrong}`)
  return [...pages.pages]
}

async function crop(work: Work<typeof cropOptions>): Promise<readonly string[]> {
  const { input, options } = work
  const from = await mendIfDamaged(work, undefined, MENDED)
  const { pages } = await survey(work, input, { password: options.pdf_password, keys: ALL, from, makes: TOLD })
  work.progress(20)
  const question = { task: 'crop', pages: chosen(options.pdf_pages, pages), wish: cropWish(options) } as const
  await askPdfLib(work, question, { about: input, reads: among(work, TOLD), makes: BOXES })
  work.progress(40)
  const job = { ...withPassword(options.pdf_password), updateFromJson: BOXES }
  await qpdf(work, { from, to: 'out.pdf', job, limits: COPYING })
  return ['out.pdf']
}

export const pdfLibDocuments: Engine = {
  id: 'pdf-documents',
  title: 'pdf-lib and qpdf',
  tools: [...OPENING, XARGS],
  residents: [pdfLibWorker],
  can: [
    // png before jpg: what is neither comes here as the first of two that cost the same, and nothing is to be lost.
    {
      does: 'merge',
      from: ['pdf', 'png', 'jpg'],
      to: ['pdf'],
      cost: 1,
      embeds: true,
      options: mergeOptions,
      run: merge,
    },
    { does: 'crop', from: ['pdf'], to: ['pdf'], cost: 1, options: cropOptions, run: crop },
  ],
}
