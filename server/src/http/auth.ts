/** Who is calling: the key of `Authorization: Bearer <API_KEY>`, and what it may do. */
import { Problem } from '../core/errors.ts'
import { keyHash } from '../core/key.ts'
import type { Accounts, Key, Scope } from '../ports/accounts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Caller } from './route.ts'

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="Reforge"' }

const unauthorized = (message: string) => new Problem('unauthorized', message, { headers: CHALLENGE })

/** When a key was last used is noted to the minute: writing it down every time would cost every request. */
const NOTE_EVERY = 60_000

export function createAuth(accounts: Accounts, clock: Clock) {
  const noted = new Map<string, number>()

  function note({ id, lastUsedAt }: Key): void {
    const now = clock.now()
    if (now - (noted.get(id) ?? lastUsedAt ?? 0) < NOTE_EVERY) return
    noted.set(id, now)
    // Who calls need not wait for it, nor fail by it.
    accounts.touchKey(id, now).catch(() => noted.delete(id))
  }

  /** Throws 401 when there is no caller behind the header. */
  async function identify(header: string | undefined): Promise<Caller> {
    if (!header) throw unauthorized('The access token is missing. Send the header "Authorization: Bearer <API_KEY>".')
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1]
    if (!token) throw unauthorized('The Authorization header must be "Bearer <API_KEY>".')
    const key = await accounts.keyByHash(keyHash(token))
    const user = key && (await accounts.userById(key.user))
    if (!key || !user) throw unauthorized('The access token is not valid.')
    note(key)
    return { user, key }
  }

  return {
    identify,
    /** "A valid key without the scope: 403." */
    allow(caller: Caller, scope: Scope): void {
      if (!caller.key.scopes.includes(scope))
        throw new Problem('forbidden', `This key may not do that: it lacks the scope ${scope}.`)
    },
  }
}

export type Auth = ReturnType<typeof createAuth>
