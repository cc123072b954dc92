/** Plans, and reading what was used. Writes no usage: see usage.ts. */
import { type Budget, PERIODS, type Plan, startOf, UNLIMITED } from '../core/quota.ts'
import type { Metering, Plans, UsageField, UsageRow } from '../ports/metering.ts'
import type { ShareOf } from '../ports/queue.ts'
import type { Database, Row, SqlValue } from '../ports/sql.ts'
import { insert } from './statements.ts'

const PLAN = {
  minutesPerDay: 'minutes_per_day',
  minutesPerMonth: 'minutes_per_month',
  minutesPerTask: 'minutes_per_task',
  concurrency: 'concurrency',
  maxFileSize: 'max_file_size',
  ratePerMinute: 'rate_per_minute',
  filesHours: 'files_hours',
  recordsHours: 'records_hours',
} as const satisfies Record<keyof Omit<Plan, 'name'>, string>
type Limit = keyof typeof PLAN
const LIMITS = Object.keys(PLAN) as Limit[]

const COLUMNS: Record<UsageField, string> = {
  day: 'day',
  operation: 'operation',
  from: 'source',
  format: 'format',
  key: 'key_id',
}

/** One question, because every job of somebody with limits asks it. */
const USED = `SELECT * FROM
  (SELECT sum(seconds) AS month, sum(CASE WHEN day >= ? THEN seconds END) AS today
    FROM meters WHERE who = ? AND day >= ?) AS charged,
  (SELECT sum(seconds) AS of_key FROM meters WHERE who = ? AND day >= ?) AS rationed,
  (SELECT count(*) AS tasks, sum(taken_at) AS taken, count(CASE WHEN key_id = ? THEN 1 END) AS own,
    sum(CASE WHEN key_id = ? THEN taken_at END) AS own_taken
    FROM tasks WHERE user_id = ? AND taken_at IS NOT NULL AND ended_at IS NULL AND lane <> 'io') AS running`

const numberOrNull = (value: SqlValue | undefined): number | null => (value == null ? null : Number(value))

/** For the queue: what the plan of a task's owner says. */
export const shareOf: ShareOf = async (sql, owner) => {
  const statement = 'SELECT concurrency FROM users JOIN plans ON plans.name = users.plan WHERE users.id = ?'
  const [row] = await sql.all(statement, owner)
  return numberOrNull(row?.concurrency)
}

export function createSqlMetering(database: Database): Metering {
  return {
    plans: createSqlPlans(database),

    async terms(user, key) {
      const statement = `SELECT plans.*, keys.budget_minutes, keys.budget_per FROM users
        JOIN plans ON plans.name = users.plan LEFT JOIN keys ON keys.id = ? WHERE users.id = ?`
      const [row] = await database.all(statement, key, user)
      return row ? { plan: planOf(row), budget: budgetOf(row) } : { plan: UNLIMITED, budget: null }
    },

    async used(user, key, { budget }, now) {
      const since = startOf(budget?.per ?? 'day', now)
      const values = [startOf('day', now), user, startOf('month', now), budget && key, since, key, key, user]
      const [row = {}] = await database.all(USED, ...values)
      const passed = (tasks: SqlValue | undefined, taken: SqlValue | undefined): number =>
        Math.max(0, Number(tasks) * now - Number(taken ?? 0)) / 1000
      return {
        day: Number(row.today ?? 0),
        month: Number(row.month ?? 0),
        key: Number(row.of_key ?? 0),
        running: {
          tasks: Number(row.tasks),
          seconds: passed(row.tasks, row.taken),
          ofKey: passed(row.own, row.own_taken),
        },
      }
    },

    async secondsSince(who, since) {
      const statement = 'SELECT sum(seconds) AS seconds FROM meters WHERE who = ? AND day >= ?'
      const [row] = await database.all(statement, who, since)
      return Number(row?.seconds ?? 0)
    },

    async usage(user, { from, to, by }) {
      const groups = by.map((field) => COLUMNS[field]).join(', ')
      const sums = ['tasks', 'failed', 'seconds', 'bytes_in', 'bytes_out'].map((sum) => `sum(${sum}) AS ${sum}`)
      const grouped = groups ? ` GROUP BY ${groups} ORDER BY ${groups}` : ''
      const statement = `SELECT ${[...(groups ? [groups] : []), ...sums].join(', ')} FROM usage
        WHERE ${user === null ? '' : 'user_id = ? AND '}day >= ? AND day < ?${grouped}`
      const rows = await database.all(statement, ...(user === null ? [] : [user]), from, to)
      return rows.filter((row) => row.tasks !== null).map((row) => usageOf(row, by))
    },
  }
}

function createSqlPlans(database: Database): Plans {
  return {
    async list() {
      const users = '(SELECT count(*) FROM users WHERE users.plan = plans.name)'
      const rows = await database.all(`SELECT plans.*, ${users} AS users FROM plans ORDER BY name`)
      return rows.map((row) => ({ ...planOf(row), users: Number(row.users) }))
    },
    find: async (name) => (await database.all('SELECT * FROM plans WHERE name = ?', name)).map(planOf)[0] ?? null,
    add: (plan, also) =>
      database.transact(async (tx) => {
        const row = { name: plan.name, ...rowOf(plan) }
        if ((await insert(tx, 'plans', row, 'ON CONFLICT (name) DO NOTHING')) === 0) return false
        await also?.(tx)
        return true
      }),
    change: (name, to, also) =>
      database.transact(async (tx) => {
        const row = rowOf(to)
        const columns = Object.keys(row)
        const sets = columns.map((column) => `${column} = ?`).join(', ')
        if (columns.length) await tx.run(`UPDATE plans SET ${sets} WHERE name = ?`, ...Object.values(row), name)
        const [plan] = (await tx.all('SELECT * FROM plans WHERE name = ?', name)).map(planOf)
        if (plan) await also?.(tx)
        return plan ?? null
      }),
    remove: (name, also) =>
      database.transact(async (tx) => {
        if ((await tx.all('SELECT id FROM users WHERE plan = ? LIMIT 1', name)).length > 0) return 'used'
        if ((await tx.run('DELETE FROM plans WHERE name = ?', name)) === 0) return 'unknown'
        await also?.(tx)
        return 'removed'
      }),
  }
}

function planOf(row: Row): Plan {
  const limit = (name: Limit): number | null => numberOrNull(row[PLAN[name]])
  return {
    name: String(row.name),
    minutesPerDay: limit('minutesPerDay'),
    minutesPerMonth: limit('minutesPerMonth'),
    minutesPerTask: limit('minutesPerTask'),
    concurrency: limit('concurrency'),
    maxFileSize: limit('maxFileSize'),
    ratePerMinute: limit('ratePerMinute'),
    filesHours: limit('filesHours'),
    recordsHours: limit('recordsHours'),
  }
}

const rowOf = (plan: Partial<Plan>): Row =>
  Object.fromEntries(LIMITS.flatMap((name) => (plan[name] === undefined ? [] : [[PLAN[name], plan[name]]])))

/** Of a row of keys. */
export function budgetOf(row: Row): Budget | null {
  const per = PERIODS.find((period) => period === row.budget_per)
  return row.budget_minutes == null || !per ? null : { minutes: Number(row.budget_minutes), per }
}

function usageOf(row: Row, by: readonly UsageField[]): UsageRow {
  const about = by.map((field) => [field, field === 'day' ? Number(row.day) : String(row[COLUMNS[field]])])
  return {
    ...Object.fromEntries(about),
    tasks: Number(row.tasks),
    failed: Number(row.failed),
    seconds: Number(row.seconds),
    bytesIn: Number(row.bytes_in),
    bytesOut: Number(row.bytes_out),
  }
}
