/**
 * A stream into a file. Chunks come small, 16 kB from TLS, and a trip to the disk costs the same for a little as for a lot:
 * they are collected, and while one batch is on its way the next one comes in. Listens to the stream itself, since a pipe
 * to a second stream costs as much as all the rest.
 */
import { writev, writevSync } from 'node:fs'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { TooLarge } from '../core/errors.ts'
import { LOOK } from '../core/look.ts'
import { unless } from './unless.ts'

/** The thread pool copies it into the kernel's memory while the next comes in. Less is copied before the pool had woken. */
const BATCH = 2 ** 20

const writePieces = promisify(writev)

async function writeAll(fd: number, pieces: readonly Uint8Array[]): Promise<void> {
  const weight = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
  const bytesWritten = weight < BATCH ? writevSync(fd, pieces) : (await writePieces(fd, pieces)).bytesWritten
  const rest = weight - bytesWritten
  // A disk may take less than it was given, and says why it takes no more when asked again.
  if (rest > 0) await writeAll(fd, [Buffer.concat(pieces).subarray(bytesWritten)])
}

/** Answers the size and the first bytes. However it ends, nothing is being written any more when it does. */
export async function fill(
  fd: number,
  source: AsyncIterable<Uint8Array>,
  { most, signal }: { most: number; signal?: AbortSignal },
): Promise<{ size: number; head: Buffer }> {
  const stream = source instanceof Readable ? source : Readable.from(source)
  const head: Uint8Array[] = []
  let size = 0
  let held: Uint8Array[] = []
  let weight = 0
  let writing: Promise<void> | null = null

  const flush = (): Promise<void> => {
    const pieces = held
    held = []
    weight = 0
    return writeAll(fd, pieces)
  }

  function hand(): void {
    writing = flush().then(
      () => {
        writing = null
        if (weight >= BATCH) hand()
        stream.resume()
      },
      (error) => {
        writing = null
        stream.destroy(error)
      },
    )
  }

  function take(chunk: Uint8Array): void {
    if (size < LOOK) head.push(chunk.subarray(0, LOOK - size))
    size += chunk.byteLength
    if (size > most) {
      stream.destroy(new TooLarge(most))
      return
    }
    held.push(chunk)
    weight += chunk.byteLength
    if (weight < BATCH) return
    if (writing) stream.pause()
    else hand()
  }

  stream.on('data', take)
  // A second complaint after the first says nothing more.
  stream.on('error', () => {})
  try {
    await unless(signal, finished(stream, { writable: false }))
    await writing
    await flush()
    return { size, head: Buffer.concat(head) }
  } catch (error) {
    stream.off('data', take)
    stream.destroy()
    await writing
    throw error
  }
}
