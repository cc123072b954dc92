/**
 * The commonest conversions as jobs, from request to link, each against the best tool for it run bare, from a file to a file:
 * a library that is warm, or a program started as on a command line. And a stream of small pictures against bare sharp.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { encodingOf, type Target } from '../src/engines/sharp/encodings.ts'
import { samplePdf } from '../test/support/sample-pdf.ts'
import { animation } from '../test/support/samples.ts'
import type { Caller } from './caller.ts'
import { photo } from './convert.ts'
import { inTurns, measure } from './measure.ts'
import { ms, perSecond, type Row } from './report.ts'

const MOST_RATIO = 1.1
const MOST_ADDED = 20
const LEAST_SHARE = 0.6
const [STREAM, AT_ONCE] = [100, 4]

const run = promisify(execFile)

export interface Pair {
  from: string
  to: string
  file: Uint8Array
  /** What the bare tool is, and does. */
  tool: string
  bare(): Promise<unknown>
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><defs><linearGradient id="g"><stop stop-color="#06c"/><stop offset="1" stop-color="#fc0"/></linearGradient></defs><rect width="600" height="400" fill="url(#g)"/>${Array.from({ length: 40 }, (_, n) => `<circle cx="${(n * 97) % 600}" cy="${(n * 61) % 400}" r="${10 + n}" fill="#fff" fill-opacity=".2"/>`).join('')}<text x="60" y="220" font-size="64">Reforge</text></svg>`

const page = (n: number) => ({
  width: 595,
  height: 842,
  text: `Page ${n}`,
  paint: Array.from(
    { length: 40 },
    (_, line) =>
      `BT /F 10 Tf 50 ${780 - line * 18} Td (Line ${line} of page ${n} with some words on it to be read) Tj ET`,
  ).join('\n'),
})

/** A program on a file, in a folder of the bench. */
export async function program(folder: string, [name, bytes]: [string, Uint8Array], command: string, ...args: string[]) {
  await writeFile(join(folder, name), bytes)
  return () => run(command, args, { cwd: folder, maxBuffer: 2 ** 24 })
}

/** Sharp as the service uses it by default, in one thread. */
export function picture(file: Uint8Array | string, to: Target, animated = false) {
  const made = encodingOf(to, {})
  if (made.as === 'pgm' || made.as === 'exr') throw new Error(`${made.as} is not sharp's own`)
  const read = sharp(file, { animated })
  return (to === 'jpg' ? read.flatten() : read).toFormat(made.as, made.with)
}

/** Results have names of their own, as in life: a file that is written again and again costs less. */
export async function library(folder: string, [name, bytes]: [string, Uint8Array], to: Target, animated = false) {
  const path = join(folder, name)
  await writeFile(path, bytes)
  let count = 0
  return () => picture(path, to, animated).toFile(`${path}.${count++}.${to}`)
}

async function binder(folder: string, jpg: Uint8Array) {
  const path = join(folder, 'bound.jpg')
  await writeFile(path, jpg)
  let count = 0
  return async () => {
    const document = await PDFDocument.create()
    const page = await document.embedJpg(await readFile(path))
    document.addPage([page.width, page.height]).drawImage(page)
    await writeFile(`${path}.${count++}.pdf`, await document.save())
  }
}

/** A file made of another by a program. */
export async function made(folder: string, from: [string, Uint8Array], to: string, command: string, ...args: string[]) {
  await (await program(folder, from, command, ...args))()
  return readFile(join(folder, to))
}

async function pairs(folder: string): Promise<Pair[]> {
  const png = await photo()
  const as = (to: Target) => picture(png, to).toBuffer()
  const [jpg, webp, avif, tiff] = [await as('jpg'), await as('webp'), await as('avif'), await as('tiff')]
  const gif = await animation('gif', ['#f00', '#0f0', '#00f', '#ff0'], [100, 100, 100, 100])
  const pdf = samplePdf({ pages: [page(1), page(2)] })
  const small = await photo(600, 417)
  const heic = await made(
    folder,
    ['a.png', small],
    'a.heic',
    'heif-enc',
    '-q',
    '60',
    '-p',
    'preset=ultrafast',
    'a.png',
    '-o',
    'a.heic',
  )
  const psd = await made(folder, ['a.png', small], 'a.psd', 'convert', 'a.png', 'a.psd')
  const bmp = await made(folder, ['a.png', small], 'a.bmp', 'convert', 'a.png', 'a.bmp')
  const eps = await made(
    folder,
    ['a.pdf', samplePdf({ pages: [page(1)] })],
    'a.eps',
    'pdftops',
    '-eps',
    'a.pdf',
    'a.eps',
  )
  const warm = async (from: string, to: Target, file: Uint8Array): Promise<Pair> => ({
    from,
    to,
    file,
    tool: 'sharp',
    bare: await library(folder, [`warm.${from}`, file], to, from === 'gif'),
  })
  const cold = async (
    from: string,
    to: string,
    file: Uint8Array,
    command: string,
    ...args: string[]
  ): Promise<Pair> => ({
    from,
    to,
    file,
    tool: command,
    bare: await program(folder, [`in.${from}`, file], command, ...args),
  })
  return [
    await warm('jpg', 'png', jpg),
    await warm('png', 'jpg', png),
    await warm('jpg', 'webp', jpg),
    await warm('png', 'webp', png),
    await warm('webp', 'jpg', webp),
    await warm('webp', 'png', webp),
    await cold('heic', 'jpg', heic, 'heif-convert', '-q', '85', 'in.heic', 'out.jpg'),
    await warm('avif', 'jpg', avif),
    await warm('jpg', 'avif', jpg),
    await warm('svg', 'png', Buffer.from(SVG)),
    await cold('svg', 'pdf', Buffer.from(SVG), 'rsvg-convert', '-f', 'pdf', '-o', 'out.pdf', 'in.svg'),
    await warm('gif', 'webp', gif),
    await warm('tiff', 'jpg', tiff),
    await cold('bmp', 'png', bmp, 'convert', 'in.bmp', 'out.png'),
    { from: 'jpg', to: 'pdf', file: jpg, tool: 'pdf-lib', bare: await binder(folder, jpg) },
    await cold(
      'pdf',
      'jpg',
      pdf,
      'pdftoppm',
      '-jpeg',
      '-jpegopt',
      'quality=90,optimize=y',
      '-r',
      '150',
      'in.pdf',
      'out',
    ),
    await cold('pdf', 'png', pdf, 'mutool', 'draw', '-q', '-F', 'png', '-r', '150', '-o', 'out-%d.png', 'in.pdf'),
    await cold('pdf', 'txt', pdf, 'pdftotext', 'in.pdf', 'out.txt'),
    await cold('psd', 'png', psd, 'convert', 'in.psd[0]', 'out.png'),
    await cold(
      'eps',
      'pdf',
      eps,
      'gs',
      '-q',
      '-dSAFER',
      '-dBATCH',
      '-dNOPAUSE',
      '-sDEVICE=pdfwrite',
      '-dEPSCrop',
      '-sOutputFile=out.pdf',
      'in.eps',
    ),
  ]
}

const jobTo = (output_format: string) => ({
  tasks: {
    import: { operation: 'import/upload' },
    convert: { operation: 'convert', input: 'import', output_format },
    export: { operation: 'export/url', input: 'convert' },
  },
})

export const served =
  (caller: Caller, { from, to, file }: Pick<Pair, 'from' | 'to' | 'file'>) =>
  async () => {
    const job = await caller.post(jobTo(to))
    await caller.upload(job, 'import', file, `bench.${from}`)
    await caller.wait(job)
  }

async function onePair(caller: Caller, pair: Pair, quick: boolean): Promise<Row> {
  const job = served(caller, pair)
  // Workers start, code gets warm.
  await measure(quick ? 3 : 20, 2, job)
  await measure(2, 1, pair.bare)
  const [rounds, each] = quick ? [3, 3] : [9, 5]
  const { one, other } = await inTurns(
    rounds,
    () => measure(each, 1, pair.bare),
    () => measure(each, 1, job),
  )
  const most = one.p50 * MOST_RATIO + MOST_ADDED
  return {
    what: `${pair.from} → ${pair.to}: ${pair.tool} ${ms(one.p50)}, a job`,
    value: ms(other.p50),
    target: `≤ ${ms(most)}`,
    ok: other.p50 <= most,
  }
}

async function stream(caller: Caller, folder: string, to: Target, quick: boolean): Promise<Row[]> {
  const file = await picture(await photo(400, 300), 'jpg').toBuffer()
  const bare = await library(folder, ['small.jpg', file], to)
  const job = served(caller, { from: 'jpg', to, file })
  await measure(STREAM, AT_ONCE, job)
  const { one, other } = await inTurns(
    quick ? 1 : 9,
    () => measure(STREAM, AT_ONCE, bare),
    () => measure(STREAM, AT_ONCE, job),
    'rate',
  )
  const share = other.rate / one.rate
  return [
    {
      what: `${STREAM} pictures of 400 × 300, ${AT_ONCE} at once, jpg → ${to}: bare sharp`,
      value: perSecond(one.rate),
    },
    {
      what: '  jobs',
      value: `${perSecond(other.rate)}, ${Math.round(share * 100)} %`,
      target: `≥ ${LEAST_SHARE * 100} %`,
      ok: share >= LEAST_SHARE,
    },
  ]
}

/** As a server is that has been at work for some minutes: the first pairs would pay for V8's compiling otherwise. */
async function warmUp(caller: Caller, quick: boolean): Promise<void> {
  const file = await picture(await photo(400, 300), 'jpg').toBuffer()
  await measure(quick ? 40 : 600, AT_ONCE, served(caller, { from: 'jpg', to: 'png', file }))
}

export async function pairing(caller: Caller, folder: string, quick: boolean): Promise<Row[]> {
  sharp.cache(false)
  sharp.concurrency(1)
  const rows: Row[] = []
  await warmUp(caller, quick)
  for (const pair of await pairs(folder)) rows.push(await onePair(caller, pair, quick))
  return [...rows, ...(await stream(caller, folder, 'webp', quick)), ...(await stream(caller, folder, 'png', quick))]
}
