/**
 * Blobs as files of a local disk. A file is written below `tmp/` and renamed when it is whole; its name is told when both
 * its bytes and its directory are on the disk, and nobody writes to it afterwards. What a power failure leaves half
 * written has a name that no record knows, and goes with the other leftovers.
 */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  createReadStream,
  fchmodSync,
  fstatSync,
  fsync,
  futimesSync,
  lstatSync,
  openSync,
  renameSync,
} from 'node:fs'
import { mkdir, open, opendir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Blobs } from '../ports/blobs.ts'
import { fill } from './disk-fill.ts'

const READ_ONLY = 0o444
const OURS_ALONE = 0o700
const NAME = /^[0-9a-f]{32}$/

const newName = (): string => randomUUID().replaceAll('-', '')
const toDisk = promisify(fsync)

export async function createDiskBlobs(dir: string): Promise<Blobs> {
  const files = join(dir, 'files')
  const tmp = join(dir, 'tmp')
  // What a process left behind that died while it was writing.
  await rm(tmp, { recursive: true, force: true })
  for (const path of [files, tmp]) await mkdir(path, { recursive: true, mode: OURS_ALONE })
  await syncDirectory(dir)
  const shards = new Map<string, number>()

  const pathOf = (blob: string): string => {
    if (!NAME.test(blob)) throw new Error(`"${blob}" is not the name of a blob`)
    return join(files, blob.slice(0, 2), blob)
  }

  /** Nobody removes them, so each is looked for and opened once. */
  const shardOf = async (path: string): Promise<number> => {
    if (!shards.has(path) && (await mkdir(path, { recursive: true, mode: OURS_ALONE }))) await syncDirectory(files)
    // Two may have come at once.
    const shard = shards.get(path) ?? openSync(path, 'r')
    shards.set(path, shard)
    return shard
  }

  /** Moves a complete file to its place; answers its name once all of it is on the disk. */
  const place = async (file: number, from: string): Promise<string> => {
    const blob = newName()
    const path = join(files, blob.slice(0, 2))
    const shard = await shardOf(path)
    renameSync(from, join(path, blob))
    try {
      await Promise.all([toDisk(file), toDisk(shard)])
      return blob
    } catch (error) {
      await rm(join(path, blob), { force: true })
      throw error
    }
  }

  const write: Blobs['write'] = async (source, limits) => {
    const path = join(tmp, newName())
    const file = openSync(path, 'wx', 0o600)
    try {
      const filled = await fill(file, source, limits)
      fchmodSync(file, READ_ONLY)
      return { blob: await place(file, path), ...filled }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
  }

  /** The file is on another disk: its bytes must travel. */
  const copy = async (file: number, path: string) => {
    const source = createReadStream('', { fd: file, start: 0, autoClose: false })
    const written = await write(source, { most: Number.POSITIVE_INFINITY })
    await rm(path)
    return written
  }

  return {
    write,

    async adopt(path) {
      // An engine wrote this: a link would let it name any file of the machine, a pipe would keep us waiting for ever.
      const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        const { size, ino, nlink } = plain(file, path)
        if (nlink !== 1) throw new Error(`${path} has other names`)
        seal(file)
        try {
          const blob = await place(file, path)
          if (lstatSync(pathOf(blob)).ino === ino) return { blob, size }
          await rm(pathOf(blob), { force: true })
          throw new Error(`${path} was exchanged while it was taken over`)
        } catch (error) {
          if (isCode(error, 'EXDEV')) return await copy(file, path)
          throw error
        }
      } finally {
        closeSync(file)
      }
    },

    read: (blob, range) => createReadStream(pathOf(blob), range),

    async local(blob) {
      const path = pathOf(blob)
      lstatSync(path)
      return { path, release: async () => {} }
    },

    async remove(blobs) {
      for (const path of blobs.map(pathOf)) await rm(path, { force: true })
    },

    async *list() {
      for await (const shard of await opendir(files)) {
        for await (const { name } of await opendir(join(files, shard.name))) {
          const found = await stat(join(files, shard.name, name)).catch(() => null)
          if (found && NAME.test(name)) yield { blob: name, writtenAt: Math.floor(found.mtimeMs) }
        }
      }
    },

    async space() {
      const { bavail, blocks, bsize } = await statfs(dir)
      return { free: bavail * bsize, total: blocks * bsize }
    },
  }
}

// What only asks the kernel for something it holds in memory is asked at once: a trip to the thread pool costs ten times that.

/** Of a file somebody else wrote: from here on the bytes stay as they are. The time is ours, not what an archive said. */
function seal(fd: number): void {
  const now = new Date()
  futimesSync(fd, now, now)
  fchmodSync(fd, READ_ONLY)
}

function plain(fd: number, path: string) {
  const found = fstatSync(fd)
  if (!found.isFile()) throw new Error(`${path} is not a plain file`)
  return found
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
