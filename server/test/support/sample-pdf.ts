/** PDFs written by hand, to know exactly what is in them, and a way to look at results with other programs. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface SamplePage {
  width?: number
  height?: number
  text?: string
  /** What is painted below the text, in the language of PDF pages; `/I Do` paints the first of the objects. */
  paint?: string
  /** Further entries of the page. */
  more?: string
}

export interface SamplePdf {
  pages: readonly SamplePage[]
  /** Further entries of the catalog. */
  catalog?: string
  /** Further objects, numbered from 10 on. */
  objects?: readonly string[]
  title?: string
}

export const stream = (content: string, entries = ''): string =>
  `<<${entries}/Length ${Buffer.byteLength(content, 'latin1')}>>\nstream\n${content}\nendstream`

/** Objects: 1 catalog, 2 pages, 3 font, 4 information, 10… given, then two for each page. */
export function samplePdf({ pages, catalog = '', objects = [], title = 'Sample' }: SamplePdf): Buffer {
  const numbered = new Map<number, string>()
  const first = 10 + objects.length
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`)
  numbered.set(1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`)
  numbered.set(2, `<</Type/Pages/Count ${pages.length}/Kids[${kids.join(' ')}]>>`)
  numbered.set(3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
  numbered.set(4, `<</Title(${title})/Author(Somebody)>>`)
  for (const [index, object] of objects.entries()) numbered.set(10 + index, object)
  for (const [index, { width = 300, height = 200, text = '', paint = '', more = '' }] of pages.entries()) {
    const at = first + 2 * index
    const box = `/MediaBox[0 0 ${width} ${height}]`
    const has = `/Resources<</Font<</F 3 0 R>>${paint.includes('/I Do') ? '/XObject<</I 10 0 R>>' : ''}>>`
    numbered.set(at, `<</Type/Page/Parent 2 0 R${box}${has}/Contents ${at + 1} 0 R${more}>>`)
    numbered.set(at + 1, stream(`${paint}\nBT 0 g /F 24 Tf 20 ${height / 2} Td (${text}) Tj ET`))
  }
  return written(numbered)
}

function written(numbered: ReadonlyMap<number, string>): Buffer {
  const size = Math.max(...numbered.keys()) + 1
  const places = new Map<number, number>()
  let text = '%PDF-1.7\n'
  for (const [number, object] of numbered) {
    places.set(number, text.length)
    text += `${number} 0 obj\n${object}\nendobj\n`
  }
  const lines = Array.from({ length: size }, (_, number) => {
    const place = places.get(number)
    return place === undefined ? '0000000000 65535 f ' : `${String(place).padStart(10, '0')} 00000 n `
  })
  const end = `trailer\n<</Size ${size}/Root 1 0 R/Info 4 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${size}\n${lines.join('\n')}\n${end}`, 'latin1')
}

/** What a program says of some bytes; `{}` in its arguments is where they lie. A failure of it fails the test. */
export async function ask(program: string, args: readonly string[], bytes: Uint8Array, ext = 'pdf'): Promise<string> {
  const { said } = await through(program, args, bytes, ext)
  return said
}

/** What a program makes of some bytes: `{}` in its arguments is where they lie, `{out}` where the result goes, `ending` added by itself. */
export async function through(program: string, args: readonly string[], bytes: Uint8Array, ext = 'pdf', ending = '') {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-look-'))
  try {
    const [path, out] = [join(dir, `in.${ext}`), join(dir, 'out')]
    await writeFile(path, bytes)
    const placed = args.map((arg) => arg.replace('{}', path).replace('{out}', out))
    const { stdout } = await run(program, placed, { maxBuffer: 2 ** 26, timeout: 60_000, cwd: dir })
    return {
      said: stdout,
      made: placed.some((arg) => arg.includes(out)) ? await readFile(`${out}${ending}`) : Buffer.alloc(0),
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** One line of `pdfinfo`, or undefined. */
export async function pdfFact(bytes: Uint8Array, name: string, ...args: string[]): Promise<string | undefined> {
  const text = await ask('pdfinfo', [...args, '{}'], bytes)
  return new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(text)?.[1]
}

export const pdfWords = async (bytes: Uint8Array): Promise<string> =>
  (await ask('mutool', ['draw', '-q', '-F', 'txt', '{}'], bytes)).replace(/\s+/g, ' ').trim()

/** Throws when the file has a fault. */
export const soundPdf = (bytes: Uint8Array): Promise<string> => ask('qpdf', ['--check', '{}'], bytes)

/** Everything in the file, unpacked, as text. */
export const unpacked = (bytes: Uint8Array): Promise<string> =>
  ask('qpdf', ['--qdf', '--object-streams=disable', '--decrypt', '{}', '-'], bytes)

/** The document under a password. */
export const lockedPdf = async (bytes: Uint8Array, user: string, owner = 'owner'): Promise<Buffer> =>
  (await through('qpdf', ['--encrypt', user, owner, '256', '--', '{}', '{out}'], bytes)).made
