/** Users and keys in the same database as the records. Never sees a key, only its hash. */
import { newId } from '../core/ids.ts'
import { type Accounts, type Key, NameTaken, ROLES, SCOPES, type User } from '../ports/accounts.ts'
import type { Database, Row, Sql } from '../ports/sql.ts'
import { budgetOf } from './sql-metering.ts'
import { insert, update } from './statements.ts'

export function createSqlAccounts(database: Database): Accounts {
  return {
    user: (email, now) =>
      database.transact(async (tx) => {
        const address = email.trim().toLowerCase()
        // Who comes first has nobody to ask.
        const role = (await tx.all('SELECT id FROM users LIMIT 1')).length > 0 ? 'user' : 'admin'
        const row = { id: newId(now), email: address, created_at: now, role }
        await insert(tx, 'users', row, 'ON CONFLICT (email) DO NOTHING')
        const [found = row] = await tx.all('SELECT * FROM users WHERE email = ?', address)
        return userOf(found)
      }),
    userById: async (id) => (await database.all('SELECT * FROM users WHERE id = ?', id)).map(userOf)[0] ?? null,
    hasUsers: async () => (await database.all('SELECT id FROM users LIMIT 1')).length > 0,

    async addKey({ id, user, name, scopes, createdAt, lastUsedAt, budget }, hash, also) {
      const about = { id, user_id: user, name, scopes: JSON.stringify(scopes), hash, ...budgetRow(budget) }
      await database.transact(async (tx) => {
        const row = { ...about, created_at: createdAt, last_used_at: lastUsedAt }
        const made = await insert(tx, 'keys', row, 'ON CONFLICT (user_id, name) DO NOTHING')
        if (made === 0) throw new NameTaken(name)
        await also?.(tx)
      })
    },
    async keys(user) {
      const statement = 'SELECT * FROM keys WHERE user_id = ? ORDER BY created_at DESC, id DESC'
      return (await database.all(statement, user)).map(keyOf)
    },
    changeKey: (user, id, { name, budget }, also) =>
      database.transact(async (tx) => {
        if (name !== undefined) await requireFree(tx, user, name, id)
        const row = { ...(name !== undefined && { name }), ...(budget !== undefined && budgetRow(budget)) }
        const [found] = await tx.all('SELECT id FROM keys WHERE user_id = ? AND id = ?', user, id)
        if (!found) return null
        if (Object.keys(row).length > 0) await update(tx, 'keys', id, row)
        await also?.(tx)
        return (await tx.all('SELECT * FROM keys WHERE id = ?', id)).map(keyOf)[0] ?? null
      }),
    removeKey: (user, id, also) =>
      database.transact(async (tx) => {
        const gone = (await tx.run('DELETE FROM keys WHERE user_id = ? AND id = ?', user, id)) === 1
        if (gone) await also?.(tx)
        return gone
      }),
    async touchKey(id, now) {
      await database.run('UPDATE keys SET last_used_at = ? WHERE id = ?', now, id)
    },
    keyByHash: async (hash) => (await database.all('SELECT * FROM keys WHERE hash = ?', hash)).map(keyOf)[0] ?? null,
  }
}

/** No two keys of a user have one name. */
async function requireFree(sql: Sql, user: string, name: string, own = ''): Promise<void> {
  const same = await sql.all('SELECT id FROM keys WHERE user_id = ? AND name = ? AND id <> ?', user, name, own)
  if (same.length > 0) throw new NameTaken(name)
}

const budgetRow = (budget: Key['budget']): Row => ({
  budget_minutes: budget?.minutes ?? null,
  budget_per: budget?.per ?? null,
})

export const userOf = (row: Row): User => ({
  id: String(row.id),
  email: String(row.email),
  createdAt: Number(row.created_at),
  role: ROLES.find((role) => role === row.role) ?? 'user',
  plan: String(row.plan ?? 'unlimited'),
  suspendedAt: row.suspended_at == null ? null : Number(row.suspended_at),
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
    budget: budgetOf(row),
  }
}
