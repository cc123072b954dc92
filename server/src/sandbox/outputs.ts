/**
 * Looks at what an engine says it has made before anybody else opens it. An engine that was taken over can leave a link to
 * a secret, a pipe that blocks its reader, or a second name of a file that is not its own.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../core/errors.ts'
import { LOOK } from '../core/look.ts'

export interface Output {
  path: string
  size: number
  /** Its first bytes, enough to tell what it is. */
  head: Buffer
}

/** `name` is a bare name in `dir`. Throws a Failure for anything but a plain file with one name. */
export async function openOutput(dir: string, name: string): Promise<Output> {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) throw refused(`not a bare name: ${name}`)
  // A folder the engine itself made could be a link as well.
  if (!(await lstat(dir).catch(() => null))?.isDirectory()) throw refused(`${dir} is not a folder`)
  const path = join(dir, name)
  const file = await openPlainly(path, name)
  try {
    const info = await file.stat()
    if (!info.isFile()) throw refused(`${name} is not a plain file`)
    if (info.nlink !== 1) throw refused(`${name} has ${info.nlink} names`)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(info.size, LOOK)), 0, undefined, 0)
    return { path, size: info.size, head: buffer.subarray(0, bytesRead) }
  } finally {
    await file.close()
  }
}

async function openPlainly(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw refused(`${name} cannot be opened: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const refused = (detail: string): Failure =>
  new Failure('processing_failed', 'The conversion did not produce a usable file.', detail)
