/** How much a box has on disk, told so that it cannot hide any. Only looks. */
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** An empty file costs the disk something too: without a floor a million of them would count as nothing. */
const LEAST = 4096

/**
 * Bytes below the folders; once they are more than `enough` it looks no further. What cannot be looked at (a folder closed
 * to us, a path longer than the system takes) counts as too much: no engine makes such a thing, only somebody who hides.
 */
export async function diskUse(folders: readonly string[], enough: number): Promise<number> {
  let bytes = 0
  const waiting = [...folders]
  try {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const entry of await unlessGone(readdir(folder, { withFileTypes: true }), [])) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) waiting.push(path)
        bytes += Math.max(LEAST, await unlessGone(blocks(path), 0))
        if (bytes > enough) return bytes
      }
    }
    return bytes
  } catch {
    return Infinity
  }
}

/** Bytes of files on the given devices that were deleted while these processes keep them open. */
export async function deletedButOpen(pids: readonly number[], devices: ReadonlySet<number>): Promise<number> {
  const files = new Map<string, number>()
  for (const pid of pids) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const file = await stat(`/proc/${pid}/fd/${fd}`).catch(() => null)
      if (!file?.isFile() || file.nlink > 0 || !devices.has(file.dev)) continue
      files.set(`${file.dev} ${file.ino}`, file.blocks * 512)
    }
  }
  return files.values().reduce((sum, bytes) => sum + bytes, 0)
}

const blocks = async (path: string): Promise<number> => (await lstat(path)).blocks * 512

/** The program may delete while we look. */
async function unlessGone<T>(looking: Promise<T>, nothing: T): Promise<T> {
  try {
    return await looking
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return nothing
    throw error
  }
}
