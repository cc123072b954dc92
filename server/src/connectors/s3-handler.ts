/** Carries the S3 SDK's requests through the guard's agent, in place of the SDK's own sockets. */
import type { Readable } from 'node:stream'
import type { Guard } from '../net/guard.ts'
import { ask, type Reply } from './web.ts'

/** The part of the SDK's request that counts on the wire. */
interface Request {
  method: string
  protocol: string
  hostname: string
  port?: number
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
  body?: unknown
}

interface Handled {
  response: { statusCode: number; headers: Record<string, string>; body: Readable }
}

/** The agent asks for no permission to send, and is not asked to. */
const NOT_SENT = new Set(['expect', 'transfer-encoding', 'connection'])

export function s3Handler(guard: Guard) {
  return {
    async handle(request: Request, { abortSignal }: { abortSignal?: unknown } = {}): Promise<Handled> {
      const { status, headers, body }: Reply = await ask(guard, {
        method: request.method,
        origin: `${request.protocol}//${request.hostname}${request.port ? `:${request.port}` : ''}`,
        path: request.path + queryOf(request.query ?? {}),
        headers: Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => !NOT_SENT.has(name.toLowerCase())),
        ),
        body: (request.body ?? null) as Uint8Array | null,
        signal: abortSignal instanceof AbortSignal ? abortSignal : undefined,
      })
      return { response: { statusCode: status, headers, body } }
    },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {},
  }
}

/** Escaped as it was signed. */
function queryOf(query: Record<string, string | string[] | null>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [escaped(name)] : [value].flat().map((each) => `${escaped(name)}=${escaped(each)}`),
  )
  return pairs.length ? `?${pairs.join('&')}` : ''
}

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
