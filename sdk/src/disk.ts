/** Files on disk: read for an upload, written by a download. A file under its final name is always whole. */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bare, type Downloadable } from './download.ts'
import { ReforgeError } from './errors.ts'
import type { Reforge } from './reforge.ts'
import type { Reopenable } from './source.ts'

/** A file to upload. It is opened when it is sent, and read in pieces. */
export async function fileFromPath(path: string): Promise<Reopenable & { name: string }> {
  const { size } = await stat(path)
  return { size, name: basename(path), stream: () => createReadStream(path) }
}

export interface SaveOptions {
  /** Replace a file that is there; by default that is an error with the code `EEXIST`. */
  overwrite?: boolean
  onProgress?: (received: number, total: number | undefined) => void
  signal?: AbortSignal
}

export interface Saved {
  path: string
  size: number
}

/** Downloads to `path`, or into it under the file's own name when it is a folder. */
export async function save(
  reforge: Pick<Reforge, 'download'>,
  file: Downloadable,
  path: string,
  { overwrite = false, onProgress, signal }: SaveOptions = {},
): Promise<Saved> {
  const { stream, filename, size } = await reforge.download(file, signal ? { signal } : {})
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false
  const target = isFolder ? join(path, bare(filename) || 'download') : path
  await mkdir(dirname(target), { recursive: true })
  const partial = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.part`)
  let received = 0
  const count = new Transform({
    transform(piece: Buffer, _encoding, done) {
      received += piece.length
      onProgress?.(received, size)
      done(null, piece)
    },
  })
  try {
    await pipeline(stream, count, createWriteStream(partial, { flags: 'wx' }), signal ? { signal } : {})
    if (size !== undefined && received !== size)
      throw new ReforgeError(`The download broke off after ${received} of ${size} bytes.`, { code: 'network_error' })
    // Taking the name first makes two that save to the same place at once notice each other.
    if (!overwrite) await (await open(target, 'wx')).close()
    await rename(partial, target)
  } finally {
    await rm(partial, { force: true })
  }
  return { path: target, size: received }
}
