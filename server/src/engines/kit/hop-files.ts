/**
 * Small files between the runs of one hop. A program in a box may leave anything under any name, links out of its folder
 * included: nothing here follows one, whether it reads or writes.
 */
import { constants, type FileHandle, lstat, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'

type Hop = Pick<Work, 'dir'>

const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const refused = (): Failure => new Failure('processing_failed', 'The conversion produced no file.')

async function openPlain(work: Hop, name: string): Promise<FileHandle> {
  const file = await open(join(work.dir, name), PLAIN).catch(() => null)
  if (file === null) throw refused()
  const found = await file.stat()
  if (found.isFile() && found.nlink === 1) return file
  await file.close()
  throw refused()
}

/** The text of a file a program made, or its beginning. */
export async function readMade(work: Hop, name: string, most = 2 ** 24): Promise<string> {
  await using file = await openPlain(work, name)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, most)), 0, Math.min(size, most), 0)
  return buffer.toString('utf8', 0, bytesRead)
}

export async function sizeOfMade(work: Hop, name: string): Promise<number> {
  const found = await lstat(join(work.dir, name)).catch(() => null)
  if (!found?.isFile()) throw refused()
  return found.size
}

/** Puts a file of ours where a program will read it, in the place of whatever is there. */
export async function putFile(work: Hop, name: string, content: string | Uint8Array): Promise<void> {
  await removeMade(work, name)
  await writeFile(join(work.dir, name), content, { mode: 0o600, flag: 'wx' })
}

export const removeMade = (work: Hop, name: string): Promise<void> =>
  rm(join(work.dir, name), { recursive: true, force: true })
