/** The list of engines. Adding one is one file and one line here. */
import type { Engine } from '../catalog/engine.ts'
import { djvu } from './djvu.ts'
import { ghostscript } from './ghostscript.ts'
import { gifsicle } from './gifsicle.ts'
import { heif } from './heif.ts'
import { jpegoptim } from './jpegoptim.ts'
import { jxl } from './jxl.ts'
import { magickEngine } from './magick.ts'
import { mupdf } from './mupdf.ts'
import { pdfLib } from './pdf-lib.ts'
import { pdfLibDocuments } from './pdf-lib-documents.ts'
import { pdfTools } from './pdf-tools.ts'
import { pngquant } from './pngquant.ts'
import { poppler } from './poppler.ts'
import { potrace } from './potrace.ts'
import { raw } from './raw.ts'
import { rsvg } from './rsvg.ts'
import { sharp } from './sharp.ts'
import { svgo } from './svgo.ts'
import { tesseract } from './tesseract.ts'

export const engines: readonly Engine[] = [
  sharp,
  heif,
  jxl,
  raw,
  rsvg,
  magickEngine,
  gifsicle,
  jpegoptim,
  pngquant,
  svgo,
  potrace,
  pdfLib,
  pdfLibDocuments,
  pdfTools,
  ghostscript,
  mupdf,
  poppler,
  djvu,
  tesseract,
]
