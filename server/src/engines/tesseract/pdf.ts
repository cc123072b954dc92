/** Recognises text in the pages of a PDF. The pages themselves stay as they are: the words are laid over them, unseen. */
import type { Work } from '../../catalog/engine.ts'
import { putFile, readMade, removeMade } from '../kit/hop-files.ts'
import { patience } from '../kit/patience.ts'
import { tool } from '../kit/tool.ts'
import { checkCount, checkPixels, MOST_PIXELS, openPdf, type Pdf, sizesOf } from '../pdf-tools/document.ts'
import { TOPPM } from '../pdf-tools/draw.ts'
import { qpdf } from '../pdf-tools/qpdf.ts'
import { type Reading, recognise } from './run.ts'

export const TOTEXT = { program: '/usr/bin/pdftotext', debian: 'poppler-utils' } as const

const DPI = 300
/** Seconds each: more would take a worker for an hour. */
const MOST_READ = 200

interface Wishes extends Reading {
  pdf_password?: string | undefined
  pdf_pages?: string | undefined
  ocr_pages: string
}

/** The text each page has already. */
async function knownText(work: Work, source: Pdf): Promise<string[]> {
  const args = (inputs: readonly [string, ...string[]]) => ['-enc', 'UTF-8', source.at(inputs), 'known.txt']
  await tool(work, { program: TOTEXT.program, args, limits: patience({ bytes: work.input.size, pages: source.pages }) })
  return (await readMade(work, 'known.txt')).split('\f').slice(0, source.pages)
}

async function readPage(work: Work, source: Pdf, page: number, wishes: Wishes, as: 'txt' | 'pdf'): Promise<string> {
  await tool(work, {
    program: TOPPM.program,
    args: (inputs) => [
      ...['-r', String(DPI), '-gray', '-cropbox', '-singlefile', '-f', String(page), '-l', String(page)],
      ...[source.at(inputs), 'seen'],
    ],
    limits: patience({ bytes: work.input.size, pixels: MOST_PIXELS }),
  })
  await recognise(work, wishes, { as, wordsOnly: true, dpi: DPI }, `read-${page}`, 'seen.pgm')
  return `read-${page}.${as}`
}

/** Pages that need it, one after the other; what they say is given to `keep`. */
async function eachPage(
  work: Work,
  wishes: Wishes,
  as: 'txt' | 'pdf',
  keep: (page: number, made: string | null, known: string) => Promise<void>,
): Promise<Pdf> {
  const source = await openPdf(work, wishes)
  checkCount(source, MOST_READ)
  checkPixels(await sizesOf(work, source), DPI)
  const known = await knownText(work, source)
  for (let page = 1; page <= source.pages; page += 1) {
    const text = known[page - 1] ?? ''
    const skip = wishes.ocr_pages === 'missing' && text.trim() !== ''
    await keep(page, skip ? null : await readPage(work, source, page, wishes, as), text)
    work.progress((page / source.pages) * 100)
  }
  return source
}

export async function textOfPdf(work: Work, wishes: Wishes): Promise<readonly string[]> {
  const texts: string[] = []
  await eachPage(work, wishes, 'txt', async (_, made, known) => {
    texts.push((made === null ? known : await readMade(work, made)).trim())
  })
  await putFile(work, 'out.txt', `${texts.join('\n\n')}\n`)
  return ['out.txt']
}

/** Laid over by qpdf, which heeds how a page is turned and cut. */
export async function searchablePdf(work: Work, wishes: Wishes): Promise<readonly string[]> {
  const words: { page: number; name: string }[] = []
  const source = await eachPage(work, wishes, 'pdf', async (page, name) => {
    if (name !== null) words.push({ page, name })
  })
  if (words.length > 0) {
    const pages = words.map(({ name }) => ({ file: name, range: '1' }))
    await qpdf(work, { from: words[0]?.name, to: 'words.pdf', job: { pages } })
  }
  const overlay = { file: 'words.pdf', to: words.map(({ page }) => page).join(',') }
  await qpdf(work, {
    from: source.name,
    to: 'out.pdf',
    job: {
      ...(words.length > 0 && { overlay }),
      ...(source.encrypted && { encryptionFilePassword: wishes.pdf_password ?? '' }),
    },
    args: ([input]) => (source.encrypted ? [`--copy-encryption=${input}`] : []),
  })
  await Promise.all(words.map(({ name }) => removeMade(work, name)))
  return ['out.pdf']
}
