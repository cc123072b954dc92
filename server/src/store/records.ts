/** Writes task and job rows with the edges between tasks. Decides nothing. */
import type { Job, Task } from '../core/task.ts'
import type { Sql } from '../ports/sql.ts'
import { jobBirth, jobState, taskBirth, taskState } from './rows.ts'
import { forEachChunk, insert, insertAll, update } from './statements.ts'

export async function writeJobs(sql: Sql, jobs: readonly Job[], known: { has(id: string): boolean }): Promise<void> {
  for (const job of jobs) {
    if (known.has(job.id)) await update(sql, 'jobs', job.id, jobState(job))
    else await insert(sql, 'jobs', { ...jobBirth(job), ...jobState(job) })
  }
}

export async function writeTasks(sql: Sql, tasks: readonly Task[], known: { has(id: string): boolean }): Promise<void> {
  for (const task of tasks) if (known.has(task.id)) await update(sql, 'tasks', task.id, taskState(task))
  const born = tasks.flatMap((task, place) => (known.has(task.id) ? [] : [{ task, place }]))
  await insertAll(
    sql,
    'tasks',
    born.map(({ task, place }) => ({ ...taskBirth(task, place), ...taskState(task) })),
  )
  const edges = born.flatMap(({ task }) => [...new Set(task.dependsOn)].map((input) => ({ input, task: task.id })))
  await insertAll(sql, 'edges', edges)
}

/** Rows that hang on a task, its references to blobs and its edges to inputs, go with it by foreign key. */
export async function removeTasks(sql: Sql, ids: readonly string[]): Promise<void> {
  await forEachChunk(ids, (marks, values) => sql.run(`DELETE FROM edges WHERE input IN (${marks})`, ...values))
  await forEachChunk(ids, (marks, values) => sql.run(`DELETE FROM tasks WHERE id IN (${marks})`, ...values))
}

export const removeJobs = (sql: Sql, ids: readonly string[]): Promise<void> =>
  forEachChunk(ids, (marks, values) => sql.run(`DELETE FROM jobs WHERE id IN (${marks})`, ...values))
