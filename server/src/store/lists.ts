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
  /** Further conditions, with the values of their placeholders. */
  also?: readonly Condition[]
}

interface Condition {
  where: string
  values: SqlValue[]
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
  const { user, status, tag, operation, search } = filter
  const also = [
    ...(operation === undefined ? [] : [withOperation(operation)]),
    ...(search === undefined || search === '' ? [] : [withText(search)]),
  ]
  const source: Source = { from: 'jobs', wanted: { user_id: user, tag, status }, also }
  const total = tag === undefined && also.length === 0 ? totalOfJobs(sql, filter) : countRows(sql, source)
  const [rows, found] = await Promise.all([pageOfRows(sql, source, page, limit), total])
  return { docs: rows.map(jobOf), total: found }
}

/** A job is small: materialized, so that no planner walks the user's whole list to find its tasks in order. */
const ofJob = (job: string) => ({
  before: 'WITH own AS MATERIALIZED (SELECT * FROM tasks WHERE job_id = ?)',
  beforeValues: [job],
  from: 'own',
})

const withOperation = (operation: string): Condition => ({
  where: 'EXISTS (SELECT 1 FROM tasks t WHERE t.job_id = jobs.id AND t.operation = ?)',
  values: [operation],
})

/** A file's name is looked for in the results as they are kept. It reads them all: for people, not for programs. */
function withText(search: string): Condition {
  const plain = (text: string) => text.toLowerCase().replace(/[!%_]/g, '!$&')
  const inJson = JSON.stringify(search).slice(1, -1)
  const named = "EXISTS (SELECT 1 FROM tasks t WHERE t.job_id = jobs.id AND lower(t.result) LIKE ? ESCAPE '!')"
  return {
    where: `(lower(tag) LIKE ? ESCAPE '!' OR id LIKE ? ESCAPE '!' OR ${named})`,
    values: [`%${plain(search)}%`, `${plain(search)}%`, `%"filename":"%${plain(inJson)}%`],
  }
}

function conditionOf({ wanted, also = [] }: Source): Condition {
  const { where, values } = whereOf(wanted)
  return {
    where: [where, ...also.map((each) => each.where)].join(' AND '),
    values: [...values, ...also.flatMap((each) => each.values)],
  }
}

function pageOfRows(sql: Sql, source: Source, page: number, limit: number): Promise<Row[]> {
  const { before = '', beforeValues = [], from } = source
  const { where, values } = conditionOf(source)
  // Ids grow, so they tell which of two records of the same millisecond is newer.
  const select = `SELECT * FROM ${from} WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`
  return sql.all(`${before} ${select}`, ...beforeValues, ...values, limit, (page - 1) * limit)
}

async function countRows(sql: Sql, source: Source): Promise<number> {
  const { before = '', beforeValues = [], from } = source
  const { where, values } = conditionOf(source)
  const [row] = await sql.all(`${before} SELECT count(*) AS n FROM ${from} WHERE ${where}`, ...beforeValues, ...values)
  return Number(row?.n)
}

/** Owners take turns and priorities differ, so this is the place in the line of those who came before, not a promise. */
export async function aheadOf(
  sql: Sql,
  { status, waits, waitingFor, takenAt, lane, createdAt, id }: Task,
): Promise<number | null> {
  if (status !== 'created' || takenAt !== null || waits || waitingFor > 0) return null
  const statement = `SELECT count(*) AS n FROM tasks WHERE ended_at IS NULL AND waits = 0 AND waiting_for = 0
    AND status = 'created' AND taken_at IS NULL AND lane = ? AND (created_at < ? OR (created_at = ? AND id < ?))`
  const [row] = await sql.all(statement, lane, createdAt, createdAt, id)
  return Number(row?.n ?? 0)
}
