/** What can be uploaded, seen as bytes in pieces. Holds no more than one piece at a time. */

/** Anything with a size that can be read from the start again: a Blob, a File, or a path opened by `fileFromPath`. */
export interface Reopenable {
  readonly size: number
  readonly name?: string
  stream(): AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>
}

export type Uploadable =
  | Reopenable
  | Uint8Array
  | ArrayBuffer
  | AsyncIterable<Uint8Array | string>
  | ReadableStream<Uint8Array>

export interface Source {
  size: number | undefined
  name: string | undefined
  /** The same as a Blob, when it is one. */
  blob?: Blob
  /** Whether `pieces` can be called again. */
  again: boolean
  pieces(): AsyncIterable<Uint8Array>
}

/** Small enough for a bar to move, large enough not to matter. */
const PIECE = 256 * 1024

const isReopenable = (file: object): file is Reopenable =>
  'stream' in file && 'size' in file && typeof file.size === 'number'

export function sourceOf(file: Uploadable): Source {
  if (file instanceof ArrayBuffer) return sourceOf(new Uint8Array(file))
  if (file instanceof Uint8Array) return { size: file.length, name: undefined, again: true, pieces: () => slices(file) }
  if (isReopenable(file)) {
    const blob = file instanceof Blob && { blob: file }
    return { size: file.size, name: file.name, again: true, pieces: () => piecesOf(file.stream()), ...blob }
  }
  return { size: undefined, name: undefined, again: false, pieces: () => piecesOf(file) }
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

async function* piecesOf(
  stream: AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const iterable = Symbol.asyncIterator in stream ? stream : readerOf(stream)
  for await (const piece of iterable) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
}

/** Not every browser can loop over a ReadableStream. */
async function* readerOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
