/**
 * Signed links: who holds the signature may do this one thing until it expires. Only computes and compares; which paths
 * are signed and where the signature travels is the caller's business.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/** A key's id travels in the signature, so that an older key goes on verifying after a new one has taken over. */
export interface SigningKey {
  id: string
  secret: Buffer
}

export interface SignedParts {
  method: string
  path: string
  /** Seconds since 1970. */
  expires: number
  /** Whatever else the link must be bound to: a size, a file name. */
  extra?: string
}

export type Verdict = 'ok' | 'expired' | 'wrong'

export interface Signer {
  sign(parts: SignedParts): string
  verify(parts: SignedParts, signature: string, nowSeconds: number): Verdict
}

/** Signs with the first key, verifies with all of them. */
export function createSigner(keys: readonly SigningKey[]): Signer {
  const [current] = keys
  if (!current) throw new Error('A signer needs at least one key.')
  // Prepared once: reading a key anew costs more than signing with it.
  const byId = new Map(keys.map((key) => [key.id, createSecretKey(key.secret)]))
  if (byId.size !== keys.length) throw new Error('Two signing keys have the same id.')
  for (const { id, secret } of keys) {
    if (!/^[\w-]{1,32}$/.test(id))
      throw new Error(`"${id}" cannot be the id of a signing key: use letters, digits, - and _.`)
    if (secret.length < 32) throw new Error(`The signing key "${id}" is shorter than 32 bytes.`)
  }

  const signing = createSecretKey(current.secret)
  return {
    sign: (parts) => `${current.id}.${mac(signing, parts).toString('base64url')}`,

    verify(parts, signature, nowSeconds) {
      const [id = '', digest = '', ...rest] = signature.split('.')
      const secret = byId.get(id)
      if (!secret || rest.length > 0 || !Number.isSafeInteger(parts.expires)) return 'wrong'
      const right = Buffer.from(mac(secret, parts).toString('base64url'))
      const given = Buffer.from(digest)
      if (right.length !== given.length || !timingSafeEqual(right, given)) return 'wrong'
      // Only after the signature: "expired" is said to holders of a real link, never to a guesser.
      return nowSeconds >= parts.expires ? 'expired' : 'ok'
    },
  }
}

/** Lengths before the parts: no two different lists of parts make the same text. */
function mac(secret: KeyObject, { method, path, expires, extra = '' }: SignedParts): Buffer {
  const parts = [readMethod(method), path, String(expires), extra]
  return createHmac('sha256', secret)
    .update(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('|'))
    .digest()
}

/** Who may GET may also ask with HEAD what would come. */
const readMethod = (method: string): string => (method === 'HEAD' ? 'GET' : method)

/** An absolute link: the base may end in a slash, the path must begin with one, undefined values are left out. */
export function linkUrl(base: string, path: string, query: Record<string, string | number | undefined> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return base.replace(/\/+$/, '') + path + (search.size > 0 ? `?${search}` : '')
}
