/** Small files that must be whole or absent, also after a crash, and that others must not read. */
import { randomUUID } from 'node:crypto'
import { chmod, link, open, readFile, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Puts the new content in the place of the old one. */
export async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  const draft = await writeDraft(path, content, mode)
  try {
    await rename(draft, path)
  } catch (error) {
    await unlink(draft)
    throw error
  }
  await settle(dirname(path))
}

/** Makes the file unless there is one; of several that try at once, the first wins. Gives what the file holds then. */
export async function createFile(path: string, content: string, mode: number): Promise<string> {
  const draft = await writeDraft(path, content, mode)
  try {
    await link(draft, path)
    await settle(dirname(path))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return readFile(path, 'utf8')
}

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function writeDraft(path: string, content: string, mode: number): Promise<string> {
  const draft = `${path}.${randomUUID()}.new`
  const file = await open(draft, 'wx', mode)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  // The process' umask may have taken more away than we asked for.
  await chmod(draft, mode)
  return draft
}

/** A new name is only safe on disk once its directory is. */
async function settle(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
