/**
 * What goes wrong with storages, in words for the caller. Names the bucket, the object or the host, never a secret; the
 * detail for the log is a code, never what a library threw: that often carries the whole signed request.
 */
import { Failure } from '../core/errors.ts'
import { type GuardErrorKind, guardError } from '../net/guard-error.ts'

/** A failure that may not happen again the next time. */
export class Passing extends Failure {
  /** Makes the libraries' own retries see it as what it is. */
  readonly code = 'ECONNRESET'

  constructor(message: string, detail?: string) {
    super('processing_failed', message, detail)
    this.name = 'Passing'
  }
}

const PASSES: ReadonlySet<GuardErrorKind> = new Set(['connect', 'timeout'])

/** Our own mistake in asking comes back the same each time; who was silent for minutes will be so again. */
const STAYS = /UND_ERR_(NOT_SUPPORTED|INVALID_ARG|HEADERS_TIMEOUT)/

/** Whatever a connection to this host threw. */
export function broken(error: unknown, host: string): Failure {
  if (error instanceof Failure) return error
  const { kind, message, cause } = guardError(error, host)
  const code = cause instanceof Error && 'code' in cause ? ` ${String(cause.code)}` : ''
  const passes = PASSES.has(kind) && !STAYS.test(code)
  return passes ? new Passing(message, kind + code) : new Failure('processing_failed', message, kind + code)
}

export interface Said {
  status: number
  /** The storage's own name for what is wrong. */
  code: string
}

interface Words {
  /** As in `"a.pdf" in the bucket "b"`. */
  what: string
  host: string
  /** The storage's codes that mean wrong credentials, and those that mean a refused right. */
  credentials: ReadonlySet<string>
  permission?: ReadonlySet<string>
}

/** What an answer other than success means: the storage's own code first, then the status. */
export function refused({ status, code }: Said, { what, host, credentials, permission }: Words): Failure {
  const detail = `${status} ${code}`
  const said = code ? ` (${code})` : ''
  if (credentials.has(code) || (status === 401 && !permission?.has(code)))
    return new Failure('invalid_credentials', `${host} did not accept the credentials${said}.`, detail)
  if (status === 403 || permission?.has(code))
    return new Failure('insufficient_permission', `The credentials give no right to ${what}${said}.`, detail)
  if (status === 404) return new Failure('processing_failed', `${capital(what)} does not exist${said}.`, detail)
  if (status === 412 || status === 416) return changed(what)
  if (status === 408 || status === 429 || status >= 500)
    return new Passing(`${host} could not serve ${what}: it answered with status ${status}${said}.`, detail)
  if (status >= 300 && status < 400)
    return new Failure('processing_failed', `${host} redirects elsewhere for ${what}, which is not followed.`, detail)
  return new Failure('processing_failed', `${host} refused ${what} with status ${status}${said}.`, detail)
}

export const changed = (what: string): Failure =>
  new Failure('processing_failed', `${capital(what)} was changed while it was being read.`)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
