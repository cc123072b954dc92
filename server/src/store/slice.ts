/** Loads the records a happening can touch, so that nobody else changes them before the transaction ends. */
import type { Slice } from '../core/change.ts'
import type { Job, Task } from '../core/task.ts'
import type { Locks, Sql } from '../ports/sql.ts'
import { jobOf, taskOf } from './rows.ts'
import { allIn } from './statements.ts'

/**
 * Rows are locked in the same order by everybody: tasks before jobs, inputs before what takes from them, and rows of a
 * kind by id.
 */
export function createSlices({ rows: lock }: Locks) {
  const tasks = async (sql: Sql, ids: Iterable<string>): Promise<Task[]> => {
    const rows = await allIn(sql, ids, (marks) => `SELECT * FROM tasks WHERE id IN (${marks}) ORDER BY id ${lock}`)
    return rows.map(taskOf)
  }
  const jobs = async (sql: Sql, ids: Iterable<string>): Promise<Job[]> => {
    const rows = await allIn(sql, ids, (marks) => `SELECT * FROM jobs WHERE id IN (${marks}) ORDER BY id ${lock}`)
    return rows.map(jobOf)
  }

  /**
   * `create` locks its inputs, so nobody takes input from a task that is locked here. Until it was, somebody could:
   * where transactions run side by side, it is looked again until nobody new was found.
   */
  const dependentsOf = async (sql: Sql, subjects: readonly Task[]): Promise<Task[]> => {
    const known = new Set(subjects.map((task) => task.id))
    const dependents: Task[] = []
    for (;;) {
      const fresh = (await below(sql, known)).filter((id) => !known.has(id))
      if (fresh.length === 0) return dependents
      for (const id of fresh) known.add(id)
      dependents.push(...(await tasks(sql, fresh)))
      if (lock === '') return dependents
    }
  }

  const around = async (sql: Sql, subjects: readonly Task[], further: readonly string[] = []): Promise<Slice> => {
    const dependents = await dependentsOf(sql, subjects)
    const touched = [...subjects, ...dependents].flatMap((task) => task.job ?? [])
    return { subjects, dependents: dependents.sort(byAge), jobs: await jobs(sql, [...touched, ...further]) }
  }

  return {
    tasks,
    jobs,
    async ofTask(sql: Sql, id: string): Promise<Slice | null> {
      const subjects = await tasks(sql, [id])
      return subjects.length === 0 ? null : around(sql, subjects)
    },
    async ofJob(sql: Sql, id: string): Promise<{ job: Job; slice: Slice } | null> {
      const places = await sql.all('SELECT id FROM tasks WHERE job_id = ? ORDER BY place', id)
      const ids = places.map((row) => String(row.id))
      const found = new Map((await tasks(sql, ids)).map((task) => [task.id, task]))
      const slice = await around(
        sql,
        ids.flatMap((task) => found.get(task) ?? []),
        [id],
      )
      const job = slice.jobs.find((one) => one.id === id)
      return job ? { job, slice } : null
    },
  }
}

const byAge = (a: Task, b: Task): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

/**
 * Whoever takes input from `ids`, directly or through others. It does not go on through a task that has ended: what
 * happens above it no longer reaches below it, and a file that was used ten thousand times stays quick to delete.
 */
async function below(sql: Sql, ids: Iterable<string>): Promise<string[]> {
  const rows = await allIn(
    sql,
    ids,
    (marks) => `WITH RECURSIVE below (id) AS (
      SELECT e.task FROM edges e JOIN tasks t ON t.id = e.task WHERE e.input IN (${marks}) AND t.ended_at IS NULL
      UNION
      SELECT e.task FROM below b JOIN edges e ON e.input = b.id JOIN tasks t ON t.id = e.task WHERE t.ended_at IS NULL
    ) SELECT id FROM below`,
  )
  return rows.map((row) => String(row.id))
}
