/** Loads the records a happening can touch, so that nobody else changes them before the transaction ends. */
import type { Slice } from '../core/machine.ts'
import type { Job, Task } from '../core/task.ts'
import type { Sql } from '../ports/sql.ts'
import { jobOf, taskOf } from './rows.ts'
import { allIn } from './statements.ts'

/** `lock` is appended to every SELECT below: empty on SQLite, where transactions run one after another. */
export function createSlices(lock: string) {
  const tasks = async (sql: Sql, ids: Iterable<string>): Promise<Task[]> => {
    const rows = await allIn(sql, ids, (marks) => `SELECT * FROM tasks WHERE id IN (${marks}) ORDER BY id ${lock}`)
    return rows.map(taskOf)
  }
  const jobs = async (sql: Sql, ids: Iterable<string>): Promise<Job[]> => {
    const rows = await allIn(sql, ids, (marks) => `SELECT * FROM jobs WHERE id IN (${marks}) ORDER BY id ${lock}`)
    return rows.map(jobOf)
  }

  /** Subjects are locked before their dependents are looked for: `create` locks its inputs, so none can appear between. */
  const around = async (sql: Sql, subjects: readonly Task[]): Promise<Slice> => {
    const known = new Set(subjects.map((task) => task.id))
    const dependents = await tasks(
      sql,
      (await dependentsOf(sql, known)).filter((id) => !known.has(id)),
    )
    const touched = [...subjects, ...dependents]
    return {
      subjects,
      dependents: dependents.sort(byAge),
      jobs: await jobs(
        sql,
        touched.flatMap((task) => task.job ?? []),
      ),
    }
  }

  return {
    tasks,
    async ofTask(sql: Sql, id: string): Promise<Slice | null> {
      const subjects = await tasks(sql, [id])
      return subjects.length === 0 ? null : around(sql, subjects)
    },
    async ofJob(sql: Sql, id: string): Promise<{ job: Job; slice: Slice } | null> {
      const [job] = await jobs(sql, [id])
      if (!job) return null
      const rows = await sql.all(`SELECT * FROM tasks WHERE job_id = ? ORDER BY place ${lock}`, id)
      return { job, slice: await around(sql, rows.map(taskOf)) }
    },
  }
}

const byAge = (a: Task, b: Task): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

/**
 * Whoever takes input from `ids`, directly or through others. It does not go on through a task that has ended: what
 * happens above it no longer reaches below it, and a file that was used ten thousand times stays quick to delete.
 */
async function dependentsOf(sql: Sql, ids: Iterable<string>): Promise<string[]> {
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
