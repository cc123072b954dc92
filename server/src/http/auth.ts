/**
 * Who is calling: the key, or a session's short-lived token, of `Authorization: Bearer <API_KEY>`, and what it may do.
 * A cookie is looked at only where a route asks for a session.
 */
import { Problem } from '../core/errors.ts'
import { keyHash } from '../core/key.ts'
import { type Accounts, type Key, SCOPES, type Scope, type User } from '../ports/accounts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Session, Sessions } from '../ports/credentials.ts'
import { readCookie } from './cookie.ts'
import type { Caller } from './route.ts'

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="Reforge"' }

const unauthorized = (message: string) => new Problem('unauthorized', message, { headers: CHALLENGE })

/** When a key was last used is noted to the minute: writing it down every time would cost every request. */
const NOTE_EVERY = 60_000
const MOST_NOTED = 10_000
const HOUR = 3_600_000

/** What a session's tokens begin with, so that none is looked for among the keys. */
export const TOKEN_PREFIX = 'rf_session_'

/** A session is over when it was not used for this long, and after the longer time in any case. */
export const SESSION = { idle: 7 * 24 * HOUR, most: 30 * 24 * HOUR }
export const GUEST_SESSION = { idle: 24 * HOUR, most: 24 * HOUR }

/** A guest is let in to convert, not to build something that outlives the visit. */
const scopesOf = ({ role }: User): readonly Scope[] =>
  role === 'guest' ? SCOPES.filter((scope) => scope !== 'webhooks') : SCOPES

const asKey = (session: Session, user: User): Key => ({
  ...{ id: session.id, user: user.id, name: 'session', scopes: scopesOf(user) },
  ...{ createdAt: session.createdAt, lastUsedAt: session.seenAt, budget: null },
})

export function createAuth(accounts: Accounts, sessions: Sessions, clock: Clock) {
  const noted = new Map<string, number>()

  /** Who calls need not wait for it, nor fail by it. */
  function note(id: string, last: number | null, write: (now: number) => Promise<void>): void {
    const now = clock.now()
    if (now - (noted.get(id) ?? last ?? 0) < NOTE_EVERY) return
    if (noted.size > MOST_NOTED) noted.clear()
    noted.set(id, now)
    write(now).catch(() => noted.delete(id))
  }

  async function userOf(id: string): Promise<User> {
    const user = await accounts.userById(id)
    if (!user) throw unauthorized('The access token is not valid.')
    if (user.suspendedAt !== null)
      throw new Problem('forbidden', 'This account is suspended. Ask an administrator of this service.')
    return user
  }

  async function ofSession(session: Session): Promise<Caller> {
    const user = await userOf(session.user)
    const { idle } = user.role === 'guest' ? GUEST_SESSION : SESSION
    note(session.id, session.seenAt, (now) => sessions.seen(session.id, now, Math.min(now + idle, session.endsAt)))
    return { user, key: asKey(session, user), via: 'session' }
  }

  /** Throws 401 when there is no caller behind the header. */
  async function identify(header: string | undefined): Promise<Caller> {
    if (!header) throw unauthorized('The access token is missing. Send the header "Authorization: Bearer <API_KEY>".')
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1]
    if (!token) throw unauthorized('The Authorization header must be "Bearer <API_KEY>".')
    if (token.startsWith(TOKEN_PREFIX)) {
      const session = await sessions.byToken(keyHash(token), clock.now())
      if (!session) throw unauthorized('The access token is not valid any more.')
      return ofSession(session)
    }
    const key = await accounts.keyByHash(keyHash(token))
    if (!key) throw unauthorized('The access token is not valid.')
    const user = await userOf(key.user)
    note(key.id, key.lastUsedAt, (now) => accounts.touchKey(key.id, now))
    return { user, key, via: 'key' }
  }

  /** The session behind a cookie, or null. */
  async function session(cookies: string | undefined): Promise<Session | null> {
    const value = readCookie(cookies)
    return value === null ? null : sessions.byHash(keyHash(value), clock.now())
  }

  return {
    identify,
    session,
    /** Throws 401 when nobody is signed in. */
    async bySession(cookies: string | undefined): Promise<Caller> {
      const found = await session(cookies)
      if (!found) throw new Problem('unauthorized', 'You are not signed in, or not any more.')
      return ofSession(found)
    },
    /** "A valid key without the scope: 403." */
    allow(caller: Caller, scope: Scope): void {
      if (!caller.key.scopes.includes(scope))
        throw new Problem('forbidden', `This key may not do that: it lacks the scope ${scope}.`)
    },
    allowAdmin({ user }: Caller): void {
      if (user.role !== 'admin') throw new Problem('forbidden', 'Only administrators may do that.')
    },
  }
}

export type Auth = ReturnType<typeof createAuth>
