/**
 * Buckets of the second kind, over their JSON API: a service account signs a claim, a token comes back, the token opens
 * objects. A small client of our own: where token and objects are asked for must be the operator's to say, which the
 * vendor's library does not allow.
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { Failure } from '../core/errors.ts'
import type { Guard } from '../net/guard.ts'
import { type Call, uploadResumable } from './gcs-upload.ts'
import type { Opened, Parcel, Storage } from './storage.ts'
import { refused } from './trouble.ts'
import { ask, hostOf, type Reply, splitUrl, words } from './web.ts'

export interface GcsAccess {
  bucket: string
  client_email: string
  private_key: string
  /** Where the API and the tokens are. */
  url: string
  tokenUrl: string
}

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const HOUR = 3600
/** A token is used no longer than this before its end. */
const MARGIN = 300
const CREDENTIALS = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'authError'])

export function openGcs(access: GcsAccess, guard: Guard, signal: AbortSignal): Storage {
  const { bucket } = access
  const api = access.url.replace(/\/+$/, '')
  const host = hostOf(api)
  const objects = `/b/${encodeURIComponent(bucket)}/o`
  const of = (name: string) => `"${name}" in the bucket "${bucket}"`
  let token: { text: string; until: number } | null = null

  async function bearer(): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    if (token && token.until > now + MARGIN) return token.text
    const assertion = claim(access, keyOf(access.private_key), now)
    const reply = await ask(guard, {
      method: 'POST',
      ...splitUrl(access.tokenUrl),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
      signal,
    })
    const { access_token: text, expires_in: seconds, error } = parsed(await words(reply.body))
    if (reply.status !== 200 || typeof text !== 'string') {
      const code = typeof error === 'string' ? error : ''
      throw refused(
        { status: reply.status, code },
        { what: `a token for ${access.client_email}`, host: hostOf(access.tokenUrl), credentials: CREDENTIALS },
      )
    }
    token = { text, until: now + (typeof seconds === 'number' ? seconds : HOUR) }
    return text
  }

  const call: Call = async (url, { method, headers = {}, body }) =>
    ask(guard, {
      method,
      ...splitUrl(url),
      headers: { authorization: `Bearer ${await bearer()}`, ...headers },
      body: body ?? null,
      signal,
    })

  async function judge(reply: Reply, what: string): Promise<Failure> {
    const { error } = parsed(await words(reply.body))
    const reason = (error as { errors?: { reason?: string }[] } | undefined)?.errors?.[0]?.reason
    if (reply.status === 401) token = null
    return refused({ status: reply.status, code: reason ?? '' }, { what, host, credentials: CREDENTIALS })
  }

  async function open(name: string, { start, version }: { start: number; version: string | null }): Promise<Opened> {
    const same = version ? `&ifGenerationMatch=${encodeURIComponent(version)}` : ''
    const reply = await call(`${api}/storage/v1${objects}/${encodeURIComponent(name)}?alt=media${same}`, {
      method: 'GET',
      headers: start > 0 ? { range: `bytes=${start}-` } : {},
    })
    if (reply.status !== 200 && reply.status !== 206) throw await judge(reply, of(name))
    const from = reply.status === 206 ? Number(/^bytes (\d+)-/.exec(reply.headers['content-range'] ?? '')?.[1]) : 0
    const length = reply.headers['content-length']
    return {
      body: reply.body,
      size: length === undefined ? null : from + Number(length),
      start: from,
      version: reply.headers['x-goog-generation'] ?? null,
    }
  }

  async function put(parcel: Parcel): Promise<{ etag?: string | undefined }> {
    const start = `${api}/upload/storage/v1${objects}?uploadType=resumable&name=${encodeURIComponent(parcel.name)}`
    const told = (reply: Reply) => judge(reply, of(parcel.name))
    const done = parsed(await uploadResumable(start, parcel, { call, guard, signal, told }))
    return { etag: typeof done.etag === 'string' ? done.etag : undefined }
  }

  return { host, open, put, close: () => {} }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Keys are often pasted out of JSON, with `\n` for the line breaks. */
function keyOf(text: string): KeyObject {
  try {
    return createPrivateKey(text.replaceAll('\\n', '\n'))
  } catch {
    throw new Failure('invalid_credentials', 'private_key is not a private key in PEM form.')
  }
}

function claim({ client_email: iss, tokenUrl: aud }: GcsAccess, key: KeyObject, now: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss, scope: SCOPE, aud, iat: now, exp: now + HOUR })}`
  if (key.asymmetricKeyType !== 'rsa') throw new Failure('invalid_credentials', 'private_key is not an RSA key.')
  return `${head}.${sign('sha256', Buffer.from(head), key).toString('base64url')}`
}
