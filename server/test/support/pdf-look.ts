/** Looks at PDFs with Poppler and MuPDF, never with what made them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { through } from './sample-pdf.ts'

const run = promisify(execFile)

/** One page as a PNG, as it is shown. */
export const drawn = async (bytes: Uint8Array, page = 1, dpi = 72): Promise<Buffer> =>
  (await through('mutool', ['draw', '-q', '-F', 'png', '-r', String(dpi), '-o', '{out}', '{}', String(page)], bytes))
    .made

/** The pictures in the file as they are stored: their bytes by file name. */
export async function storedPictures(bytes: Uint8Array): Promise<{ name: string; bytes: Buffer }[]> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-look-'))
  try {
    await writeFile(join(dir, 'in.pdf'), bytes)
    await run('pdfimages', ['-all', 'in.pdf', 'picture'], { cwd: dir, timeout: 60_000 })
    const names = (await readdir(dir)).filter((name) => name !== 'in.pdf').sort()
    return await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(dir, name)) })))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Title, depth and page of every bookmark, from top to bottom; a mere heading has page 0. */
export async function bookmarksOf(bytes: Uint8Array): Promise<[title: string, depth: number, page: number][]> {
  const { said } = await through('mutool', ['show', '{}', 'outline'], bytes)
  return [...said.matchAll(/^.(\t+)("(?:[^"\\]|\\.)*")\t(?:#page=(\d+))?/gm)].map(
    ([, indent = '', title = '', page]) => [JSON.parse(title), indent.length, Number(page ?? 0)],
  )
}
