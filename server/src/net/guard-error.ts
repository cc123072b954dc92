/**
 * What can go wrong on the way to another server. The message is fit for users: it names the host they asked for, never
 * an address behind it, never credentials. What the network really said is the `cause`, for the log.
 */ import { errors } from 'undici'

export type GuardErrorKind = 'blocked' | 'dns' | 'connect' | 'timeout' | 'redirects' | 'protocol' | 'too_large' | 'tls'

export class GuardError extends Error {
  readonly kind: GuardErrorKind

  constructor(kind: GuardErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'GuardError'
    this.kind = kind
  }
}

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const GARBLED = /^(Z_|ZSTD_|ERR__|UND_ERR_HEADERS_OVERFLOW)/

/** Puts whatever undici, zlib or a socket threw into words about this host. */
export function guardError(error: unknown, host: string): GuardError {
  if (error instanceof GuardError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (TIMEOUTS.has(code)) return new GuardError('timeout', `${host} did not answer in time, or stopped sending.`, error)
  if (error instanceof errors.HTTPParserError || GARBLED.test(code))
    return new GuardError('protocol', `${host} sent an answer that cannot be understood.`, error)
  return new GuardError('connect', `The connection to ${host} could not be made or broke off.`, error)
}

const AFTER_REDIRECT: Partial<Record<GuardErrorKind, string>> = {
  blocked: 'an address that may not be reached from here',
  dns: 'a host that does not exist',
  connect: 'a host that cannot be reached',
  timeout: 'a host that does not answer',
  tls: 'a host without a valid certificate',
  protocol: 'an address that is not a proper http or https address, or that answers with something else',
}

/** After a redirect the user's host is named, not where it pointed: that may be a name inside somebody's network. */
export function redirectedError(error: GuardError, host: string): GuardError {
  const where = AFTER_REDIRECT[error.kind]
  return where ? new GuardError(error.kind, `${host} redirects to ${where}.`, error) : error
}

/** The same for whoever holds any error: the words, where there are some. */
export const redirectedMessage = (error: Error, host: string): string =>
  (error instanceof GuardError ? redirectedError(error, host) : error).message
