/**
 * Uploads from a web page. Browsers cannot stream a request over HTTP/1.1 and `fetch` tells nothing about what was sent,
 * so the file goes as a Blob, which the browser reads from disk, by XMLHttpRequest.
 */
import { errorOf, ReforgeError } from './errors.ts'
import type { Send } from './sending.ts'

/** The part of XMLHttpRequest that is used; the SDK is compiled without the types of a page. */
interface Xhr {
  readonly status: number
  readonly responseText: string
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: Blob): void
  abort(): void
}

const page = globalThis as { XMLHttpRequest?: new () => Xhr }

export const inPage = (): boolean => page.XMLHttpRequest !== undefined

export const sendFromPage: Send = async (_http, url, { head, tail, contentType }, source, { onProgress, signal }) => {
  signal?.throwIfAborted()
  const file = source.blob ?? new Blob(await Array.fromAsync(source.pieces(), (piece) => new Uint8Array(piece)))
  const Request = page.XMLHttpRequest
  if (!Request) throw new ReforgeError('There is no XMLHttpRequest here.', { code: 'no_page' })
  const xhr = new Request()
  const stop = () => xhr.abort()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise((resolve, reject) => {
      xhr.upload.onprogress = ({ loaded }) =>
        onProgress?.(Math.min(file.size, Math.max(0, loaded - head.length)), file.size)
      xhr.onload = () =>
        xhr.status >= 200 && xhr.status < 300
          ? resolve(JSON.parse(xhr.responseText))
          : reject(errorOf(xhr.status, xhr.responseText, xhr.getResponseHeader('retry-after')))
      xhr.onerror = () =>
        reject(new ReforgeError(`${new URL(url).origin} cannot be reached.`, { code: 'network_error' }))
      xhr.onabort = () => reject(signal?.reason)
      xhr.open('POST', url)
      xhr.setRequestHeader('accept', 'application/json')
      xhr.setRequestHeader('content-type', contentType)
      xhr.send(new Blob([head, file, tail]))
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
