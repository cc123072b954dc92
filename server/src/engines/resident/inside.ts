/**
 * The inner half of the resident protocol: what a warm program runs inside its box. It imports nothing of ours, for only
 * single files are bound into the box, and it must never be imported by the server (see wire.ts for its half).
 *
 * A question comes as a frame { question, paths } whose inputs are files, or { question, sizes } followed by the inputs'
 * bytes; answers go out as frames { percent } and, last, { answer, size } followed by `size` bytes. A frame is four bytes
 * of length, then JSON.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { setPriority } from 'node:os'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface Reply {
  answer: { [key: string]: Json }
  body?: Uint8Array
  /** What is done when the answer has been given, before the next question. */
  afterwards?: () => Promise<void>
}

export type Handler = (question: unknown, inputs: Buffer[], progress: (percent: number) => void) => Promise<Reply>

// Both ends are blocking here, and one question is served at a time: plain reads and writes are the quickest way.
function read(length: number): Buffer | null {
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  while (at < length) {
    const count = readSync(0, bytes, at, length - at, null)
    if (count === 0) return null
    at += count
  }
  return bytes
}

/** Memory that has been used before is at hand; fresh memory costs half as much as all of a picture's reading. */
const room = Buffer.allocUnsafeSlow(4 * 2 ** 20)

/** The question before is answered, so nobody reads what was there. */
function load(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    return size > room.length ? readFileSync(file) : room.subarray(0, readSync(file, room, 0, size, 0))
  } finally {
    closeSync(file)
  }
}

function write(bytes: Uint8Array): void {
  let at = 0
  while (at < bytes.length) at += writeSync(1, bytes, at, bytes.length - at)
}

function frame(header: { [key: string]: Json }, body?: Uint8Array): void {
  const json = Buffer.from(JSON.stringify(header))
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32BE(json.length)
  write(Buffer.concat([head, json]))
  if (body) write(body)
}

function next(): { question: unknown; inputs: Buffer[] } | null {
  const length = read(4)?.readUInt32BE()
  const json = length === undefined ? null : read(length)
  if (!json) return null
  const header: { question: unknown; paths?: string[]; sizes?: number[] } = JSON.parse(json.toString())
  const inputs: Buffer[] = (header.paths ?? []).map((path, index) => (index === 0 ? load(path) : readFileSync(path)))
  for (const size of header.sizes ?? []) {
    const bytes = read(size)
    if (!bytes) return null
    inputs.push(bytes)
  }
  return { question: header.question, inputs }
}

const PATIENT = 10

/**
 * Lets the server go first: what it does takes a moment, and somebody waits for it. Where the kernel shares the processors
 * out among sessions, and a box is one, only what is said of the session counts.
 */
function giveWay(): void {
  setPriority(PATIENT)
  try {
    writeFileSync('/proc/self/autogroup', String(PATIENT))
  } catch {
    // There are no such groups here, or another process has just said the same and the kernel takes one at a time.
  }
}

/** Says that it is ready, then answers until the server closes the stream. */
export async function serve(handle: Handler): Promise<void> {
  giveWay()
  frame({ ready: true })
  for (let asked = next(); asked; asked = next()) {
    const { answer, body, afterwards } = await handle(asked.question, asked.inputs, (percent) => frame({ percent }))
    frame({ answer, size: body?.length ?? 0 }, body)
    await afterwards?.()
  }
}
