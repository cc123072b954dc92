/** A request to any address of the server, answered as it is: for those who try the API out. Nothing is sent again. */
import { networkError } from './errors.ts'
import { type HttpSettings, keyOf } from './http.ts'

export interface AnyRequest {
  method: string
  /** With its query. */
  path: string
  headers?: Record<string, string>
  body?: NonNullable<RequestInit['body']>
  /** Without the key, for what is open or goes by a cookie. */
  anonymous?: boolean
  signal?: AbortSignal
}

/** A status that is no success is an answer here, and nothing is thrown for it. */
export const createRequest =
  ({ url, key, fetch }: Pick<HttpSettings, 'url' | 'key' | 'fetch'>) =>
  async ({ method, path, headers, body, anonymous = false, signal }: AnyRequest): Promise<Response> => {
    const secret = anonymous ? undefined : await keyOf(key)
    const init = {
      method,
      headers: { ...(secret && { authorization: `Bearer ${secret}` }), ...headers },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    }
    return fetch(url + path, init).catch((error) => {
      signal?.throwIfAborted()
      throw networkError(error, url)
    })
  }
