/** Sends requests: the key, JSON, errors as ReforgeError, and again when that is safe. Knows no endpoint. */
import { retrying } from './backoff.ts'
import { errorOf, networkError, ReforgeError } from './errors.ts'

/** A key, or what brings one that is good now: for keys that last minutes. */
export type Key = string | (() => Promise<string>)

export interface HttpSettings {
  url: string
  key?: Key | undefined
  fetch: typeof fetch
  retries: number
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface CallOptions {
  query?: Query
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Whether sending it twice does the same as once; by default what the method says. */
  idempotent?: boolean
  /** When its answer was lost and it is sent again, "not found" means that the first one worked. */
  removes?: boolean
  /** A status that is an answer here, although it is no success. */
  also?: number
}

export interface Http {
  readonly url: string
  readonly retries: number
  /** One attempt, to any address, without the key. An answer that is no success is thrown. */
  raw(address: string, init: RequestInit, also?: number): Promise<Response>
  /** One attempt at the API; the answer's body is still to be read. */
  once(method: string, path: string, options?: CallOptions): Promise<Response>
  /** A request to the API, sent again where that is safe, with an answer in JSON or none. */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>
}

/** Longer than the longest wait we ask the server for; a server that died silently is noticed. */
const PATIENCE = 60_000

export function createHttp({ url, key, fetch, retries }: HttpSettings): Http {
  const base = url.replace(/\/+$/, '')

  async function raw(address: string, init: RequestInit, also?: number): Promise<Response> {
    let answer: Response
    try {
      answer = await fetch(address, init)
    } catch (error) {
      const { signal } = init
      if (signal?.aborted && signal.reason?.name !== 'TimeoutError') throw signal.reason
      throw networkError(error, address)
    }
    if (answer.ok || answer.status === also) return answer
    const text = await answer.text().catch(() => '')
    throw errorOf(answer.status, text, answer.headers.get('retry-after'))
  }

  const http: Http = {
    url: base,
    retries,
    raw,
    once: async (method, path, { query, body, headers, signal, also } = {}) => {
      const secret = await keyOf(key)
      const init = {
        method,
        headers: {
          accept: 'application/json',
          ...(secret && { authorization: `Bearer ${secret}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }
      return raw(base + path + search(query), init, also)
    },
    call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
      const { signal, removes, idempotent = method !== 'POST' } = options
      const attempt = async (number: number): Promise<T> => {
        const patience = AbortSignal.timeout(PATIENCE)
        const either = signal ? AbortSignal.any([signal, patience]) : patience
        try {
          return (await read(await http.once(method, path, { ...options, signal: either }))) as T
        } catch (error) {
          signal?.throwIfAborted()
          if (removes && number > 0 && error instanceof ReforgeError && error.status === 404) return undefined as T
          // An answer that breaks off half way is as good as none.
          throw networkError(error, base)
        }
      }
      return retrying(attempt, { retries, idempotent, signal })
    },
  }
  return http
}

export const keyOf = async (key: Key | undefined): Promise<string | undefined> =>
  typeof key === 'function' ? await key() : key

async function read(answer: Response): Promise<unknown> {
  const text = await answer.text()
  return text === '' ? undefined : JSON.parse(text)
}

function search(query: Query = {}): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, String(value))
  return text.size ? `?${text}` : ''
}
