/**
 * MuPDF's mutool: pages of a PDF as PNG and HTML, and XPS and comics as PDF. Pages that it does not get through are drawn by
 * Poppler. Changing a PDF is not done here.
 */
import type { Engine, Work } from '../catalog/engine.ts'
import { options, type Values } from '../catalog/option.ts'
import { image_grayscale } from '../catalog/vocabulary/image.ts'
import * as pdf from '../catalog/vocabulary/pdf.ts'
import { checkPacked } from './kit/packed.ts'
import { patience } from './kit/patience.ts'
import { tool } from './kit/tool.ts'
import { keepWarm } from './kit/warm.ts'
import { checkCount, OPENING, openPdf } from './pdf-tools/document.ts'
import { BRIEFLY, DRAWING, type Drawing, drawnBy, drawPages, TOPPM } from './pdf-tools/draw.ts'

const MUTOOL = { program: '/usr/bin/mutool', debian: 'mupdf-tools' }

const warm = keepWarm('mutool', MUTOOL.program, { ...DRAWING, cpu: BRIEFLY })
const PAGES = 'page-%04d.png'

const { pdf_dpi, pdf_pages, pdf_password, pdf_transparent, pdf_html_layout } = pdf
const toPng = options({ pdf_dpi, pdf_pages, pdf_password, pdf_transparent, image_grayscale })
const toHtml = options({ pdf_html_layout, pdf_pages, pdf_password })
const nothing = options({})

/** It exits so when something on a page could not be drawn, after drawing the rest as others do. */
const SOME_TROUBLE = 1

export const pngArgs = ({
  pdf_dpi: dpi,
  pdf_transparent: clear,
  image_grayscale: gray,
}: Values<typeof toPng>): string[] => [
  ...['draw', '-q', '-i', '-F', 'png', '-r', String(dpi)],
  ...['-c', `${gray ? 'gray' : 'rgb'}${clear ? (gray ? 'alpha' : 'a') : ''}`],
]

/** As `pngArgs`; only a transparent page is nothing it can make. */
const otherPngArgs = ({ pdf_dpi: dpi, image_grayscale: gray }: Values<typeof toPng>): string[] => [
  ...['-png', '-r', String(dpi), '-cropbox'],
  ...(gray ? ['-gray'] : []),
]

function draw(work: Work<typeof toPng>): Promise<readonly string[]> {
  const otherwise: Drawing['stretch'] = (from, first, last, limits) =>
    tool(work, {
      program: TOPPM.program,
      args: (inputs) => [...otherPngArgs(work.options), '-f', `${first}`, '-l', `${last}`, from(inputs), 'page'],
      limits,
    })
  const args = (first: number, last: number, from: string, to: string): string[] => [
    ...pngArgs(work.options),
    ...['-o', to, from, `${first}-${last}`],
  ]
  return drawPages(work, {
    wishes: work.options,
    ending: 'png',
    warmly: (last) => drawnBy(warm, work, PAGES, 'png', (from, to) => args(1, last, from, to)),
    stretch: (from, first, last, limits) =>
      tool(work, {
        program: MUTOOL.program,
        args: (inputs) => args(first, last, from(inputs), PAGES),
        accepts: [SOME_TROUBLE],
        limits,
      }),
    ...(!work.options.pdf_transparent && { otherwise }),
    // It does not say how many pages there are, but it does say that one could not be drawn, even where it exits with 0.
    wentWell: ({ code, stderr }, drawn) => (code === 0 && !/error/.test(stderr) ? drawn : null),
  })
}

async function write(work: Work<typeof toHtml>): Promise<readonly string[]> {
  const source = await openPdf(work, work.options)
  checkCount(source)
  const format = work.options.pdf_html_layout === 'flow' ? 'xhtml' : 'html'
  await tool(work, {
    program: MUTOOL.program,
    args: (inputs) => ['draw', '-q', '-i', '-F', format, '-o', 'out.html', source.at(inputs)],
    accepts: [SOME_TROUBLE],
    limits: patience({ bytes: work.input.size, pages: source.pages }),
  })
  return ['out.html']
}

async function bind(work: Work<typeof nothing>): Promise<readonly string[]> {
  await checkPacked(work.input)
  await tool(work, {
    program: MUTOOL.program,
    args: ([source]) => ['convert', '-F', 'pdf', '-O', 'compress,garbage', '-o', 'out.pdf', source],
    limits: patience({ bytes: work.input.size }),
  })
  return ['out.pdf']
}

export const mupdf: Engine = {
  id: 'mupdf',
  title: 'MuPDF',
  tools: [...OPENING, MUTOOL, TOPPM],
  can: [
    { does: 'convert', from: ['pdf'], to: ['png'], cost: 1, options: toPng, run: draw },
    { does: 'convert', from: ['pdf'], to: ['html'], cost: 3, terminal: true, options: toHtml, run: write },
    { does: 'convert', from: ['xps', 'cbz'], to: ['pdf'], cost: 2, options: nothing, run: bind },
  ],
}
