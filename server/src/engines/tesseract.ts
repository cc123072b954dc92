/**
 * Tesseract: recognises text in pictures and in scanned PDFs. What becomes a PDF shows what it showed before, with the words
 * behind it, to search and to copy. It takes seconds a page: where another engine makes the same pair without recognising
 * anything, that is the usual way, and this one is taken when it is asked for by name.
 */
import type { Engine, Work } from '../catalog/engine.ts'
import { options } from '../catalog/option.ts'
import * as ocr from '../catalog/vocabulary/ocr.ts'
import * as pdf from '../catalog/vocabulary/pdf.ts'
import { Failure } from '../core/errors.ts'
import { readMade } from './kit/hop-files.ts'
import { OPENING } from './pdf-tools/document.ts'
import { TOPPM } from './pdf-tools/draw.ts'
import { searchablePdf, TOTEXT, textOfPdf } from './tesseract/pdf.ts'
import { reading, recognise, TESSERACT } from './tesseract/run.ts'

const ofPdf = options({
  ...reading,
  ocr_pages: ocr.ocr_pages,
  pdf_pages: pdf.pdf_pages,
  pdf_password: pdf.pdf_password,
})

const PICTURES = ['png', 'jpg', 'tiff'] as const

async function found(work: Work, name: string): Promise<readonly string[]> {
  if ((await readMade(work, name)).trim() !== '') return [name]
  throw new Failure('processing_failed', `No text was found in "${work.input.filename}".`)
}

async function textOfPicture(work: Work<typeof reading>): Promise<readonly string[]> {
  await recognise(work, work.options, { as: 'txt' }, 'out')
  return found(work, 'out.txt')
}

async function pictureToPdf(work: Work<typeof reading>): Promise<readonly string[]> {
  await recognise(work, work.options, { as: 'pdf' }, 'out')
  return ['out.pdf']
}

async function pdfToText(work: Work<typeof ofPdf>): Promise<readonly string[]> {
  await textOfPdf(work, work.options)
  return found(work, 'out.txt')
}

export const tesseract: Engine = {
  id: 'tesseract',
  title: 'Tesseract OCR',
  tools: [TESSERACT, TOPPM, TOTEXT, ...OPENING],
  can: [
    { does: 'convert', from: PICTURES, to: ['txt'], cost: 4, terminal: true, options: reading, run: textOfPicture },
    {
      does: 'convert',
      from: PICTURES,
      to: ['pdf'],
      cost: 9,
      embeds: true,
      onRequest: true,
      options: reading,
      run: pictureToPdf,
    },
    {
      does: 'convert',
      from: ['pdf'],
      to: ['pdf'],
      cost: 9,
      onRequest: true,
      options: ofPdf,
      run: (work: Work<typeof ofPdf>) => searchablePdf(work, work.options),
    },
    {
      does: 'convert',
      from: ['pdf'],
      to: ['txt'],
      cost: 9,
      onRequest: true,
      terminal: true,
      options: ofPdf,
      run: pdfToText,
    },
  ],
}
