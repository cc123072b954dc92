/** The bytes of a request: the frame and the file in it, piece by piece, and watched on their way. */
import { ReforgeError } from './errors.ts'
import type { Frame } from './multipart.ts'
import type { UploadOptions } from './sending.ts'
import type { Source } from './source.ts'

export async function* framedPieces(
  { head, tail }: Frame,
  source: Source,
  { onProgress, signal }: UploadOptions = {},
): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  let sent = 0
  for await (const piece of source.pieces()) {
    // Node's fetch reads an aborted request's source to its end.
    signal?.throwIfAborted()
    // An empty piece would end a chunked body.
    if (piece.length === 0) continue
    sent += piece.length
    if (sent > (source.size ?? sent)) throw changed()
    yield piece
    onProgress?.(sent, source.size)
  }
  if (sent < (source.size ?? sent)) throw changed()
  if (tail.length > 0) yield tail
}

const changed = () => new ReforgeError('The file changed while it was being sent.', { code: 'file_changed' })
