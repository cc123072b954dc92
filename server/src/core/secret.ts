/**
 * Secrets: what a payload shows instead of them, and how they are kept until a task has run. Never logs, never keeps a
 * plain text. "As sent, secrets masked as "***"; base64 content is emptied, never echoed."
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Json, JsonObject } from './task.ts'

export const MASK = '***'
/** Nothing we accept nests this deep; what does is hidden whole rather than walked without end. */
const DEEPEST = 64

/** A copy of the payload that may be shown: named secrets, credentials in addresses and file contents are gone. */
export function mask(payload: JsonObject, secretNames: Iterable<string>): JsonObject {
  return maskObject(payload, new Set(secretNames), 0)
}

function maskObject(value: JsonObject, secrets: ReadonlySet<string>, depth: number): JsonObject {
  const show = ([name, inner]: [string, Json]): [string, Json] => [
    name,
    secrets.has(name) && inner !== null ? MASK : maskValue(inner, secrets, depth + 1),
  ]
  return Object.fromEntries(Object.entries(value).map(show))
}

function maskValue(value: Json, secrets: ReadonlySet<string>, depth: number): Json {
  if (typeof value === 'string') return /^\s*data:/i.test(value) ? '' : maskUrl(value)
  if (value === null || typeof value !== 'object') return value
  if (depth > DEEPEST) return MASK
  if (Array.isArray(value)) return value.map((item) => maskValue(item, secrets, depth + 1))
  return maskObject(value, secrets, depth)
}

/**
 * "`user:pass@` is accepted on import/url and masked in the payload; everything else of the URL is kept byte for byte."
 * Finds credentials wherever the URL standard finds them: it skips tabs and line breaks anywhere in the text, takes
 * back slashes for slashes and needs none at all after `http:`. The name is masked too, since tokens travel there.
 */
export function maskUrl(url: string): string {
  if (!url.includes('@')) return url
  const kept = [...url.matchAll(/[^\t\n\r]/g)]
  const bare = kept.map(([character]) => character).join('')
  const opening = /^[\0-\x20]*(?:(?:https?|wss?|ftp):[\\/]*|[a-z][a-z0-9+.-]*:\/\/)/i.exec(bare)?.[0].length
  if (opening === undefined) return url
  const length = /^[^\\/?#]*/.exec(bare.slice(opening))?.[0].length ?? 0
  const at = bare.slice(opening, opening + length).lastIndexOf('@')
  if (at <= 0) return url
  const start = kept[opening]?.index ?? 0
  const end = kept[opening + at]?.index ?? 0
  const hidden = bare.slice(opening, opening + at).includes(':') ? `${MASK}:${MASK}` : MASK
  return url.slice(0, start) + hidden + url.slice(end)
}

export interface Sealer {
  /** `aad` names the place of the secret (tenant, row, column): a sealed text opens only there. */
  seal(plain: string, aad: string): string
  open(sealed: string, aad: string): string
}

const VERSION = 1
const SALT = 16
const IV = 12
const TAG = 16

/** AES-256-GCM under a key of its own for each record, so that no number of records wears the master key out. */
export function createSealer(master: Buffer): Sealer {
  if (master.length < 32) throw new Error('The master key must have at least 32 bytes.')
  const keyFor = (salt: Buffer) => Buffer.from(hkdfSync('sha256', master, salt, 'reforge sealed secret 1', 32))

  return {
    seal(plain, aad) {
      const salt = randomBytes(SALT)
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', keyFor(salt), iv, { authTagLength: TAG }).setAAD(Buffer.from(aad))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), salt, iv, cipher.getAuthTag(), body]).toString('base64url')
    },

    open(sealed, aad) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes[0] !== VERSION || bytes.length < 1 + SALT + IV + TAG) throw new Error('This is not a sealed secret.')
      const [salt, iv, tag, body] = cut(bytes.subarray(1), SALT, IV, TAG)
      const cipher = createDecipheriv('aes-256-gcm', keyFor(salt), iv, { authTagLength: TAG })
      cipher.setAAD(Buffer.from(aad)).setAuthTag(tag)
      return Buffer.concat([cipher.update(body), cipher.final()]).toString('utf8')
    },
  }
}

function cut(bytes: Buffer, first: number, second: number, third: number): [Buffer, Buffer, Buffer, Buffer] {
  const two = first + second
  const three = two + third
  return [bytes.subarray(0, first), bytes.subarray(first, two), bytes.subarray(two, three), bytes.subarray(three)]
}
