/** First user, first key, further keys: what the start and the command line share. */
import { newId } from './core/ids.ts'
import { keyHash, newKey } from './core/key.ts'
import { type Accounts, SCOPES, type Scope } from './ports/accounts.ts'

export const FIRST_USER = 'admin@localhost'

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
  await accounts.addKey({ id: newId(now), user: user.id, name, scopes, createdAt: now, lastUsedAt: null }, keyHash(key))
  return key
}

/** Answers the key when one was made, to be shown this once. */
export async function ensureFirstKey(accounts: Accounts, preset: string | null, now: number): Promise<string | null> {
  const scopes = SCOPES
  if (preset !== null) {
    if (!(await accounts.keyByHash(keyHash(preset))))
      await createKey(accounts, {
        email: FIRST_USER,
        name: `preset ${keyHash(preset).slice(0, 8)}`,
        scopes,
        now,
        key: preset,
      })
    return null
  }
  if (await accounts.hasUsers()) return null
  return createKey(accounts, { email: FIRST_USER, name: 'first', scopes, now })
}
