/**
 * Removes what has been kept long enough, a few hundred rows at a time: each batch is a transaction of its own, so that
 * requests get their turn between them. Tells nobody.
 */
import { hasEnded, type Job, RECORDS_KEPT, type Task } from '../core/task.ts'
import type { Queue } from '../ports/queue.ts'
import type { Database, Tx } from '../ports/sql.ts'
import { blobsOf, unused } from './blob-refs.ts'
import { count } from './ledger.ts'
import { removeJobs, removeTasks } from './records.ts'
import { jobOf, taskOf } from './rows.ts'
import { allIn, forEachChunk } from './statements.ts'

const BATCH = 500
/** A job comes with all its tasks. */
const JOBS_BATCH = 50

export function createRetention(database: Database, queue: Queue) {
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
    await count(tx, {
      tasks: tasks.map((before) => ({ before, after: null })),
      jobs: jobs.map((before) => ({ before, after: null })),
    })
    const out = tasks.filter((task) => !hasEnded(task.status) && !task.waits && task.waitingFor === 0)
    if (out.length > 0) await queue.withdraw(tx, out)
    return unused(tx, blobs)
  }

  const removeOldJobs = (before: number) =>
    inBatches(JOBS_BATCH, async (tx) => {
      const statement = 'SELECT * FROM jobs WHERE created_at <= ? ORDER BY created_at LIMIT ?'
      const jobs = (await tx.all(statement, before, JOBS_BATCH)).map(jobOf)
      const ids = jobs.map((job) => job.id)
      const tasks = (await allIn(tx, ids, (marks) => `SELECT * FROM tasks WHERE job_id IN (${marks})`)).map(taskOf)
      return { found: jobs.length, freed: await remove(tx, tasks, jobs) }
    })

  const removeOldTasks = (before: number) =>
    inBatches(BATCH, async (tx) => {
      const statement = 'SELECT * FROM tasks WHERE job_id IS NULL AND created_at <= ? ORDER BY created_at LIMIT ?'
      const tasks = (await tx.all(statement, before, BATCH)).map(taskOf)
      return { found: tasks.length, freed: await remove(tx, tasks, []) }
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

    async expireRecords(now: number): Promise<string[]> {
      const before = now - RECORDS_KEPT
      const freed = [...(await removeOldJobs(before)), ...(await removeOldTasks(before))]
      // What deleted records left behind.
      await removeOldRows('events', 'stream, seq', 'at', before)
      await removeOldRows('answers', 'user_id, answer_key', 'created_at', before)
      return freed
    },
  }
}
