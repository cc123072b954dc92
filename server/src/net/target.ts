/**
 * Reads the address of a file. Where to dial comes from the URL standard's parser; what to ask for there is the text as
 * it was given, byte for byte: a signed address stops working when its query is "normalised". Pure; opens nothing.
 */
import { GuardError } from './guard-error.ts'

export interface Target {
  secure: boolean
  /** `https://host:8443`, without credentials. */
  origin: string
  host: string
  port: number
  /** Path and query as given. */
  path: string
  /** From `user:pass@`. */
  authorization: string | null
}

export function parseTarget(text: string): Target {
  const url = URL.parse(text)
  if (!url) throw new GuardError('protocol', 'This is not a valid address. Use one like https://example.com/file.pdf.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new GuardError('protocol', `Only http and https addresses can be used, not ${url.protocol}`)
  const secure = url.protocol === 'https:'
  return {
    secure,
    origin: url.origin,
    host: url.hostname,
    port: Number(url.port || (secure ? 443 : 80)),
    path: pathAsGiven(text, url),
    authorization: basic(url),
  }
}

/** Where a `Location` leads, seen from the address that answered with it. */
export function followLocation(location: string, from: Target): Target {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return parseTarget(location)
  if (/^[\\/]{2}/.test(location)) return parseTarget((from.secure ? 'https:' : 'http:') + location)
  if (/^[\\/]/.test(location)) return parseTarget(from.origin + location)
  if (location.startsWith('?')) return parseTarget(from.origin + from.path.replace(/\?.*$/, '') + location)
  return parseTarget(URL.parse(location, from.origin + from.path)?.href ?? location)
}

function pathAsGiven(text: string, url: URL): string {
  // The parser skips these characters before it looks at anything.
  const bare = text.replace(/^[\0-\x20]+|[\0-\x20]+$|[\t\n\r]/g, '')
  const [, rest = ''] = /^https?:[\\/]*[^\\/?#]*([^#]*)/i.exec(bare) ?? []
  const path = /^[\\/]/.test(rest) ? `/${rest.slice(1)}` : `/${rest}`
  // Only what cannot stand in a request line is escaped: blanks, controls, characters beyond ASCII.
  const sendable = path.toWellFormed().replace(/[^!-~]+/gu, encodeURIComponent)
  // Should our reading ever differ from the parser's, the parser is right.
  const again = URL.parse(url.origin + sendable)
  return again?.pathname === url.pathname && again.search === url.search ? sendable : url.pathname + url.search
}

function basic(url: URL): string | null {
  if (!url.username && !url.password) return null
  const pair = Buffer.concat([percentDecoded(url.username), Buffer.from(':'), percentDecoded(url.password)])
  return `Basic ${pair.toString('base64')}`
}

/** To bytes, not to text: a password need not be UTF-8, and a stray `%` stands for itself. */
export function percentDecoded(text: string): Buffer {
  const parts = text.split(/(%[0-9a-f]{2})/i)
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 1 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8'))),
  )
}
