/** Sends a file to an import/upload task, in constant memory. Whoever can read the source twice gets retries. */
import { retrying } from './backoff.ts'
import { ReforgeError } from './errors.ts'
import type { Http } from './http.ts'
import { frame, newBoundary, streamOf } from './multipart.ts'
import { framedPieces } from './pieces.ts'
import type { Task } from './schema.ts'
import type { Send, UploadOptions } from './sending.ts'
import { sourceOf, type Uploadable } from './source.ts'
import { uploadDirect } from './upload-direct.ts'
import { inPage, sendFromPage } from './upload-page.ts'

export async function upload(http: Http, task: Task, file: Uploadable, options: UploadOptions = {}): Promise<Task> {
  const form = task.result.form
  if (!form) throw new ReforgeError(`The task ${task.id} does not wait for an upload.`, { code: 'no_form' })
  const source = sourceOf(file)
  const filename = options.filename ?? source.name ?? 'upload'
  const framed = frame(form.parameters, filename, newBoundary())
  const send = inPage() ? sendFromPage : sendStreaming
  const attempt = async (number: number): Promise<Task> => {
    try {
      const direct = await uploadDirect(http, form, source, filename, options)
      return direct ?? (await send(http, form.url, framed, source, options))
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
