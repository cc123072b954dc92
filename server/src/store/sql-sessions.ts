/** Sessions and their short-lived tokens, by the hash of what the browser holds. */
import type { Session, Sessions } from '../ports/credentials.ts'
import type { Database, Row, Tx } from '../ports/sql.ts'
import { insert } from './statements.ts'

/** As many tabs as somebody has open; the oldest token goes when one more is asked for. */
const MOST_TOKENS = 32

export function createSqlSessions(database: Database): Sessions {
  return {
    add: ({ id, user, createdAt, seenAt, idleAt, endsAt }, hash, also) =>
      database.transact(async (tx) => {
        const times = { created_at: createdAt, seen_at: seenAt, idle_at: idleAt, ends_at: endsAt }
        await insert(tx, 'sessions', { id, user_id: user, hash, ...times })
        await also?.(tx)
      }),
    async byHash(hash, now) {
      const rows = await database.all('SELECT * FROM sessions WHERE hash = ? AND idle_at > ?', hash, now)
      return rows.map(sessionOf)[0] ?? null
    },
    async byToken(hash, now) {
      const statement = `SELECT sessions.* FROM session_tokens JOIN sessions ON sessions.id = session_tokens.session_id
        WHERE session_tokens.hash = ? AND session_tokens.ends_at > ? AND sessions.idle_at > ?`
      return (await database.all(statement, hash, now, now)).map(sessionOf)[0] ?? null
    },
    addToken: (session, hash, endsAt, now) =>
      database.transact(async (tx) => {
        await tx.run('DELETE FROM session_tokens WHERE session_id = ? AND ends_at <= ?', session, now)
        const newest = 'SELECT hash FROM session_tokens WHERE session_id = ? ORDER BY ends_at DESC LIMIT ?'
        const others = `DELETE FROM session_tokens WHERE session_id = ? AND hash NOT IN (${newest})`
        await tx.run(others, session, session, MOST_TOKENS - 1)
        await insert(tx, 'session_tokens', { hash, session_id: session, ends_at: endsAt })
      }),
    async seen(id, now, idleAt) {
      await database.run('UPDATE sessions SET seen_at = ?, idle_at = ? WHERE id = ?', now, idleAt, id)
    },
    remove: (id, also) =>
      database.transact(async (tx) => {
        const gone = (await tx.run('DELETE FROM sessions WHERE id = ?', id)) === 1
        if (gone) await also?.(tx)
        return gone
      }),
    async expire(now) {
      await database.run('DELETE FROM sessions WHERE idle_at <= ?', now)
    },
  }
}

/** Every session of the user but `keep`; answers their ids. */
export async function endSessions(tx: Tx, user: string, keep: string | null = null): Promise<string[]> {
  const rows = await tx.all('SELECT id FROM sessions WHERE user_id = ? AND id <> ?', user, keep ?? '')
  await tx.run('DELETE FROM sessions WHERE user_id = ? AND id <> ?', user, keep ?? '')
  return rows.map(({ id }) => String(id))
}

const sessionOf = (row: Row): Session => ({
  id: String(row.id),
  user: String(row.user_id),
  createdAt: Number(row.created_at),
  seenAt: Number(row.seen_at),
  idleAt: Number(row.idle_at),
  endsAt: Number(row.ends_at),
})
