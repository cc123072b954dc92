/** Poppler's programs: pages of a PDF as pictures, drawings, PostScript and text. Changing a PDF is not done here. */
import type { Engine, Work } from '../catalog/engine.ts'
import { options, type Values } from '../catalog/option.ts'
import { image_grayscale, jpg_progressive, quality } from '../catalog/vocabulary/image.ts'
import * as pdf from '../catalog/vocabulary/pdf.ts'
import { Failure } from '../core/errors.ts'
import { readMade } from './kit/hop-files.ts'
import { madePages, padded } from './kit/made-pages.ts'
import { patience } from './kit/patience.ts'
import { tool } from './kit/tool.ts'
import { keepWarm } from './kit/warm.ts'
import { asItIs, checkCount, checkSizes, type Inputs, OPENING, openPdf, type Pdf } from './pdf-tools/document.ts'
import { DRAWING, drawnBy, drawPages, TOPPM } from './pdf-tools/draw.ts'

const TOTEXT = '/usr/bin/pdftotext'
const TOCAIRO = '/usr/bin/pdftocairo'
const TOPS = '/usr/bin/pdftops'

const warmToText = keepWarm('pdftotext', TOTEXT)
const warmToPictures = keepWarm('pdftoppm', TOPPM.program, DRAWING)

const { pdf_pages, pdf_password, pdf_dpi, pdf_text_layout, pdf_text_page_breaks } = pdf
const opening = { pdf_pages, pdf_password }
const toJpg = options({ pdf_dpi, quality: quality(90), ...opening, image_grayscale, jpg_progressive })
const toText = options({ pdf_text_layout, ...opening, pdf_text_page_breaks })
const toDrawing = options(opening)

/** It could not open the document. */
const TROUBLE = 1
/** Of a small document: more pages than most have. */
const [SMALL, MANY] = [2e6, 10]
/** Every page is a run of its own. */
const MOST_DRAWINGS = 500

export const jpegArgs = (wishes: Values<typeof toJpg>): string[] => [
  '-jpeg',
  ...['-r', String(wishes.pdf_dpi), '-cropbox'],
  ...['-jpegopt', `quality=${wishes.quality},progressive=${wishes.jpg_progressive ? 'y' : 'n'},optimize=y`],
  ...(wishes.image_grayscale ? ['-gray'] : []),
]

export const textArgs = ({
  pdf_text_layout: layout,
  pdf_text_page_breaks: breaks,
}: Values<typeof toText>): string[] => [
  ...['-enc', 'UTF-8', '-eol', 'unix'],
  ...(layout === 'page' ? ['-layout'] : []),
  ...(breaks ? [] : ['-nopgbrk']),
]

function draw(work: Work<typeof toJpg>): Promise<readonly string[]> {
  const args = (first: number, last: number, from: string, to: string): string[] => [
    ...[...jpegArgs(work.options), '-progress', '-f', String(first), '-l', String(last)],
    ...[from, to],
  ]
  return drawPages(work, {
    wishes: work.options,
    ending: 'jpg',
    warmly: (last) => drawnBy(warmToPictures, work, 'page', 'jpg', (from, to) => args(1, last, from, to)),
    stretch: (from, first, last, limits) =>
      tool(work, { program: TOPPM.program, args: (inputs) => args(first, last, from(inputs), 'page'), limits }),
    // It says of every page which one it is and which will be the last. What it cannot draw it leaves blank.
    wentWell: ({ stderr }) =>
      /memory|Error/.test(stderr) ? null : Number(/^\d+ (\d+) \S*page-\d+\.jpg$/m.exec(stderr)?.[1] ?? 0),
  })
}

/** The beginning tells enough: what has a hundred blank pages first has no text worth the name. */
const hasText = async (work: Work): Promise<boolean> => (await readMade(work, 'out.txt', 65_536)).trim() !== ''

async function readText(work: Work<typeof toText>): Promise<readonly string[]> {
  const write = (from: (inputs: Inputs) => string, pages: number) =>
    tool(work, {
      program: TOTEXT,
      args: (inputs) => [...textArgs(work.options), from(inputs), 'out.txt'],
      accepts: [TROUBLE],
      limits: patience({ bytes: work.input.size, pages }),
    })
  // What opens and has text need not be looked at first.
  if (asItIs(work.options) && work.input.size < SMALL) {
    const said = await warmToText(work, {
      input: work.input,
      output: 'out.txt',
      args: (input, output) => [...textArgs(work.options), input, output],
    })
    const ok = said?.ok ?? (await write(([input]) => input, MANY)).code === 0
    if (ok && (await hasText(work))) return ['out.txt']
  }
  const source = await openPdf(work, work.options)
  await write((inputs) => source.at(inputs), source.pages)
  if (!(await hasText(work))) {
    checkSizes(source.sizes)
    throw new Failure(
      'processing_failed',
      `"${work.input.filename}" has no text in it; its pages are probably pictures. With engine set to tesseract, text in them is recognised.`,
    )
  }
  return ['out.txt']
}

/** One page a run; these programs put all pages of a longer stretch into one file, where only one belongs. */
async function onePageEach(
  work: Work<typeof toDrawing>,
  program: string,
  args: (source: string, page: number, name: string) => string[],
): Promise<readonly string[]> {
  const source: Pdf = await openPdf(work, work.options)
  checkCount(source, MOST_DRAWINGS)
  const limits = patience({ bytes: work.input.size })
  for (let page = 1; page <= source.pages; page += 1) {
    const name = `page-${padded(page, source.pages)}.${work.to}`
    await tool(work, { program, args: (inputs) => args(source.at(inputs), page, name), limits })
    work.progress((page / source.pages) * 100)
  }
  return madePages(work, work.to, source.pages)
}

const only = (page: number): string[] => ['-f', String(page), '-l', String(page)]

async function toPostScript(work: Work<typeof toDrawing>): Promise<readonly string[]> {
  const source = await openPdf(work, work.options)
  await tool(work, {
    program: TOPS,
    args: (inputs) => ['-level3', '-origpagesizes', source.at(inputs), 'out.ps'],
    limits: patience({ bytes: work.input.size, pages: source.pages }),
  })
  return ['out.ps']
}

const brings = (program: string) => ({ program, debian: 'poppler-utils' })

export const poppler: Engine = {
  id: 'poppler',
  title: 'Poppler',
  tools: [...OPENING, TOPPM, ...[TOTEXT, TOCAIRO, TOPS].map(brings)],
  can: [
    { does: 'convert', from: ['pdf'], to: ['jpg'], cost: 1, options: toJpg, run: draw },
    { does: 'convert', from: ['pdf'], to: ['txt'], cost: 1, terminal: true, options: toText, run: readText },
    {
      does: 'convert',
      from: ['pdf'],
      to: ['svg'],
      cost: 1,
      options: toDrawing,
      run: (work: Work<typeof toDrawing>) =>
        onePageEach(work, TOCAIRO, (source, page, name) => ['-svg', ...only(page), source, name]),
    },
    {
      does: 'convert',
      from: ['pdf'],
      to: ['eps'],
      cost: 2,
      options: toDrawing,
      run: (work: Work<typeof toDrawing>) =>
        onePageEach(work, TOPS, (source, page, name) => ['-eps', '-level3', ...only(page), source, name]),
    },
    { does: 'convert', from: ['pdf'], to: ['ps'], cost: 2, options: toDrawing, run: toPostScript },
  ],
}
