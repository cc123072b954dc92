/** Shows any picture as one that sharp reads, by programs other than those that our engines write it with. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ext } from '../../src/catalog/formats.ts'

const run = promisify(execFile)
const AS_THEY_ARE: readonly Ext[] = ['jpg', 'png', 'webp', 'avif', 'gif', 'tiff', 'svg', 'svgz']

type Command = (from: string, to: string) => [string, ...string[]]

const COMMANDS: Partial<Record<Ext, Command>> = {
  heic: (from, to) => ['/usr/bin/heif-convert', from, to],
  jxl: (from, to) => ['/usr/bin/djxl', from, to],
  pdf: (from, to) => ['/usr/bin/pdftoppm', '-png', '-r', '72', '-singlefile', from, to.replace(/\.png$/, '')],
  eps: (from, to) => ['/usr/bin/gs', '-q', '-dBATCH', '-dNOPAUSE', '-dEPSCrop', '-sDEVICE=png16m', `-o${to}`, from],
}

const byFfmpeg: Command = (from, to) => ['/usr/bin/ffmpeg', '-v', 'error', '-i', from, '-frames:v', '1', to]

export async function shown(bytes: Buffer, ext: Ext): Promise<Buffer> {
  if (AS_THEY_ARE.includes(ext)) return bytes
  // The last picture of an Apple icon, which is a PNG.
  if (ext === 'icns') return bytes.subarray(bytes.lastIndexOf('\x89PNG\r\n', undefined, 'latin1'))
  const dir = await mkdtemp(join(tmpdir(), 'reforge-shown-'))
  try {
    const [from, to] = [join(dir, `a.${ext}`), join(dir, 'b.png')]
    await writeFile(from, bytes)
    const [program, ...args] = (COMMANDS[ext] ?? byFfmpeg)(from, to)
    await run(program, args)
    return await readFile(to)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** All that ExifTool finds in a file, as text. */
export async function told(bytes: Buffer): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-told-'))
  try {
    const path = join(dir, 'a')
    await writeFile(path, bytes)
    // It ends with 1 where it knows the file only in part.
    const found = await run('/usr/bin/exiftool', ['-a', '-u', path]).catch((error) => {
      if (error.code === 1) return error as { stdout: string }
      throw error
    })
    return found.stdout
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
