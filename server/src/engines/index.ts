/** The list of engines. Adding one is one file and one line here. */
import type { Engine } from '../catalog/engine.ts'
import { appleIcon } from './apple-icon.ts'
import { calibre } from './calibre.ts'
import { chromium } from './chromium.ts'
import { comics } from './comics.ts'
import { data } from './data.ts'
import { dicom } from './dicom.ts'
import { djvu } from './djvu.ts'
import { ffmpeg } from './ffmpeg.ts'
import { ffmpegPictures } from './ffmpeg-pictures.ts'
import { fluidsynth } from './fluidsynth.ts'
import { ghostscript } from './ghostscript.ts'
import { gifsicle } from './gifsicle.ts'
import { heif } from './heif.ts'
import { jpegoptim } from './jpegoptim.ts'
import { jxl } from './jxl.ts'
import { magickEngine } from './magick.ts'
import { mail } from './mail.ts'
import { mupdf } from './mupdf.ts'
import { office } from './office.ts'
import { pandoc } from './pandoc.ts'
import { pdfLib } from './pdf-lib.ts'
import { pdfLibDocuments } from './pdf-lib-documents.ts'
import { pdfTools } from './pdf-tools.ts'
import { picturePages } from './picture-pages.ts'
import { pngquant } from './pngquant.ts'
import { poppler } from './poppler.ts'
import { potrace } from './potrace.ts'
import { raw } from './raw.ts'
import { repack } from './repack.ts'
import { rsvg } from './rsvg.ts'
import { sharp } from './sharp.ts'
import { sox } from './sox.ts'
import { svgo } from './svgo.ts'
import { tesseract } from './tesseract.ts'

export const engines: readonly Engine[] = [
  sharp,
  heif,
  jxl,
  raw,
  rsvg,
  magickEngine,
  ffmpegPictures,
  appleIcon,
  dicom,
  gifsicle,
  jpegoptim,
  pngquant,
  svgo,
  potrace,
  pdfLib,
  picturePages,
  pdfLibDocuments,
  pdfTools,
  ghostscript,
  mupdf,
  poppler,
  djvu,
  tesseract,
  chromium,
  ffmpeg,
  sox,
  fluidsynth,
  calibre,
  comics,
  data,
  mail,
  pandoc,
  repack,
  office,
]
