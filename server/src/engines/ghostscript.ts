/** Ghostscript: makes PDFs smaller, turns PostScript into PDF, and pages into one TIFF. */
import type { Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import * as pdf from '../catalog/vocabulary/pdf.ts'
import { distillArgs, tiffArgs } from './ghostscript/args.ts'
import { GHOSTSCRIPT, ghostscript as gs } from './ghostscript/run.ts'
import { madePages } from './kit/made-pages.ts'
import { patience } from './kit/patience.ts'
import { keepWarm } from './kit/warm.ts'
import { compressPdf } from './pdf-tools/compress.ts'
import { compressOptions } from './pdf-tools/compress-ways.ts'
import { checkCount, checkPixels, OPENING, openPdf, sizesOf } from './pdf-tools/document.ts'

/** What is larger may take its time. */
const SMALL = 2 ** 20
const { cpu, wall } = patience({ bytes: SMALL })
/** A child may write to the folder of its result alone; what goes round in circles is ended as soon as elsewhere. */
export const HABITS = { env: { TMPDIR: 'out' }, timeout: wall, cpu }
const warm = keepWarm('ghostscript', GHOSTSCRIPT.program, HABITS)

const nothing = options({})

const toTiff = options({
  pdf_dpi: pdf.pdf_dpi,
  pdf_pages: pdf.pdf_pages,
  pdf_password: pdf.pdf_password,
  tiff_multipage: option.boolean({
    label: 'All pages in one file',
    hint: 'One TIFF with all pages, or one for each page.',
    default: true,
  }),
  tiff_color: option.choice(
    { color: 'Colours', gray: 'Grayscale', bw: 'Black and white, as for fax' },
    { label: 'Colours', hint: 'What colours the pages keep.', default: 'color' },
  ),
  tiff_compression: option.choice(
    { none: 'None', lzw: 'LZW', packbits: 'PackBits' },
    {
      label: 'Compression',
      hint: 'How the pixels are packed; black and white is packed as by fax machines (G4).',
      default: 'lzw',
      more: true,
    },
  ),
})

async function distil(work: Work<typeof nothing>): Promise<readonly string[]> {
  const args = (source: string, to: string) => distillArgs(work.input.format === 'eps', source, to)
  const output = 'out.pdf'
  // What cannot be read is refused below.
  const said = work.input.size < SMALL ? await warm(work, { input: work.input, output, args }) : null
  if (said?.ok) return [output]
  await gs(work, ([source]) => args(source, output))
  return [output]
}

async function toTiffPages(work: Work<typeof toTiff>): Promise<readonly string[]> {
  const { pdf_dpi: dpi, tiff_color: kind, tiff_compression, tiff_multipage } = work.options
  const source = await openPdf(work, work.options)
  checkCount(source)
  const pixels = checkPixels(await sizesOf(work, source), dpi)
  const to = tiff_multipage ? 'page-1.tiff' : 'page-%04d.tiff'
  const compression = kind === 'bw' ? 'g4' : tiff_compression
  await gs(work, (inputs) => tiffArgs({ kind, dpi, compression }, source.at(inputs), to), {
    pages: source.pages,
    pixels,
  })
  return madePages(work, 'tiff', tiff_multipage ? 1 : source.pages)
}

export const ghostscript: Engine = {
  id: 'ghostscript',
  title: 'Ghostscript',
  tools: [GHOSTSCRIPT, ...OPENING],
  can: [
    { does: 'compress', from: ['pdf'], to: 'same', cost: 1, options: compressOptions, run: compressPdf },
    { does: 'convert', from: ['eps', 'ps', 'ai'], to: ['pdf'], cost: 1, options: nothing, run: distil },
    { does: 'convert', from: ['pdf'], to: ['tiff'], cost: 2, options: toTiff, run: toTiffPages },
  ],
}
