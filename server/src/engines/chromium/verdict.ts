/** What came of a visit, checked and put into words for the user. What a box says is not to be trusted. */
import { Failure, type TaskErrorCode } from '../../core/errors.ts'
import type { Visited, WayOut } from './visit.ts'

/** What was asked. */
interface Order {
  url: string
  /** Seconds. */
  timeout: number
}

/** What is known outside the box. */
export interface Told extends Pick<WayOut, 'refusal' | 'spent'> {
  redirected(refusal: Error, host: string): string
  allowed: { bytes: number; requests: number }
}

/** "401 invalid_credentials, 403 insufficient_permission, else processing_failed naming the status." */
const REFUSED: Record<number, TaskErrorCode> = { 401: 'invalid_credentials', 403: 'insufficient_permission' }

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? 'the server'
// Addresses stay out of the log: they may hold credentials.
const failed = (message: string, detail?: string, code: TaskErrorCode = 'processing_failed'): Failure =>
  new Failure(code, message, detail)

/** Why there is no archive, in words for the user. */
export function whyNot(visited: Visited | null, order: Order, out: Told): Failure {
  const host = hostOf(order.url)
  if (out.spent() === 'bytes')
    return failed(`The page at ${host} is larger than the ${out.allowed.bytes / 2 ** 20} MB allowed.`)
  if (out.spent() === 'requests' || visited?.outcome === 'requests')
    return failed(`The page at ${host} asks for more than the ${out.allowed.requests} files allowed.`)
  switch (visited?.outcome) {
    case 'status':
      return failed(
        `The server of the page answered with status ${visited.status}.`,
        undefined,
        REFUSED[visited.status] ?? 'processing_failed',
      )
    case 'download':
      return failed(`The address leads to a file to download, not to a web page. Use import/url for files.`)
    case 'endless':
      return failed(
        `The page at ${host} did not finish loading within ${order.timeout} seconds.`,
        undefined,
        'engine_timeout',
      )
    case 'unreachable': {
      const reached = hostOf(visited.url)
      const refusal = out.refusal(reached)
      if (refusal) return failed(reached === host ? refusal.message : out.redirected(refusal, host), visited.error)
      return failed(unreachable(visited.error, host), visited.error)
    }
    case 'crashed':
      return failed(`The page at ${host} needs more memory than a page may use.`)
    default:
      return failed(`The page at ${host} could not be shown by the browser.`, JSON.stringify(visited))
  }
}

function unreachable(error: string, host: string): string {
  if (/CERT|SSL/.test(error)) return `No secure connection to ${host}: its certificate is not valid or not trusted.`
  if (/TOO_MANY_REDIRECTS/.test(error)) return `${host} redirects too many times.`
  if (/UNSAFE_PORT|UNKNOWN_URL_SCHEME|INVALID_URL|DISALLOWED/.test(error))
    return `${host} leads to an address that a browser does not open.`
  return `${host} could not be reached, or did not answer as a web server does.`
}

/** The last line; the box's words are checked, not believed. */
export function readVisited(stdout: string): Visited | null {
  try {
    const told = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    switch (told.outcome) {
      case 'page':
        return { outcome: 'page', title: text(told.title), url: text(told.url), incomplete: told.incomplete === true }
      case 'status':
        return { outcome: 'status', status: Number(told.status) || 0, url: text(told.url) }
      case 'download':
      case 'endless':
        return { outcome: told.outcome, url: text(told.url) }
      case 'unreachable':
        return { outcome: 'unreachable', error: text(told.error), url: text(told.url) }
      case 'requests':
      case 'crashed':
        return { outcome: told.outcome }
      default:
        return { outcome: 'failed', detail: text(told.detail) }
    }
  } catch {
    return null
  }
}
