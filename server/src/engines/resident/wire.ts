/**
 * The server's half of the resident protocol (its other half: inside.ts): frames on the standard streams of a
 * boxed program. Files are streamed, so memory does not grow with their size. What comes out of a box is not to be
 * trusted: every length is checked, and whatever breaks the protocol throws.
 */
import { closeSync, constants, openSync, writev, writevSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { Json, JsonObject } from '../../core/task.ts'

const HEADER_LIMIT = 1 << 20
const CHUNK = 1 << 20

/** The program ended or spoke nonsense: it cannot be asked again. */
export class BrokenWire extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BrokenWire'
  }
}

export interface Frames {
  /** The next frame's header. */
  header(): Promise<JsonObject>
  /** Passes exactly `length` bytes on. */
  body(length: number, take: (bytes: Uint8Array) => Promise<unknown>): Promise<void>
  /** True when nothing is waiting to be read: between two questions anything more breaks the protocol. */
  empty(): boolean
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function createFrames(stdout: Readable): Frames {
  const chunks = stdout.iterator({ destroyOnReturn: false })
  let rest: Uint8Array = Buffer.alloc(0)

  /** Up to `length` bytes, at least one. */
  async function some(length: number): Promise<Uint8Array> {
    while (rest.length === 0) {
      const { value, done } = await chunks.next()
      if (done) throw new BrokenWire('the program ended')
      rest = value
    }
    const taken = rest.subarray(0, length)
    rest = rest.subarray(taken.length)
    return taken
  }

  async function body(length: number, take: (bytes: Uint8Array) => Promise<unknown>): Promise<void> {
    for (let left = length; left > 0; ) {
      const bytes = await some(left)
      left -= bytes.length
      await take(bytes)
    }
  }

  async function exactly(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    await body(length, async (bytes) => parts.push(bytes))
    return Buffer.concat(parts, length)
  }

  async function header(): Promise<JsonObject> {
    const length = (await exactly(4)).readUInt32BE()
    if (length > HEADER_LIMIT) throw new BrokenWire(`a header of ${length} bytes`)
    const text = (await exactly(length)).toString()
    let parsed: Json
    try {
      parsed = JSON.parse(text)
    } catch {
      throw new BrokenWire('a header that is not JSON')
    }
    if (!isObject(parsed)) throw new BrokenWire('a header that is not an object')
    return parsed
  }

  return { header, body, empty: () => rest.length === 0 && stdout.readableLength === 0 }
}

export interface Opened {
  file: FileHandle
  size: number
}

/** Opens an input: a plain file, never a link, and never waiting for the other end of a pipe. */
export async function openInput(path: string): Promise<Opened> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const stat = await file.stat()
  if (stat.isFile()) return { file, size: stat.size }
  await file.close()
  throw new BrokenWire('an input that is not a plain file')
}

function write(stdin: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((done, failed) => {
    stdin.write(bytes, (error) => (error ? failed(new BrokenWire(`writing: ${error.message}`)) : done()))
  })
}

async function sendHeader(stdin: Writable, header: JsonObject): Promise<void> {
  const json = Buffer.from(JSON.stringify(header))
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32BE(json.length)
  await write(stdin, Buffer.concat([head, json]))
}

/** Asks about files that the program finds where it is told. */
export const sendPaths = (stdin: Writable, question: JsonObject, paths: string[]): Promise<void> =>
  sendHeader(stdin, { question, paths })

/** Sends a question and its inputs; resolves when the program has taken all of it. */
export async function sendBytes(stdin: Writable, question: JsonObject, inputs: readonly Opened[]): Promise<void> {
  await sendHeader(stdin, { question, sizes: inputs.map((input) => input.size) })
  for (const { file, size } of inputs) {
    const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK))
    for (let left = size; left > 0; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(left, CHUNK))
      if (bytesRead === 0) throw new BrokenWire('an input became shorter while it was read')
      left -= bytesRead
      await write(stdin, buffer.subarray(0, bytesRead))
    }
  }
}

export interface Receiving {
  output: string | null
  /** Bytes a result may have. */
  limit: number
  progress: (percent: number) => void
}

/** Waits for the answer, and writes its bytes to `output`, which is made only when there are any. */
export async function receive(frames: Frames, { output, limit, progress }: Receiving): Promise<JsonObject> {
  let header = await frames.header()
  for (; typeof header.percent === 'number'; header = await frames.header()) {
    progress(Math.min(100, Math.max(0, Math.round(header.percent))))
  }
  const { answer, size } = header
  if (answer === undefined || !isObject(answer) || typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw new BrokenWire('an answer without its parts')
  if (size > limit) throw new BrokenWire(`a result of ${size} bytes`)
  if (size > 0) {
    if (output === null) throw new BrokenWire('a result nobody asked for')
    // For all to read: the next hop may be a program in a box, which a server run by root starts as somebody else.
    const file = openSync(output, 'wx', 0o644)
    try {
      await pour(frames, size, file)
    } finally {
      closeSync(file)
    }
  }
  return answer
}

const writePieces = promisify(writev)

/** So little is copied into the kernel's memory sooner than the thread pool has been woken. */
const LITTLE = 256 * 1024

/** Chunks come small, and a trip to the disk costs the same for a little as for a lot. */
async function pour(frames: Frames, size: number, file: number): Promise<void> {
  let held: Uint8Array[] = []
  let length = 0
  const flush = async (): Promise<void> => {
    const [pieces, all] = [held, length]
    held = []
    length = 0
    const bytesWritten = all <= LITTLE ? writevSync(file, pieces) : (await writePieces(file, pieces)).bytesWritten
    if (bytesWritten < all) throw new Error(`the disk took ${bytesWritten} of ${all} bytes`)
  }
  await frames.body(size, async (bytes) => {
    held.push(bytes)
    length += bytes.length
    if (length >= CHUNK) await flush()
  })
  await flush()
}
