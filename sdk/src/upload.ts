/** Sends a file to an import/upload task, in constant memory. Whoever can read the source twice gets retries. */
import { retrying } from './backoff.ts'
import { ReforgeError } from './errors.ts'
import type { Http } from './http.ts'
import { type Frame, frame, newBoundary, streamOf } from './multipart.ts'
import type { Task } from './schema.ts'
import type { Send, UploadOptions } from './sending.ts'
import { type Source, sourceOf, type Uploadable } from './source.ts'
import { inPage, sendFromPage } from './upload-page.ts'

export async function upload(http: Http, task: Task, file: Uploadable, options: UploadOptions = {}): Promise<Task> {
  const form = task.result.form
  if (!form) throw new ReforgeError(`The task ${task.id} does not wait for an upload.`, { code: 'no_form' })
  const source = sourceOf(file)
  const framed = frame(form.parameters, options.filename ?? source.name ?? 'upload', newBoundary())
  const send = inPage() ? sendFromPage : sendStreaming
  const attempt = async (number: number): Promise<Task> => {
    try {
      return await send(http, form.url, framed, source, options)
    } catch (error) {
      // "Second upload to a finished task: 409": the first one arrived and only its answer was lost.
      const arrived = number > 0 && error instanceof ReforgeError && error.status === 409
      const now = arrived ? await http.call<Task>('GET', `/v1/process/tasks/${task.id}`) : null
      if (now?.status === 'completed') return now
      throw error
    }
  }
  return retrying(attempt, { retries: source.again ? http.retries : 0, idempotent: true, signal: options.signal })
}

const sendStreaming: Send = async (http, url, framed, source, options) => {
  const { head, tail, contentType } = framed
  // `fetch` says of a source that cannot be read what it says of a server that cannot be reached.
  let unreadable: { error: unknown } | undefined
  async function* pieces() {
    try {
      yield* framedPieces(framed, source, options)
    } catch (error) {
      unreadable = { error }
      throw error
    }
  }
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': contentType,
      ...(source.size !== undefined && { 'content-length': String(head.length + source.size + tail.length) }),
    },
    body: streamOf(pieces()),
    duplex: 'half',
    ...(options.signal && { signal: options.signal }),
  }
  const answer = await http.raw(url, init).catch((error) => {
    throw unreadable ? unreadable.error : error
  })
  return (await answer.json()) as Task
}

export async function* framedPieces(
  { head, tail }: Frame,
  source: Source,
  { onProgress, signal }: UploadOptions = {},
): AsyncGenerator<Uint8Array> {
  yield head
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
  yield tail
}

const changed = () => new ReforgeError('The file changed while it was being sent.', { code: 'file_changed' })
