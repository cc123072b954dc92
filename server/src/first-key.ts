/** First user, first key, first link, further keys: what the start and the command line share. */
import { newId } from './core/ids.ts'
import { keyHash, newKey } from './core/key.ts'
import { newTicket } from './core/ticket.ts'
import { type Accounts, SCOPES, type Scope } from './ports/accounts.ts'
import type { Credentials } from './ports/credentials.ts'
import type { Users } from './ports/users.ts'

export const FIRST_USER = 'admin@localhost'

interface People {
  accounts: Accounts
  users: Users
}

export async function createKey(
  accounts: Accounts,
  {
    email,
    name,
    scopes,
    now,
    key = newKey(),
  }: { email: string; name: string; scopes: readonly Scope[]; now: number; key?: string },
): Promise<string> {
  const user = await accounts.user(email, now)
  const about = { id: newId(now), user: user.id, name, scopes, createdAt: now, lastUsedAt: null, budget: null }
  await accounts.addKey(about, keyHash(key))
  return key
}

/** Answers the key when one was made, to be shown this once. */
export async function ensureFirstKey(
  { accounts, users }: People,
  preset: string | null,
  now: number,
): Promise<string | null> {
  const scopes = SCOPES
  if (preset !== null) {
    if (await accounts.keyByHash(keyHash(preset))) return null
    // Whoever set up the place may have another address by now.
    const email = (await users.firstAdministrator())?.email ?? FIRST_USER
    await createKey(accounts, { email, name: `preset ${keyHash(preset).slice(0, 8)}`, scopes, now, key: preset })
    return null
  }
  if (await accounts.hasUsers()) return null
  return createKey(accounts, { email: FIRST_USER, name: 'first', scopes, now })
}

/** While no administrator can sign in: a ticket for the oldest of them, to be shown by whoever started the server. */
export async function ensureFirstTicket(
  { users, credentials }: { users: Users; credentials: Credentials },
  now: number,
): Promise<string | null> {
  const admin = (await credentials.passwords.isRuled()) ? null : await users.firstAdministrator()
  if (!admin) return null
  const { plain, hash, ticket } = newTicket(admin.id, 'first', now)
  await credentials.tickets.add(ticket, hash)
  return plain
}
