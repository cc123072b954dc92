/**
 * Sums kept up to date with the records they sum up, in the same transaction, so that asking for them costs the same
 * however many records there are: how many tasks and jobs of a kind there are.
 */
import type { Job, Task, TaskStatus } from '../core/task.ts'
import type { Row, Sql, SqlValue } from '../ports/sql.ts'
import type { JobFilter, TaskFilter } from '../ports/store.ts'
import { insertAll } from './statements.ts'

/** A record before and after; null where it does not exist. */
export interface Step<T> {
  before: T | null
  after: T | null
}

export interface Steps {
  tasks: readonly Step<Task>[]
  jobs: readonly Step<Job>[]
}

export async function count(sql: Sql, steps: Steps): Promise<void> {
  const sums = new Map<string, { row: Row; n: number }>()
  const add = (row: Row, n: number): void => {
    const key = JSON.stringify(Object.values(row))
    sums.set(key, { row, n: (sums.get(key)?.n ?? 0) + n })
  }
  const drawer = {
    task: (task: Task): Row => ({ user_id: task.user, kind: 'task', status: task.status, operation: task.operation }),
    job: (job: Job): Row => ({ user_id: job.user, kind: 'job', status: job.status, operation: '' }),
  }
  for (const { before, after } of steps.tasks) {
    if (before) add(drawer.task(before), -1)
    if (after) add(drawer.task(after), 1)
  }
  for (const { before, after } of steps.jobs) {
    if (before) add(drawer.job(before), -1)
    if (after) add(drawer.job(after), 1)
  }
  // Always in the same order, so that two transactions that lock these rows do not wait for each other.
  const rows = [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { row, n }]) => (n === 0 ? [] : [{ ...row, n }]))
  const conflict = 'ON CONFLICT (user_id, kind, status, operation) DO UPDATE SET n = tallies.n + excluded.n'
  await insertAll(sql, 'tallies', rows, conflict)
}

export const totalOfTasks = (sql: Sql, filter: TaskFilter): Promise<number> =>
  total(sql, { user_id: filter.user, kind: 'task', status: filter.status, operation: filter.operation })

export const totalOfJobs = (sql: Sql, filter: JobFilter): Promise<number> =>
  total(sql, { user_id: filter.user, kind: 'job', status: filter.status })

async function total(sql: Sql, wanted: Record<string, SqlValue | undefined>): Promise<number> {
  const { where, values } = whereOf(wanted)
  const [row] = await sql.all(`SELECT sum(n) AS n FROM tallies WHERE ${where}`, ...values)
  return Number(row?.n ?? 0)
}

/** A condition on the columns that are given. */
export function whereOf(wanted: Record<string, SqlValue | undefined>): { where: string; values: SqlValue[] } {
  const given = Object.entries(wanted).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
  return {
    where: given.map(({ column }) => `${column} = ?`).join(' AND '),
    values: given.map(({ value }) => value),
  }
}

export async function countsByStatus(sql: Sql): Promise<Partial<Record<TaskStatus, number>>> {
  const rows = await sql.all("SELECT status, sum(n) AS n FROM tallies WHERE kind = 'task' GROUP BY status")
  return Object.fromEntries(rows.map((row) => [String(row.status), Number(row.n)]))
}
