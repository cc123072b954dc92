/** Bytes over SFTP, several requests under way at once: one at a time would wait a round trip for every 64 KB. */
import type { Session } from './sftp-session.ts'
import type { Parcel } from './storage.ts'

const PIECE = 64 * 1024
const UNDER_WAY = 16
const END_OF_FILE = 1

export async function* readAhead(session: Session, handle: Buffer, start: number, end: number) {
  const pieces: Promise<Buffer>[] = []
  let next = start
  const ask = () => {
    const length = Math.min(PIECE, end - next)
    const piece = readPiece(session, handle, next, length)
    // Whoever stops before it is its turn does not want to hear of it.
    piece.catch(() => {})
    pieces.push(piece)
    next += length
  }
  while (next < end && pieces.length < UNDER_WAY) ask()
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    const bytes = await piece
    if (next < end) ask()
    yield bytes
  }
}

async function readPiece({ sftp, call }: Session, handle: Buffer, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const from = filled
    const got = await call<number>((done) =>
      sftp.read(handle, bytes, from, length - from, at + from, (error, count) => {
        if (error && 'code' in error && error.code === END_OF_FILE) done(null, 0)
        else done(error, count)
      }),
    )
    if (got === 0) break
    filled += got
  }
  return bytes.subarray(0, filled)
}

export async function writeAll(
  { sftp, call }: Session,
  handle: Buffer,
  parcel: Parcel,
  signal: AbortSignal,
): Promise<void> {
  const body = parcel.read()
  const writes: Promise<void>[] = []
  let next = 0
  let arrived = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      const at = next
      const write = call<void>((done) =>
        sftp.write(handle, chunk, 0, chunk.length, at, (error) => done(error, undefined)),
      )
      writes.push(
        write.then(() => {
          arrived += chunk.length
          parcel.progress(arrived)
        }),
      )
      writes.at(-1)?.catch(() => {})
      next += chunk.length
      if (writes.length >= UNDER_WAY) await writes.shift()
    }
    await Promise.all(writes)
  } finally {
    body.destroy()
    await Promise.allSettled(writes)
  }
}
