/** Tells another server something over the guarded agent. Follows no redirect: the address was registered, not another. */
import type { Agent } from 'undici'
import { guardError } from './guard-error.ts'
import { parseTarget } from './target.ts'

export interface Posted {
  status: number
  /** The beginning of the answer's text. */
  text: string
}

export interface PostOptions {
  headers: Readonly<Record<string, string>>
  body: string
  /** Milliseconds for all of it. */
  timeout: number
  signal?: AbortSignal
}

const MOST_TEXT = 1024

/** Any status is an answer; what keeps one from coming is a GuardError. */
export async function postJson(agent: Agent, url: string, options: PostOptions): Promise<Posted> {
  const target = parseTarget(url)
  const late = AbortSignal.timeout(options.timeout)
  const signal = options.signal ? AbortSignal.any([options.signal, late]) : late
  try {
    const answer = await agent.request({
      origin: target.origin,
      path: target.path,
      method: 'POST',
      headers: {
        'user-agent': 'Reforge',
        'content-type': 'application/json; charset=utf-8',
        accept: '*/*',
        ...(target.authorization && { authorization: target.authorization }),
        ...options.headers,
      },
      body: options.body,
      signal,
      reset: true,
    })
    return { status: answer.statusCode, text: await beginning(answer.body) }
  } catch (error) {
    options.signal?.throwIfAborted()
    const timedOut = Object.assign(new Error('timed out'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
    throw guardError(late.aborted ? timedOut : error, target.host)
  }
}

/** Whoever answers without end is not listened to. */
async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.length
    if (size >= MOST_TEXT) break
  }
  return Buffer.concat(parts).subarray(0, MOST_TEXT).toString('utf8')
}
