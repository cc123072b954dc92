/** One HTTP request through the guard's agent, for connectors. Follows no redirect and decodes nothing. */
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Guard } from '../net/guard.ts'
import { broken } from './trouble.ts'

export interface Ask {
  method: string
  /** `https://host:port`. */
  origin: string
  /** Path and query, byte for byte. */
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array | Readable | null
  signal?: AbortSignal | undefined
  /** Milliseconds until the answer must have begun. */
  patience?: number
}

export interface Reply {
  status: number
  headers: Record<string, string>
  body: Readable
}

/** Some storages think for a while before they confirm a large object. */
const THINKING = 120_000
/** An error's explanation is short; nobody needs more of it. */
const MOST_WORDS = 64 * 1024

export async function ask(
  guard: Guard,
  { method, origin, path, headers, body, signal, patience = THINKING }: Ask,
): Promise<Reply> {
  try {
    const answer = await guard.agent.request({
      method,
      origin,
      path,
      headers,
      body: body ?? null,
      signal: signal ?? null,
      headersTimeout: patience,
    })
    return { status: answer.statusCode, headers: flat(answer.headers), body: answer.body }
  } catch (error) {
    signal?.throwIfAborted()
    throw broken(error, hostOf(origin))
  }
}

export const hostOf = (origin: string): string => URL.parse(origin)?.hostname ?? origin

export function splitUrl(url: string): { origin: string; path: string } {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]+)([^#]*)/i.exec(url) ?? []
  return { origin, path: rest.startsWith('/') ? rest : `/${rest}` }
}

/** The body as text; the connection is given up when it is longer than any explanation. */
export async function words(body: Readable): Promise<string> {
  let seen = 0
  body.on('data', (chunk: Buffer) => {
    seen += chunk.length
    if (seen > MOST_WORDS) body.destroy()
  })
  return text(body).catch(() => '')
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  )
