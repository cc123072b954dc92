/** Webhooks and what was told to them, in the same database as the records. Never sees a secret that is not sealed. */
import { WEBHOOK_EVENTS } from '../core/webhook.ts'
import type { Database, Row, Sql } from '../ports/sql.ts'
import type { Found } from '../ports/store.ts'
import {
  type Attempt,
  DELIVERY_STATUSES,
  type Delivery,
  type SealedSecrets,
  type Webhook,
  type Webhooks,
} from '../ports/webhooks.ts'
import { insertDelivery } from './deliveries.ts'
import { insert, update } from './statements.ts'

const BATCH = 500

export function createSqlWebhooks(database: Database): Webhooks {
  const { locks } = database
  const find = async (sql: Sql, id: string, lock = '') =>
    (await sql.all(`SELECT * FROM webhooks WHERE id = ? ${lock}`, id)).map(webhookOf)[0] ?? null
  const delivery = async (sql: Sql, id: string) =>
    (await sql.all('SELECT * FROM deliveries WHERE id = ?', id)).map(deliveryOf)[0] ?? null

  async function page<T>(
    [from, ...values]: [string, ...string[]],
    read: (row: Row) => T,
    [number, limit]: [number, number],
  ): Promise<Found<T>> {
    const order = 'ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?'
    const rows = await database.all(`SELECT * ${from} ${order}`, ...values, limit, (number - 1) * limit)
    const [sum] = await database.all(`SELECT count(*) AS n ${from}`, ...values)
    return { docs: rows.map(read), total: Number(sum?.n) }
  }

  return {
    add: (webhook, also) =>
      database.transact(async (tx) => {
        await insert(tx, 'webhooks', rowOf(webhook))
        await also?.(tx)
      }),
    list: (user, number, limit) => page(['FROM webhooks WHERE user_id = ?', user], webhookOf, [number, limit]),
    find: (id) => find(database, id),

    change: (id, to, now, also) =>
      database.transact(async (tx) => {
        const found = await find(tx, id, locks.rows)
        if (!found) return null
        const next = { ...found, ...to, updatedAt: now }
        await update(tx, 'webhooks', id, rowOf(next))
        const end =
          "UPDATE deliveries SET status = 'failed', next_at = NULL WHERE webhook_id = ? AND status = 'waiting'"
        if (!next.enabled) await tx.run(end, id)
        await also?.(tx)
        return next
      }),
    remove: (id, also) =>
      database.transact(async (tx) => {
        const gone = (await tx.run('DELETE FROM webhooks WHERE id = ?', id)) === 1
        if (gone) await also?.(tx)
        return gone
      }),

    accountSecrets: (user, make) =>
      database.transact(async (tx) => {
        const known = () => tx.all('SELECT secrets FROM webhook_accounts WHERE user_id = ?', user)
        const [row] = await known()
        if (row) return secretsOf(row)
        const made = { user_id: user, secrets: JSON.stringify(make()) }
        // Somebody else may have made them in the meantime.
        await insert(tx, 'webhook_accounts', made, 'ON CONFLICT (user_id) DO NOTHING')
        return secretsOf((await known())[0] ?? made)
      }),
    async setAccountSecrets(user, secrets, also) {
      const conflict = 'ON CONFLICT (user_id) DO UPDATE SET secrets = excluded.secrets'
      const row = { user_id: user, secrets: JSON.stringify(secrets) }
      await database.transact(async (tx) => {
        await insert(tx, 'webhook_accounts', row, conflict)
        await also?.(tx)
      })
    },

    deliveries: (user, webhook, number, limit) =>
      page(
        webhook === null
          ? ['FROM deliveries WHERE user_id = ?', user]
          : ['FROM deliveries WHERE user_id = ? AND webhook_id = ?', user, webhook],
        deliveryOf,
        [number, limit],
      ),
    delivery: (id) => delivery(database, id),
    async attempts(id) {
      const rows = await database.all('SELECT * FROM attempts WHERE delivery_id = ? ORDER BY n', id)
      return rows.map(attemptOf)
    },
    addDelivery: (made) => database.transact(async (tx) => void (await insertDelivery(tx, made))),
    resend: (id, now) =>
      database.transact(async (tx) => {
        await tx.run("UPDATE deliveries SET status = 'waiting', attempts = 0, next_at = ? WHERE id = ?", now, id)
        return delivery(tx, id)
      }),

    async take(now, until, most) {
      const due = `SELECT id FROM deliveries WHERE next_at <= ? ORDER BY next_at, id LIMIT ? ${locks.freeRows}`
      const statement = `UPDATE deliveries SET next_at = ? WHERE id IN (${due}) RETURNING *`
      const rows = await database.transact((tx) => tx.all(statement, until, now, most))
      return rows.map(deliveryOf).sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    },
    record: (id, attempt, { status, nextAt }) =>
      database.transact(async (tx) => {
        const known = 'UPDATE deliveries SET status = ?, next_at = ?, attempts = attempts + 1 WHERE id = ?'
        // It may have been deleted with its webhook in the meantime.
        if ((await tx.run(known, status, nextAt, id)) === 0) return
        const [row] = await tx.all('SELECT max(n) AS n FROM attempts WHERE delivery_id = ?', id)
        const { at, milliseconds, status: answered, answer } = attempt
        const n = Number(row?.n ?? 0) + 1
        await insert(tx, 'attempts', { delivery_id: id, n, at, milliseconds, status: answered, answer })
      }),
    async nextDue() {
      const [row] = await database.all('SELECT min(next_at) AS at FROM deliveries WHERE next_at IS NOT NULL')
      return row?.at === null || row?.at === undefined ? null : Number(row.at)
    },
    async expire(before) {
      const old = 'SELECT id FROM deliveries WHERE created_at <= ? AND next_at IS NULL ORDER BY created_at LIMIT ?'
      while ((await database.run(`DELETE FROM deliveries WHERE id IN (${old})`, before, BATCH)) === BATCH);
    },
  }
}

const rowOf = (webhook: Webhook): Row => ({
  id: webhook.id,
  user_id: webhook.user,
  url: webhook.url,
  events: JSON.stringify(webhook.events),
  enabled: webhook.enabled ? 1 : 0,
  reason: webhook.reason,
  secrets: JSON.stringify(webhook.secrets),
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
})

const secretsOf = (row: Row): SealedSecrets => JSON.parse(String(row.secrets))
const textOrNull = (value: Row[string] | undefined): string | null => (value == null ? null : String(value))
const numberOrNull = (value: Row[string] | undefined): number | null => (value == null ? null : Number(value))

function webhookOf(row: Row): Webhook {
  const events: unknown[] = JSON.parse(String(row.events))
  return {
    id: String(row.id),
    user: String(row.user_id),
    url: String(row.url),
    events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
    enabled: row.enabled === 1,
    reason: textOrNull(row.reason),
    secrets: secretsOf(row),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
}

const deliveryOf = (row: Row): Delivery => ({
  id: String(row.id),
  user: String(row.user_id),
  webhook: textOrNull(row.webhook_id),
  url: String(row.url),
  event: String(row.event),
  job: textOrNull(row.job_id),
  told: JSON.parse(String(row.told)),
  status: DELIVERY_STATUSES.find((status) => status === row.status) ?? 'failed',
  attempts: Number(row.attempts),
  nextAt: numberOrNull(row.next_at),
  createdAt: Number(row.created_at),
})

const attemptOf = (row: Row): Attempt => ({
  at: Number(row.at),
  milliseconds: Number(row.milliseconds),
  status: numberOrNull(row.status),
  answer: String(row.answer),
})
