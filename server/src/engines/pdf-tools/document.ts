/**
 * Looks at a PDF before anything is done with it: whether it opens, how many pages it has and how big they are. A password
 * and a choice of pages are dealt with here, once: what the engines then read is open and has just those pages.
 */
import { open } from 'node:fs/promises'
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { JsonObject } from '../../core/task.ts'
import { tool } from '../kit/tool.ts'
import { mend } from './mend.ts'
import { choosePages } from './pages.ts'
import { locked, QPDF, qpdf } from './qpdf.ts'

const PDFINFO = { program: '/usr/bin/pdfinfo', debian: 'poppler-utils' } as const

/** What `openPdf` needs; every engine that calls it declares them. */
export const OPENING = [PDFINFO, QPDF, { program: '@cantoo/pdf-lib' }] as const

/** Where a program sees the inputs. */
export type Inputs = readonly [string, ...string[]]

export interface Pdf {
  pages: number
  /** Of the pages, so far as they were looked at. */
  sizes: readonly PageSize[]
  encrypted: boolean
  /** Of PDF, like 1.4. */
  version: string
  /** What to read: the input itself, or a file in the work folder. */
  at(inputs: Inputs): string
  /** The name of that file, where it is not the input itself. */
  name: string | undefined
}

interface Wishes {
  pdf_password?: string
  pdf_pages?: string
}

/** Points; a turned page has them the other way round. */
export interface PageSize {
  width: number
  height: number
}

const [OPENED, MENDED, SOURCE] = ['opened.pdf', 'mended.pdf', 'source.pdf']
/** One task draws or reads at most so many. */
export const MOST_DRAWN = 2000

/** Opens the input with its password, mends it, and takes out the chosen pages, where there is anything to do. */
export async function openPdf(work: Work, { pdf_password, pdf_pages }: Wishes): Promise<Pdf> {
  const before = await look(work, undefined, pdf_password !== undefined)
  if (before.isLocked) await qpdf(work, { to: OPENED, job: { password: pdf_password ?? '', decrypt: '' } })
  const opened = before.isLocked ? await look(work, OPENED, true) : before
  const { pages, sizes, version, name } = isSound(opened) ? opened : await mended(work, opened, MENDED)
  const encrypted = before.isLocked || before.encrypted
  if (pdf_pages === undefined) return { pages, sizes, encrypted, version, ...reading(name) }
  const chosen = choosePages(pdf_pages, pages)
  if ('wrong' in chosen) throw new Failure('processing_failed', `pdf_pages cannot be taken: ${chosen.wrong}`)
  const job: JsonObject = { pages: [{ file: '.', range: chosen.pages.join(',') }], decrypt: '' }
  await qpdf(work, { from: name, to: SOURCE, job })
  const taken = chosen.pages.flatMap((page) => sizes[page - 1] ?? [])
  return { pages: chosen.pages.length, sizes: taken, encrypted, version, ...reading(SOURCE) }
}

const hasSize = ({ width, height }: PageSize): boolean => Math.min(width, height) > 0
const isSound = ({ pages, sizes }: Looked): boolean => pages > 0 && sizes.every(hasSize)

/** Documents say where they end, with little after it. */
async function endsAsOne(path: string): Promise<boolean> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2048), 0, 2048, Math.max(0, size - 2048))
  return buffer.subarray(0, bytesRead).includes('%%EOF')
}

/** What a reader would make of it; what has no page even then is refused. */
async function mended(work: Work, before: Looked, to: string): Promise<Looked> {
  try {
    // Of a document that was cut off nobody knows how many pages are gone.
    if (await endsAsOne(work.input.path)) {
      await mend(work, before.name, to)
      const after = await look(work, to, true)
      if (isSound(after)) return after
    }
  } catch (error) {
    if (!(error instanceof Failure && error.errorCode === 'processing_failed')) throw error
  }
  if (before.pages > 0) return before
  throw new Failure(
    'processing_failed',
    `"${work.input.filename}" is not a readable PDF: it is damaged or incomplete.`,
    before.words,
  )
}

/**
 * Makes a copy with a new list of pages, and answers its name, where the list is damaged; undefined where nothing is to be
 * mended. `from` is a file in the work folder, or undefined for the input. What is encrypted is left alone: the copy would
 * not be.
 */
export async function mendIfDamaged(work: Work, from: string | undefined, to: string): Promise<string | undefined> {
  if (work.input.size === 0) return undefined
  const found = await look(work, from, true)
  if (found.encrypted || isSound(found)) return undefined
  const { name } = await mended(work, found, to)
  if (name === to) return to
  throw new Failure('processing_failed', `"${work.input.filename}" is damaged: not all of its pages can be read.`)
}

const reading = (name: string | undefined): Pick<Pdf, 'at' | 'name'> => ({ name, at: (inputs) => name ?? inputs[0] })

/** Nothing needs to be done before the input is read. */
export const asItIs = ({ pdf_password, pdf_pages }: Wishes): boolean =>
  pdf_password === undefined && pdf_pages === undefined

interface Looked extends Info {
  /** Of a file in the work folder; undefined for the input. */
  name: string | undefined
  sizes: readonly PageSize[]
  isLocked: boolean
  /** What was said of it, for the log. */
  words: string
}

const NOTHING: Info = { pages: 0, encrypted: false, version: '' }

/** A lock is no error where a password can still be tried, nor is damage where something can still be mended. */
async function look(work: Work, name: string | undefined, hasPassword: boolean): Promise<Looked> {
  const { stdout, stderr, code } = await pdfinfo(work, name, ['-f', '1', '-l', String(MOST_DRAWN)])
  const isLocked = /Incorrect password/.test(stderr)
  if (isLocked && !hasPassword) throw locked(work, false, stderr)
  const info = (code === 0 && readInfo(stdout)) || NOTHING
  return { name, ...info, encrypted: isLocked || info.encrypted, sizes: readSizes(stdout), isLocked, words: stderr }
}

/** Whether a document in the work folder has so many pages, all with a size so far as they are looked at. */
export async function hasPages(work: Work, name: string, pages: number): Promise<boolean> {
  const found = await look(work, name, true)
  return found.pages === pages && isSound(found)
}

/** A program that stumbled may still have written a file that opens, only with fewer pages. */
export async function checkComplete(work: Work, name: string, { pages }: Pdf): Promise<void> {
  const made = readInfo((await pdfinfo(work, name, [])).stdout)?.pages ?? 0
  if (made === pages) return
  const { filename } = work.input
  throw new Failure('processing_failed', `"${filename}" is damaged: only ${made} of its ${pages} pages can be read.`)
}

const pdfinfo = (work: Work, name: string | undefined, args: readonly string[]) =>
  tool(work, {
    program: PDFINFO.program,
    args: (inputs) => [...args, name ?? inputs[0]],
    accepts: [1, 99],
    limits: { cpu: 20, wall: 30_000 },
  })

type Info = Pick<Pdf, 'pages' | 'encrypted' | 'version'>

export function readInfo(text: string): Info | null {
  const [, pages] = /^Pages:\s+(\d+)$/m.exec(text) ?? []
  if (pages === undefined) return null
  const [, version = ''] = /^PDF version:\s+(\d\.\d)$/m.exec(text) ?? []
  return { pages: Number(pages), encrypted: /^Encrypted:\s+yes/m.test(text), version }
}

export const readSizes = (text: string): PageSize[] =>
  [...text.matchAll(/^Page\s+\d+ size:\s+([\d.]+) x ([\d.]+) pts/gm)].map(([, width, height]) => ({
    width: Number(width),
    height: Number(height),
  }))

export const sizesOf = async (work: Work, { pages, sizes, name }: Pdf): Promise<readonly PageSize[]> =>
  sizes.length >= pages ? sizes : readSizes((await pdfinfo(work, name, ['-f', '1', '-l', String(pages)])).stdout)

/** The XMP of a PDF in the work folder. */
export const metadataOf = async (work: Work, name: string): Promise<string> =>
  (await pdfinfo(work, name, ['-meta'])).stdout

export function checkCount({ pages }: Pdf, most: number = MOST_DRAWN): void {
  if (pages > most)
    throw new Failure(
      'processing_failed',
      `The document has ${pages} pages; at most ${most} are possible here. Choose some with the option pdf_pages.`,
    )
}

/** A drawn page is held in memory whole. */
export const MOST_PIXELS = 1e8

/** A page that is none, as where the list of pages goes round in a circle. */
export function checkSizes(sizes: readonly PageSize[]): void {
  const bad = sizes.findIndex((size) => !hasSize(size))
  if (bad < 0) return
  const others = sizes.length > 1 ? ' Choose others with the option pdf_pages.' : ''
  throw new Failure('processing_failed', `Page ${bad + 1} has no size: the document is damaged.${others}`)
}

/** Answers the pixels of all pages together. */
export function checkPixels(sizes: readonly PageSize[], dpi: number): number {
  checkSizes(sizes)
  let pixels = 0
  for (const [index, { width, height }] of sizes.entries()) {
    const [across, down] = [Math.round((width * dpi) / 72), Math.round((height * dpi) / 72)]
    pixels += across * down
    if (across * down > MOST_PIXELS)
      throw new Failure(
        'processing_failed',
        `Page ${index + 1} would become ${across} × ${down} pixels; at most ${MOST_PIXELS / 1e6} million are possible. Lower the option pdf_dpi.`,
      )
  }
  return pixels
}
