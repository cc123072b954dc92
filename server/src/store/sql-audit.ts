/** The audit log in the same database, so that an entry is written together with what it tells of. */
import { ACTIONS, type Audit, type AuditEntry } from '../ports/audit.ts'
import type { Database, Row, Sql, SqlValue } from '../ports/sql.ts'
import { insert } from './statements.ts'

const BATCH = 500

export function createSqlAudit(database: Database): Audit {
  const add = async (sql: Sql, entry: AuditEntry) => void (await insert(sql, 'audit', rowOf(entry)))
  return {
    write: (entry) => database.transact((tx) => add(tx, entry)),
    within: (entry) => (tx) => add(tx, entry),
    async list({ user, action }, page, limit) {
      const wanted: string[] = []
      const values: SqlValue[] = []
      if (user !== undefined) {
        wanted.push('(user_id = ? OR target = ?)')
        values.push(user, `user:${user}`)
      }
      if (action !== undefined) {
        const family = ACTIONS.filter((one) => one === action || one.startsWith(`${action}.`))
        wanted.push(`action IN (${[action, ...family].map(() => '?').join(', ')})`)
        values.push(action, ...family)
      }
      const from = `FROM audit ${wanted.length ? `WHERE ${wanted.join(' AND ')}` : ''}`
      const order = 'ORDER BY at DESC, id DESC LIMIT ? OFFSET ?'
      const rows = await database.all(`SELECT * ${from} ${order}`, ...values, limit, (page - 1) * limit)
      const [sum] = await database.all(`SELECT count(*) AS n ${from}`, ...values)
      return { docs: rows.map(entryOf), total: Number(sum?.n) }
    },
    async expire(before) {
      const old = 'SELECT id FROM audit WHERE at <= ? ORDER BY at LIMIT ?'
      while ((await database.run(`DELETE FROM audit WHERE id IN (${old})`, before, BATCH)) === BATCH);
    },
  }
}

const rowOf = ({ id, at, user, email, via, viaId, address, action, target, detail }: AuditEntry): Row => ({
  ...{ id, at, user_id: user, email, via, via_id: viaId, address, action, target, detail: JSON.stringify(detail) },
})

const text = (value: SqlValue | undefined): string | null => (value == null ? null : String(value))

const entryOf = (row: Row): AuditEntry => ({
  id: String(row.id),
  at: Number(row.at),
  user: text(row.user_id),
  email: text(row.email),
  via: (['key', 'session', 'server'] as const).find((via) => via === row.via) ?? 'none',
  viaId: text(row.via_id),
  address: text(row.address),
  action: row.action as AuditEntry['action'],
  target: text(row.target),
  detail: JSON.parse(String(row.detail)),
})
