/** Fetches a result. The address carries its own right, so the key is never sent along. */
import { retrying } from './backoff.ts'
import type { Http } from './http.ts'

export type Downloadable = string | URL | { url?: string | undefined }

export interface Download {
  stream: ReadableStream<Uint8Array>
  filename: string
  /** Undefined when the server does not say. */
  size: number | undefined
}

export async function download(
  http: Http,
  file: Downloadable,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Download> {
  const url = typeof file === 'string' || file instanceof URL ? String(file) : file.url
  if (url === undefined) throw new TypeError('There is no address to download from: the file was written to a storage.')
  const fetchIt = () => http.raw(url, signal ? { signal } : {})
  const answer = await retrying(fetchIt, { retries: http.retries, idempotent: true, signal })
  const length = answer.headers.get('content-length')
  // A compressed answer is longer than its Content-Length when it comes out of `fetch`.
  const isPlain = answer.headers.get('content-encoding') === null
  return {
    stream: answer.body ?? new Blob([]).stream(),
    filename: nameIn(answer.headers.get('content-disposition')) ?? nameOf(url),
    size: length !== null && isPlain ? Number(length) : undefined,
  }
}

/** RFC 6266: `filename*` is exact, `filename` for those who cannot read that. */
export function nameIn(disposition: string | null): string | undefined {
  const exact = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(disposition ?? '')?.[1]
  const decoded = exact && decode(exact)
  if (decoded) return bare(decoded)
  const [, inQuotes, plain] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? '') ?? []
  const name = inQuotes?.replace(/\\(.)/g, '$1') ?? plain
  return name && bare(name)
}

const nameOf = (url: string): string => bare(decode(new URL(url).pathname) ?? '') || 'download'

/** What a server says must not lead out of the folder that was meant. */
export const bare = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '').replace(/[\x00-\x1f\x7f]/g, '').replace(/^\.+$/, '')

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
