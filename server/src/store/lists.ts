/** Lists of a user's tasks and jobs, newest first, with totals that do not count rows where a tally exists. */
import type { Job, Task } from '../core/task.ts'
import type { Row, Sql, SqlValue } from '../ports/sql.ts'
import type { Found, JobFilter, TaskFilter } from '../ports/store.ts'
import { totalOfJobs, totalOfTasks, whereOf } from './ledger.ts'
import { jobOf, taskOf } from './rows.ts'

/** What to select from, with the values of its own placeholders, and the columns that must be equal. */
interface Source {
  before?: string
  beforeValues?: SqlValue[]
  from: string
  wanted: Record<string, SqlValue | undefined>
}

export async function listTasks(sql: Sql, filter: TaskFilter, page: number, limit: number): Promise<Found<Task>> {
  const { user, status, operation, job } = filter
  const wanted = { user_id: user, status, operation }
  const source: Source = job === undefined ? { from: 'tasks', wanted } : { ...ofJob(job), wanted }
  const total = job === undefined ? totalOfTasks(sql, filter) : countRows(sql, source)
  const [rows, found] = await Promise.all([pageOfRows(sql, source, page, limit), total])
  return { docs: rows.map(taskOf), total: found }
}

export async function listJobs(sql: Sql, filter: JobFilter, page: number, limit: number): Promise<Found<Job>> {
  const { user, status, tag } = filter
  const source: Source = { from: 'jobs', wanted: { user_id: user, tag, status } }
  const total = tag === undefined ? totalOfJobs(sql, filter) : countRows(sql, source)
  const [rows, found] = await Promise.all([pageOfRows(sql, source, page, limit), total])
  return { docs: rows.map(jobOf), total: found }
}

/** A job is small: materialized, so that no planner walks the user's whole list to find its tasks in order. */
const ofJob = (job: string) => ({
  before: 'WITH own AS MATERIALIZED (SELECT * FROM tasks WHERE job_id = ?)',
  beforeValues: [job],
  from: 'own',
})

function pageOfRows(sql: Sql, source: Source, page: number, limit: number): Promise<Row[]> {
  const { before = '', beforeValues = [], from, wanted } = source
  const { where, values } = whereOf(wanted)
  // Ids grow, so they tell which of two records of the same millisecond is newer.
  const select = `SELECT * FROM ${from} WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`
  return sql.all(`${before} ${select}`, ...beforeValues, ...values, limit, (page - 1) * limit)
}

async function countRows(sql: Sql, source: Source): Promise<number> {
  const { before = '', beforeValues = [], from, wanted } = source
  const { where, values } = whereOf(wanted)
  const [row] = await sql.all(`${before} SELECT count(*) AS n FROM ${from} WHERE ${where}`, ...beforeValues, ...values)
  return Number(row?.n)
}
