/** Users as administrators see and change them. One who can let others in is always left. */
import type { User } from '../ports/accounts.ts'
import type { Database, Row, Tx } from '../ports/sql.ts'
import { EmailTaken, LastAdministrator, type ListedUser, type Users } from '../ports/users.ts'
import { userOf } from './sql-accounts.ts'
import { endSessions } from './sql-sessions.ts'
import { insert, update } from './statements.ts'

const LISTED = `SELECT users.*, (SELECT max(seen_at) FROM sessions WHERE sessions.user_id = users.id) AS seen_at FROM users`

/** What is kept of a user besides their records. What names them with a cascade goes with the user. */
const OWNED = ['keys', 'deliveries', 'webhooks', 'webhook_accounts', 'answers', 'usage', 'tallies']

const normal = (email: string): string => email.trim().toLowerCase()

/** The address as it is kept; throws EmailTaken when it is another user's. */
export async function freeAddress(tx: Tx, email: string, user = ''): Promise<string> {
  const address = normal(email)
  const taken = await tx.all('SELECT id FROM users WHERE email = ? AND id <> ?', address, user)
  if (taken.length > 0) throw new EmailTaken(address)
  return address
}

export function createSqlUsers(database: Database): Users {
  return {
    add: (user, also) =>
      database.transact(async (tx) => {
        const email = await freeAddress(tx, user.email)
        const row = { id: user.id, email, created_at: user.createdAt, role: user.role, plan: user.plan }
        await insert(tx, 'users', { ...row, suspended_at: user.suspendedAt })
        await also?.(tx)
      }),
    async byEmail(email) {
      return (await database.all('SELECT * FROM users WHERE email = ?', normal(email))).map(userOf)[0] ?? null
    },
    find: async (id) => (await database.all(`${LISTED} WHERE id = ?`, id)).map(listedOf)[0] ?? null,
    async list(search, page, limit) {
      // A part of an address, not a pattern.
      const where = search === null ? '' : "WHERE email LIKE ? ESCAPE '\\'"
      const values = search === null ? [] : [`%${normal(search).replace(/[\\%_]/g, '\\$&')}%`]
      const order = 'ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?'
      const rows = await database.all(`${LISTED} ${where} ${order}`, ...values, limit, (page - 1) * limit)
      const [sum] = await database.all(`SELECT count(*) AS n FROM users ${where}`, ...values)
      return { docs: rows.map(listedOf), total: Number(sum?.n) }
    },
    change: (id, { role, plan, suspendedAt }, also) =>
      database.transact(async (tx) => {
        const user = await locked(tx, id)
        if (!user) return null
        const to: User = { ...user, role: role ?? user.role, plan: plan ?? user.plan }
        if (suspendedAt !== undefined) to.suspendedAt = suspendedAt
        if (rules(user) && !rules(to)) await requireAnother(tx, id)
        await update(tx, 'users', id, { role: to.role, plan: to.plan, suspended_at: to.suspendedAt })
        if (to.suspendedAt !== null) await endSessions(tx, id)
        await also?.(tx)
        return to
      }),
    remove: (id, also) =>
      database.transact(async (tx) => {
        const user = await locked(tx, id)
        if (!user) return false
        if (user.role === 'admin') await requireAnother(tx, id)
        await tx.run('DELETE FROM meters WHERE who = ? OR who IN (SELECT id FROM keys WHERE user_id = ?)', id, id)
        for (const table of OWNED) await tx.run(`DELETE FROM ${table} WHERE user_id = ?`, id)
        await tx.run('DELETE FROM users WHERE id = ?', id)
        await also?.(tx)
        return true
      }),
    async firstAdministrator() {
      const statement =
        "SELECT * FROM users WHERE role = 'admin' AND suspended_at IS NULL ORDER BY created_at, id LIMIT 1"
      return (await database.all(statement)).map(userOf)[0] ?? null
    },
    async leftGuests(before, most) {
      const statement = `SELECT id FROM users WHERE role = 'guest' AND created_at <= ?
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.user_id = users.id) ORDER BY created_at, id LIMIT ?`
      return (await database.all(statement, before, most)).map((row) => String(row.id))
    },
  }
}

const rules = ({ role, suspendedAt }: User): boolean => role === 'admin' && suspendedAt === null

/** The user, and every administrator with them held fast: two of them must not step down at the same moment. */
async function locked(tx: Tx, id: string): Promise<User | null> {
  await tx.run("UPDATE users SET role = role WHERE role = 'admin' OR id = ?", id)
  return (await tx.all('SELECT * FROM users WHERE id = ?', id)).map(userOf)[0] ?? null
}

async function requireAnother(tx: Tx, id: string): Promise<void> {
  const others = "SELECT id FROM users WHERE role = 'admin' AND suspended_at IS NULL AND id <> ? LIMIT 1"
  if ((await tx.all(others, id)).length === 0) throw new LastAdministrator()
}

const listedOf = (row: Row): ListedUser => ({
  ...userOf(row),
  hasPassword: row.password != null,
  seenAt: row.seen_at == null ? null : Number(row.seen_at),
})
