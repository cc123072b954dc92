/**
 * Looks at what an engine says it has made before anybody else opens it. An engine that was taken over can leave a link to
 * a secret, a pipe that blocks its reader, or a second name of a file that is not its own.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../core/errors.ts'
import { LOOK } from '../core/look.ts'

export interface Output {
  path: string
  size: number
  /** Its first bytes, enough to tell what it is. */
  head: Buffer
}

/**
 * `name` is a bare name in `dir`. Throws a Failure for anything but a plain file with one name. It was written a moment
 * ago, so the kernel holds it in memory: asked at once, which costs a tenth of five trips to the thread pool.
 */
export async function openOutput(dir: string, name: string): Promise<Output> {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) throw refused(`not a bare name: ${name}`)
  // A folder the engine itself made could be a link as well.
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw refused(`${dir} is not a folder`)
  const path = join(dir, name)
  const file = openPlainly(path, name)
  try {
    const info = fstatSync(file)
    if (!info.isFile()) throw refused(`${name} is not a plain file`)
    if (info.nlink !== 1) throw refused(`${name} has ${info.nlink} names`)
    const head = Buffer.alloc(Math.min(info.size, LOOK))
    return { path, size: info.size, head: head.subarray(0, readSync(file, head, 0, head.length, 0)) }
  } finally {
    closeSync(file)
  }
}

function openPlainly(path: string, name: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw refused(`${name} cannot be opened: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const refused = (detail: string): Failure =>
  new Failure('processing_failed', 'The conversion did not produce a usable file.', detail)
