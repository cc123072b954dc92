/** Removes a folder a boxed program has written in, whatever it left there. */
import { execFile } from 'node:child_process'
import { rm, rmdir } from 'node:fs/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Folders closed to their owner and paths longer than the system takes stop `rm` of Node, not the system's own. */
export async function removeTree(dir: string): Promise<void> {
  try {
    // Most often everything in it was taken over, and it is empty.
    await rmdir(dir)
    return
  } catch {
    // It is not, or not there.
  }
  try {
    await rm(dir, { recursive: true, force: true })
  } catch {
    await execute('/bin/chmod', ['-R', 'u+rwX', '--', dir], { env: {} }).catch(() => {})
    await execute('/bin/rm', ['-rf', '--', dir], { env: {} })
  }
}
