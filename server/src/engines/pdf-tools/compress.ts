/**
 * Makes a PDF smaller: by repacking it, by reducing its pictures, or as far as a given size needs. Never bigger: then the
 * input itself is the result. A protected document stays protected as it was.
 */
import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { compressArgs } from '../ghostscript/args.ts'
import { ghostscript } from '../ghostscript/run.ts'
import { removeMade, sizeOfMade } from '../kit/hop-files.ts'
import { METADATA, removeEntries } from './catalog.ts'
import { type compressOptions, ladder, type Way, wayOf } from './compress-ways.ts'
import { checkComplete, checkSizes, openPdf, type Pdf } from './document.ts'
import { qpdf } from './qpdf.ts'

type Job = Work<typeof compressOptions>

interface Made {
  name: string
  size: number
  way: Way
}

export async function compressPdf(job: Job): Promise<readonly string[]> {
  const source = await openPdf(job, job.options)
  checkSizes(source.sizes)
  const most = job.options.compress_max_filesize
  const made = most === undefined ? await asAsked(job, source) : await reached(job, source, most)
  if (most !== undefined) tellWay(job, made.way)
  const { pdf_grayscale, strip, pdf_linearize } = job.options
  if (made.size < job.input.size || pdf_grayscale || strip || pdf_linearize) return [made.name]
  await removeMade(job, 'same.pdf')
  await copyFile(job.input.path, join(job.dir, 'same.pdf'), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  job.tell('unchanged', true)
  return ['same.pdf']
}

/** What a size cost. */
function tellWay(job: Job, way: Way): void {
  if (way?.dpi !== undefined) job.tell('pdf_image_dpi', way.dpi)
  if (way?.quality !== undefined) job.tell('pdf_image_quality', way.quality)
}

/** Where Ghostscript leaves JPEG pictures as they are, they may still be packed tighter than they were. */
const TIGHTER = { screen: 55, ebook: 70 } as const
/** Of the input: above this a further try is worth its time. */
const DISAPPOINTING = 0.7

/** As the profile says; where that brings little, its pictures are packed anew; text alone may only need repacking. */
async function asAsked(job: Job, source: Pdf): Promise<Made> {
  const way = wayOf(job.options)
  let best = await pack(job, source, way, 'asked.pdf')
  if (way === null) return best
  const consider = async (other: Way, name: string): Promise<void> => {
    const made = await pack(job, source, other, name)
    if (made.size < best.size) best = made
  }
  const { profile, quality } = way
  if (
    (profile === 'screen' || profile === 'ebook') &&
    quality === undefined &&
    best.size > job.input.size * DISAPPOINTING
  )
    await consider({ ...way, quality: TIGHTER[profile] }, 'tighter.pdf')
  if (!way.gray && best.size >= job.input.size) await consider(null, 'repacked.pdf')
  return best
}

/** The best way whose result is small enough, found by halving: each try costs seconds. */
async function reached(job: Job, source: Pdf, most: number): Promise<Made> {
  const ways = ladder(job.options)
  let best: Made | null = null
  let smallest = Number.POSITIVE_INFINITY
  let tries = 0
  const fits = async (step: number): Promise<boolean> => {
    const made = await pack(job, source, ways[step] ?? null, `step-${step}.pdf`)
    job.progress((++tries * 100) / (Math.ceil(Math.log2(ways.length)) + 2))
    smallest = Math.min(smallest, made.size)
    if (made.size > most) await removeMade(job, made.name)
    else best = made
    return made.size <= most
  }
  let [low, high] = [0, ways.length - 1]
  if (!(await fits(0)) && high > 0 && (await fits(high))) {
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (await fits(middle)) high = middle
      else low = middle
    }
  }
  return best ?? unreachable(job, most, smallest)
}

function unreachable({ input }: Job, most: number, smallest: number): never {
  throw new Failure(
    'processing_failed',
    `"${input.filename}" cannot be made as small as ${shown(most)}; the smallest reachable size is ${shown(smallest)}.`,
  )
}

/** Rounded up, so that asking for that size succeeds. */
const shown = (bytes: number): string =>
  bytes >= 1e6 ? `${Math.ceil(bytes / 1e5) / 10} MB` : `${Math.ceil(bytes / 100) / 10} KB`

async function pack(job: Job, source: Pdf, way: Way, name: string): Promise<Made> {
  let at = source.name
  if (way !== null) {
    const { pages } = source
    await ghostscript(job, (inputs) => compressArgs(way, source.at(inputs), 'reduced.pdf'), { pages })
    await checkComplete(job, 'reduced.pdf', source)
    at = 'reduced.pdf'
  }
  if (job.options.strip) {
    await removeEntries(job, at, 'stripped.pdf', METADATA)
    at = 'stripped.pdf'
  }
  await qpdf(job, {
    from: at,
    to: name,
    job: {
      ...{ objectStreams: 'generate', compressStreams: 'y', recompressFlate: '', compressionLevel: '9' },
      ...(job.options.pdf_linearize && { linearize: '' }),
      ...(source.encrypted && { encryptionFilePassword: job.options.pdf_password ?? '' }),
    },
    args: ([input]) => (source.encrypted ? [`--copy-encryption=${input}`] : []),
  })
  await removeMade(job, 'reduced.pdf')
  return { name, size: await sizeOfMade(job, name), way }
}
