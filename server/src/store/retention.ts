/**
 * Removes what has been kept long enough, a few hundred rows at a time: each batch is a transaction of its own, so that
 * requests get their turn between them. Tells nobody.
 */
import { hasEnded, type Job, RECORDS_KEPT, type Task } from '../core/task.ts'
import type { Queue } from '../ports/queue.ts'
import type { Database, Row, SqlValue, Tx } from '../ports/sql.ts'
import { blobsOf, unused } from './blob-refs.ts'
import { count } from './ledger.ts'
import { removeJobs, removeTasks } from './records.ts'
import type { createSlices } from './slice.ts'
import { allIn, forEachChunk } from './statements.ts'
import { USAGE_KEPT, USAGE_KEY } from './usage.ts'

const BATCH = 500
/** A job comes with all its tasks. */
const JOBS_BATCH = 50

const idsOf = (rows: readonly Row[]): string[] => rows.map((row) => String(row.id))

export function createRetention(database: Database, queue: Queue, slices: ReturnType<typeof createSlices>) {
  /** Repeats `work` until it finds less than a full batch. */
  const inBatches = async (size: number, work: (tx: Tx) => Promise<{ found: number; freed: string[] }>) => {
    const freed: string[] = []
    for (let full = true; full; ) {
      const batch = await database.transact(work)
      freed.push(...batch.freed)
      full = batch.found >= size
    }
    return freed
  }

  const remove = async (tx: Tx, tasks: readonly Task[], jobs: readonly Job[]): Promise<string[]> => {
    const ids = tasks.map((task) => task.id)
    const blobs = await blobsOf(tx, ids)
    await removeTasks(tx, ids)
    const jobIds = jobs.map((job) => job.id)
    await removeJobs(tx, jobIds)
    await forEachChunk([...ids, ...jobIds], (marks, values) =>
      tx.run(`DELETE FROM events WHERE stream IN (${marks})`, ...values),
    )
    const out = tasks.filter((task) => !hasEnded(task.status) && !task.waits && task.waitingFor === 0)
    if (out.length > 0) await queue.withdraw(tx, out)
    const freed = await unused(tx, blobs)
    // Last, as everybody does it.
    await count(tx, {
      tasks: tasks.map((before) => ({ before, after: null })),
      jobs: jobs.map((before) => ({ before, after: null })),
    })
    return freed
  }

  /** `which` selects ids of jobs; their tasks come with them. */
  const removeJobsThat = (which: string, ...values: SqlValue[]) =>
    inBatches(JOBS_BATCH, async (tx) => {
      const ids = idsOf(await tx.all(`SELECT id FROM jobs WHERE ${which} LIMIT ?`, ...values, JOBS_BATCH))
      const inside = await allIn(tx, ids, (marks) => `SELECT id FROM tasks WHERE job_id IN (${marks})`)
      const tasks = await slices.tasks(tx, idsOf(inside))
      return { found: ids.length, freed: await remove(tx, tasks, await slices.jobs(tx, ids)) }
    })

  const removeTasksThat = (which: string, ...values: SqlValue[]) =>
    inBatches(BATCH, async (tx) => {
      const ids = idsOf(await tx.all(`SELECT id FROM tasks WHERE ${which} LIMIT ?`, ...values, BATCH))
      return { found: ids.length, freed: await remove(tx, await slices.tasks(tx, ids), []) }
    })

  const removeOldRows = (table: string, key: string, time: string, before: number) =>
    inBatches(BATCH, async (tx) => {
      const old = `SELECT ${key} FROM ${table} WHERE ${time} <= ? ORDER BY ${time} LIMIT ?`
      return { found: await tx.run(`DELETE FROM ${table} WHERE (${key}) IN (${old})`, before, BATCH), freed: [] }
    })

  return {
    /** The result still tells which files there were; the references to their bytes go. */
    expireFiles: (now: number): Promise<string[]> =>
      inBatches(BATCH, async (tx) => {
        const statement = 'SELECT blob, task FROM blob_refs WHERE expires_at <= ? ORDER BY expires_at LIMIT ?'
        const refs = await tx.all(statement, now, BATCH)
        for (const { blob = null, task = null } of refs) {
          await tx.run('DELETE FROM blob_refs WHERE blob = ? AND task = ?', blob, task)
        }
        const blobs = refs.map((ref) => String(ref.blob))
        return { found: refs.length, freed: await unused(tx, blobs) }
      }),

    removeOf: async (user: string): Promise<string[]> => [
      ...(await removeJobsThat('user_id = ?', user)),
      ...(await removeTasksThat('user_id = ?', user)),
    ],

    async expireRecords(now: number): Promise<string[]> {
      const before = now - RECORDS_KEPT
      const freed = [
        ...(await removeJobsThat('expires_at <= ? ORDER BY expires_at', now)),
        ...(await removeTasksThat('job_id IS NULL AND kept_until <= ? ORDER BY kept_until', now)),
      ]
      // What deleted records left behind.
      await removeOldRows('events', 'stream, seq', 'at', before)
      await removeOldRows('answers', 'user_id, answer_key', 'created_at', before)
      await removeOldRows('meters', 'who, day', 'day', now - USAGE_KEPT)
      await removeOldRows('usage', USAGE_KEY, 'day', now - USAGE_KEPT)
      return freed
    },
  }
}
