/**
 * The cookie of a session. "`__Host-` cookie": sent over TLS only, to this very host only, and out of reach of scripts.
 */
import type { FastifyReply } from 'fastify'

export const COOKIE = '__Host-reforge'
const FLAGS = 'Path=/; Secure; HttpOnly'

export function readCookie(header: string | undefined, name = COOKIE): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null
  }
  return null
}

export interface CookieOptions {
  name?: string
  /** Milliseconds. */
  age: number
  /** Lax where the way back comes from another site. */
  sameSite?: 'Strict' | 'Lax'
}

export function setCookie(
  reply: FastifyReply,
  value: string,
  { name = COOKIE, age, sameSite = 'Strict' }: CookieOptions,
): void {
  const line = `${name}=${value}; ${FLAGS}; SameSite=${sameSite}; Max-Age=${Math.floor(age / 1000)}`
  const before = [reply.getHeader('Set-Cookie') ?? []].flat().map(String)
  reply.removeHeader('Set-Cookie').header('Set-Cookie', [...before, line])
}
export const dropCookie = (reply: FastifyReply, name = COOKIE): void => setCookie(reply, '', { name, age: 0 })
