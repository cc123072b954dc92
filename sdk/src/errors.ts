/** The one error of the SDK: what the server said, or why it could not be asked. Says nothing the server did not. */
import type { ErrorBody, TaskResult } from './schema.ts'

export interface ErrorTraits {
  /** HTTP status; 0 when there was no answer. */
  status?: number
  code: string
  errors?: ErrorBody['errors']
  requestId?: string
  errorCode?: TaskResult['errorCode'] | undefined
  /** Seconds, when the server said how long to wait. */
  retryAfter?: number | undefined
  cause?: unknown
}

export class ReforgeError extends Error {
  override name = 'ReforgeError'
  readonly status: number
  readonly code: string
  readonly errors: ErrorBody['errors']
  readonly requestId: string
  readonly errorCode: TaskResult['errorCode']
  readonly retryAfter: number | undefined

  constructor(message: string, traits: ErrorTraits) {
    super(message, { cause: traits.cause })
    this.status = traits.status ?? 0
    this.code = traits.code
    this.errors = traits.errors ?? []
    this.requestId = traits.requestId ?? ''
    this.errorCode = traits.errorCode
    this.retryAfter = traits.retryAfter
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A proxy in between answers in its own words, so nothing about the body is taken for granted. */
function isErrorBody(value: unknown): value is ErrorBody {
  return isObject(value) && typeof value.code === 'string' && typeof value.message === 'string'
}

/** "Retry-After": seconds, or a date. */
export function readRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text.trim())) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000)
}

export function errorOf(status: number, text: string, retryAfter: string | null = null): ReforgeError {
  const wait = readRetryAfter(retryAfter, Date.now())
  const body = parse(text)
  if (!isErrorBody(body))
    return new ReforgeError(`The server answered with status ${status}.`, {
      status,
      code: `http_${status}`,
      retryAfter: wait,
    })
  const { code, message, errors = [], requestId = '', errorCode } = body
  return new ReforgeError(message, { status, code, errors, requestId, errorCode, retryAfter: wait })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ALTNAME/

/** Why there was no answer. `fetch` says only "fetch failed" in Node; the reason is in its causes. */
export function networkError(cause: unknown, url: string): ReforgeError {
  if (cause instanceof ReforgeError) return cause
  const chain: Record<string, unknown>[] = []
  for (let link: unknown = cause; isObject(link) && chain.length < 5; link = link.cause) chain.push(link)
  // An address with several numbers fails with one error for each.
  const all = chain.flatMap((link) => [link, ...(Array.isArray(link.errors) ? link.errors.filter(isObject) : [])])
  const reason = all.map(({ code }) => code).find((code) => typeof code === 'string')
  const { origin } = new URL(url)
  if (typeof reason === 'string' && UNTRUSTED.test(reason))
    return new ReforgeError(`The certificate of ${origin} is not trusted (${reason}).`, {
      code: 'untrusted_certificate',
      cause,
    })
  const words = reason ?? chain.at(-1)?.message
  return new ReforgeError(`${origin} cannot be reached${words ? ` (${String(words)})` : ''}.`, {
    code: 'network_error',
    cause,
  })
}
