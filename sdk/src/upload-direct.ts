/** Sends a file straight to where the service keeps files, if it offers that. Whoever cannot goes the usual way. */
import type { Http } from './http.ts'
import { type Frame, frame, newBoundary, streamOf } from './multipart.ts'
import { framedPieces } from './pieces.ts'
import type { Task, TaskResult } from './schema.ts'
import type { UploadOptions } from './sending.ts'
import type { Source } from './source.ts'
import { inPage } from './upload-page.ts'

type Form = NonNullable<TaskResult['form']>

interface Invitation {
  method: 'POST' | 'PUT'
  url: string
  parameters: Record<string, string>
  complete: string
}

const BARE: Frame = { contentType: 'application/octet-stream', head: new Uint8Array(), tail: new Uint8Array() }

/** null when the file has to go the usual way. */
export async function uploadDirect(
  http: Http,
  form: Form,
  source: Source,
  filename: string,
  options: UploadOptions,
): Promise<Task | null> {
  const { size } = source
  if (!form.direct || size === undefined || !source.again) return null
  const ask = async <T>(url: string, body: object): Promise<T> => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ ...form.parameters, ...body }) }
    const answer = await http.raw(url, { ...init, ...(options.signal && { signal: options.signal }) })
    return (await answer.json()) as T
  }
  const invitation = await ask<Invitation>(form.direct, { size })
  try {
    await send(http, invitation, source, filename, options)
  } catch {
    // The storage may be hidden from us, or refuse pages of this origin.
    options.signal?.throwIfAborted()
    return null
  }
  return ask<Task>(invitation.complete, { filename })
}

async function send(
  http: Http,
  { method, url, parameters }: Invitation,
  source: Source,
  filename: string,
  options: UploadOptions,
): Promise<void> {
  const framed = method === 'PUT' ? BARE : frame(parameters, filename, newBoundary())
  const length = framed.head.length + (source.size ?? 0) + framed.tail.length
  const file = source.blob
  const body =
    inPage() && file ? new Blob([framed.head, file, framed.tail]) : streamOf(framedPieces(framed, source, options))
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers: { 'content-type': framed.contentType, 'content-length': String(length) },
    body,
    duplex: 'half',
    ...(options.signal && { signal: options.signal }),
  }
  const answer = await http.raw(url, init)
  await answer.body?.cancel()
}
