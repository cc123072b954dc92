/** Hashes of passwords, tickets that set them, and identities at a provider. Never sees a password or a ticket. */
import { type Identities, type Passwords, TICKETS, type Ticket, type Tickets } from '../ports/credentials.ts'
import type { Database, Row } from '../ports/sql.ts'
import { userOf } from './sql-accounts.ts'
import { endSessions } from './sql-sessions.ts'
import { freeAddress } from './sql-users.ts'
import { insert } from './statements.ts'

export function createSqlTickets(database: Database): Tickets {
  return {
    add: ({ user, kind, createdAt, endsAt }, hash, also) =>
      database.transact(async (tx) => {
        await tx.run("DELETE FROM tickets WHERE user_id = ? AND kind <> 'first'", user)
        await insert(tx, 'tickets', { hash, user_id: user, kind, created_at: createdAt, ends_at: endsAt })
        await also?.(tx)
      }),
    async find(hash, now) {
      const rows = await database.all('SELECT * FROM tickets WHERE hash = ? AND ends_at > ?', hash, now)
      return rows.map(ticketOf)[0] ?? null
    },
    async expire(now) {
      await database.run('DELETE FROM tickets WHERE ends_at <= ?', now)
    },
  }
}

export function createSqlPasswords(database: Database): Passwords {
  return {
    async of(user) {
      const [row] = await database.all('SELECT password FROM users WHERE id = ?', user)
      return row?.password == null ? null : String(row.password)
    },
    set: (user, password, keep, also) =>
      database.transact(async (tx) => {
        await tx.run('UPDATE users SET password = ? WHERE id = ?', password, user)
        await tx.run('DELETE FROM tickets WHERE user_id = ?', user)
        const ended = await endSessions(tx, user, keep)
        await also?.(tx)
        return ended
      }),
    redeem: (hash, { password, email }, now, also) =>
      database.transact(async (tx) => {
        const [row] = await tx.all('SELECT * FROM tickets WHERE hash = ? AND ends_at > ?', hash, now)
        // Whoever removes it has redeemed it; of two at once only one does.
        if (!row || (await tx.run('DELETE FROM tickets WHERE hash = ?', hash)) !== 1) return null
        const { user, kind } = ticketOf(row)
        if (email !== undefined) {
          const address = await freeAddress(tx, email, user)
          await tx.run('UPDATE users SET email = ? WHERE id = ?', address, user)
        }
        await tx.run('UPDATE users SET password = ? WHERE id = ?', password, user)
        await tx.run('DELETE FROM tickets WHERE user_id = ?', user)
        const ended = await endSessions(tx, user)
        const [found] = await tx.all('SELECT * FROM users WHERE id = ?', user)
        if (!found) return null
        await also?.(tx)
        return { user: userOf(found), kind, ended }
      }),
    async isRuled() {
      const statement = `SELECT id FROM users WHERE role = 'admin' AND suspended_at IS NULL AND (
        password IS NOT NULL OR EXISTS (SELECT 1 FROM identities WHERE identities.user_id = users.id)) LIMIT 1`
      return (await database.all(statement)).length > 0
    },
  }
}

export function createSqlIdentities(database: Database): Identities {
  return {
    async find(issuer, subject) {
      const statement = `SELECT users.* FROM identities JOIN users ON users.id = identities.user_id
        WHERE identities.issuer = ? AND identities.subject = ?`
      return (await database.all(statement, issuer, subject)).map(userOf)[0] ?? null
    },
    link: (issuer, subject, user, also) =>
      database.transact(async (tx) => {
        const row = { issuer, subject, user_id: user }
        await insert(tx, 'identities', row, 'ON CONFLICT (issuer, subject) DO NOTHING')
        await also?.(tx)
      }),
  }
}

const ticketOf = (row: Row): Ticket => ({
  user: String(row.user_id),
  kind: TICKETS.find((kind) => kind === row.kind) ?? 'reset',
  createdAt: Number(row.created_at),
  endsAt: Number(row.ends_at),
})
