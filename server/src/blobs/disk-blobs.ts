/**
 * Blobs as files of a local disk. A file appears under `files/` only when all its bytes are on the disk: it is written
 * below `tmp/`, synced, renamed, and the directory synced. Nobody writes to it afterwards.
 */
import { randomBytes } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, type FileHandle, lstat, mkdir, open, opendir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TooLarge } from '../core/errors.ts'
import { LOOK } from '../core/look.ts'
import type { Blobs } from '../ports/blobs.ts'

const READ_ONLY = 0o444
const OURS_ALONE = 0o700
const NAME = /^[0-9a-f]{32}$/
/** Chunks come small, 16 kB from TLS: collected, since a trip to the disk costs the same for a little as for a lot. */
const BATCH = 256 * 1024

export async function createDiskBlobs(dir: string): Promise<Blobs> {
  const files = join(dir, 'files')
  const tmp = join(dir, 'tmp')
  // What a process left behind that died while it was writing.
  await rm(tmp, { recursive: true, force: true })
  for (const path of [files, tmp]) await mkdir(path, { recursive: true, mode: OURS_ALONE })
  await syncDirectory(dir)
  const shards = new Set<string>()

  const pathOf = (blob: string): string => {
    if (!NAME.test(blob)) throw new Error(`"${blob}" is not the name of a blob`)
    return join(files, blob.slice(0, 2), blob)
  }

  /** Moves a complete and synced file to its place; answers its name. */
  const place = async (from: string): Promise<string> => {
    const blob = randomBytes(16).toString('hex')
    const shard = join(files, blob.slice(0, 2))
    // Nobody removes them, so each is looked for once.
    const made = shards.has(shard) ? undefined : await mkdir(shard, { recursive: true, mode: OURS_ALONE })
    await rename(from, join(shard, blob))
    await syncDirectory(shard)
    if (made) await syncDirectory(files)
    shards.add(shard)
    return blob
  }

  const write: Blobs['write'] = async (source, { most, signal }) => {
    const path = join(tmp, randomBytes(16).toString('hex'))
    const file = await open(path, 'wx', 0o600)
    try {
      const [filled] = await Promise.all([fill(file, source, most, signal), file.chmod(READ_ONLY)])
      await file.sync()
      return { blob: await place(path), ...filled }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
  }

  /** The file is on another disk: its bytes must travel. */
  const copy = async (file: FileHandle, path: string) => {
    const source = file.createReadStream({ start: 0, autoClose: false })
    const written = await write(source, { most: Number.POSITIVE_INFINITY })
    await rm(path)
    return written
  }

  return {
    write,

    async adopt(path) {
      // An engine wrote this: a link would let it name any file of the machine, a pipe would keep us waiting for ever.
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        const { size, ino, nlink } = await plain(file, path)
        if (nlink !== 1) throw new Error(`${path} has other names`)
        await seal(file)
        try {
          const blob = await place(path)
          if ((await lstat(pathOf(blob))).ino === ino) return { blob, size }
          await rm(pathOf(blob), { force: true })
          throw new Error(`${path} was exchanged while it was taken over`)
        } catch (error) {
          if (isCode(error, 'EXDEV')) return await copy(file, path)
          throw error
        }
      } finally {
        await file.close()
      }
    },

    read: (blob, range) => createReadStream(pathOf(blob), range),

    async local(blob) {
      const path = pathOf(blob)
      await access(path)
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

async function fill(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  most: number,
  signal?: AbortSignal,
): Promise<{ size: number; head: Buffer }> {
  let size = 0
  const head: Buffer[] = []
  let held = 0
  const batch = Buffer.allocUnsafeSlow(BATCH)
  // `writeFile` goes on where the last one ended, and to the last byte.
  const flush = async (): Promise<void> => {
    const bytes = batch.subarray(0, held)
    held = 0
    if (bytes.length > 0) await file.writeFile(bytes)
  }
  const sink = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      if (size < LOOK) head.push(Buffer.from(chunk.subarray(0, LOOK - size)))
      size += chunk.byteLength
      if (size > most) return done(new TooLarge(most))
      if (held + chunk.byteLength <= BATCH) {
        batch.set(chunk, held)
        held += chunk.byteLength
        return done()
      }
      flush()
        .then(() => file.writeFile(chunk))
        .then(() => done(), done)
    },
    final: (done) => void flush().then(() => done(), done),
  })
  await pipeline(source, sink, { signal })
  return { size, head: Buffer.concat(head) }
}

/** Of a file somebody else wrote: from here on the bytes are on the disk and stay as they are. The time is ours, not what an archive said. */
async function seal(file: FileHandle): Promise<void> {
  const now = new Date()
  await file.utimes(now, now)
  await file.chmod(READ_ONLY)
  await file.sync()
}

async function plain(file: FileHandle, path: string) {
  const found = await file.stat()
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
