/**
 * A folder that one warm process can only read. Inputs are laid there by a second name, so that the process reads them
 * from the disk itself: sending a megabyte over its standard streams costs as much processor time as all the rest of a
 * small task. It is empty between two questions.
 */
import { linkSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export const SHELF_INSIDE = '/shelf'

export interface Shelf {
  readonly folder: string
  /** Answers the paths in the box, or null where it cannot be done: a file on another disk, or not for all to read. */
  lay(paths: readonly string[]): string[] | null
  clear(): void
}

const FOR_ALL = 0o444

export function createShelf(folder: string): Shelf {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  let laid: string[] = []

  const clear = (): void => {
    for (const path of laid) rmSync(path, { force: true })
    laid = []
  }

  return {
    folder,
    lay(paths) {
      try {
        for (const [index, path] of paths.entries()) {
          const found = lstatSync(path)
          if (!found.isFile() || (found.mode & FOR_ALL) !== FOR_ALL) throw new Error(`${path} is not to be laid out`)
          const name = join(folder, String(index))
          linkSync(path, name)
          laid.push(name)
        }
        return paths.map((_, index) => join(SHELF_INSIDE, String(index)))
      } catch {
        clear()
        return null
      }
    },
    clear,
  }
}
