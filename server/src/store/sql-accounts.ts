/** Users and keys in the same database as the records. Never sees a key, only its hash. */
import { newId } from '../core/ids.ts'
import { type Accounts, type Key, NameTaken, SCOPES, type User } from '../ports/accounts.ts'
import type { Database, Row } from '../ports/sql.ts'
import { insert } from './statements.ts'

export function createSqlAccounts(database: Database): Accounts {
  return {
    user: (email, now) =>
      database.transact(async (tx) => {
        const address = email.trim().toLowerCase()
        const user: User = { id: newId(now), email: address, createdAt: now }
        const row = { id: user.id, email: user.email, created_at: user.createdAt }
        if ((await insert(tx, 'users', row, 'ON CONFLICT (email) DO NOTHING')) === 1) return user
        return (await tx.all('SELECT * FROM users WHERE email = ?', address)).map(userOf)[0] ?? user
      }),
    userById: async (id) => (await database.all('SELECT * FROM users WHERE id = ?', id)).map(userOf)[0] ?? null,
    hasUsers: async () => (await database.all('SELECT id FROM users LIMIT 1')).length > 0,

    async addKey({ id, user, name, scopes, createdAt, lastUsedAt }, hash) {
      const about = { id, user_id: user, name, scopes: JSON.stringify(scopes), hash }
      await database.transact(async (tx) => {
        const same = await tx.all('SELECT id FROM keys WHERE user_id = ? AND name = ?', user, name)
        if (same.length > 0) throw new NameTaken(name)
        await insert(tx, 'keys', { ...about, created_at: createdAt, last_used_at: lastUsedAt })
      })
    },
    async keys(user) {
      const statement = 'SELECT * FROM keys WHERE user_id = ? ORDER BY created_at DESC, id DESC'
      return (await database.all(statement, user)).map(keyOf)
    },
    removeKey: async (user, id) =>
      (await database.run('DELETE FROM keys WHERE user_id = ? AND id = ?', user, id)) === 1,
    async touchKey(id, now) {
      await database.run('UPDATE keys SET last_used_at = ? WHERE id = ?', now, id)
    },
    keyByHash: async (hash) => (await database.all('SELECT * FROM keys WHERE hash = ?', hash)).map(keyOf)[0] ?? null,

    async secondsUsed(user, since) {
      const statement = 'SELECT sum(seconds) AS seconds FROM usage WHERE user_id = ? AND day >= ?'
      const [row] = await database.all(statement, user, since)
      return Number(row?.seconds ?? 0)
    },
  }
}

const userOf = (row: Row): User => ({
  id: String(row.id),
  email: String(row.email),
  createdAt: Number(row.created_at),
})

function keyOf(row: Row): Key {
  const scopes: unknown[] = JSON.parse(String(row.scopes))
  return {
    id: String(row.id),
    user: String(row.user_id),
    name: String(row.name),
    // A scope that a later release took away is no right any more.
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    createdAt: Number(row.created_at),
    lastUsedAt: row.last_used_at == null ? null : Number(row.last_used_at),
  }
}
