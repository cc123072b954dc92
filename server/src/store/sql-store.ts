/**
 * Records in SQL that runs on SQLite and PostgreSQL alike. `create`, `change` and `changeJob` do everything in one
 * transaction: lock, load, let the machine decide, write rows, events, sums and queue offers; the hint comes after.
 */
import type { Change } from '../core/change.ts'
import { hasEnded, type Job, type Task } from '../core/task.ts'
import { type Bus, DELIVERIES } from '../ports/bus.ts'
import type { Offer, Queue } from '../ports/queue.ts'
import type { Also, Database, Tx } from '../ports/sql.ts'
import { AlreadyAnswered, type Answer, type Creation, type Store, type Written } from '../ports/store.ts'
import { blobsInUse, blobsOf, keepBlobs, unused } from './blob-refs.ts'
import { writeDeliveries } from './deliveries.ts'
import { appendEvents, eventsAfter, snapshotsOf, tasksOfJob } from './events.ts'
import { count, countsByStatus, type Step } from './ledger.ts'
import { aheadOf, listJobs, listTasks } from './lists.ts'
import { removeJobs, removeTasks, writeJobs, writeTasks } from './records.ts'
import { createRetention } from './retention.ts'
import { answerOf, jobOf, needOf, offerOf, offerOfRow, taskOf } from './rows.ts'
import { createSlices } from './slice.ts'
import { allIn, insert } from './statements.ts'
import { charge } from './usage.ts'

export interface SqlStoreDeps {
  queue: Queue
  bus: Bus
}

export function createSqlStore(database: Database, { queue, bus }: SqlStoreDeps): Store {
  const slices = createSlices(database.locks)
  const retention = createRetention(database, queue, slices)

  /** Writes all of a change, and what goes with it; answers the blobs it freed. */
  async function apply(tx: Tx, change: Change, before: Before, also?: Also): Promise<string[]> {
    await writeJobs(tx, change.jobs, before.jobs)
    await writeTasks(tx, change.tasks, before.tasks)
    await keepBlobs(tx, change.tasks)
    // Taken now: after everything is written, before anything is removed.
    const snapshots = await snapshotsOf(tx, change.events, change.tasks)
    const freed = await remove(tx, change)
    const hints = await appendEvents(tx, change.events, snapshots)
    if ((await writeDeliveries(tx, change.events, snapshots)) > 0) hints.push(DELIVERIES)
    if (change.withdraw.length > 0) await queue.withdraw(tx, change.withdraw)
    if (change.offer.length > 0) await queue.offer(tx, change.offer.map(offerOf))
    await also?.(tx)

    // Last: all transactions of a user change these few rows, and wait for each other from here on.
    const tasks = stepsOf(change.tasks, change.removedTasks, before.tasks)
    await count(tx, { tasks, jobs: stepsOf(change.jobs, change.removedJobs, before.jobs) })
    await charge(tx, change, before.tasks)
    tx.onEnd((committed) => {
      if (committed) for (const hint of hints) bus.publish(hint)
    })
    return freed
  }

  async function create(tx: Tx, { user, inputs, decide, answer, now }: Creation): Promise<Change> {
    if (answer) await refuseAnswered(tx, user, answer.key)
    const known = await slices.tasks(tx, inputs)
    const change = decide(byId(known.filter((task) => task.user === user)))
    await apply(tx, change, { tasks: new Map(), jobs: new Map() }, async () => {
      if (!answer) return
      const { fingerprint, status, body } = answer.of(change)
      const row = { user_id: user, answer_key: answer.key, fingerprint, status, body, created_at: now }
      const written = await insert(tx, 'answers', row, 'ON CONFLICT (user_id, answer_key) DO NOTHING')
      if (written === 0) await refuseAnswered(tx, user, answer.key)
    })
    return change
  }

  return {
    create: (creation) => database.transact((tx) => create(tx, creation)),

    change: (id, decide, also) =>
      database.transact(async (tx): Promise<Written | null> => {
        const slice = await slices.ofTask(tx, id)
        const change = slice && decide(slice)
        if (!change) return null
        const before = { tasks: byId([...slice.subjects, ...slice.dependents]), jobs: byId(slice.jobs) }
        const freed = await apply(tx, change, before, also)
        if (isPassing(change)) tx.passing()
        return { change, freed }
      }),

    take: (task) =>
      database.transact(async (tx) => {
        tx.passing()
        return (await tx.run(TAKE, task.takenAt, task.bytesIn, task.source, task.updatedAt, task.id)) > 0
      }),

    changeJob: (id, decide) =>
      database.transact(async (tx): Promise<Written | null> => {
        const found = await slices.ofJob(tx, id)
        const change = found && decide(found.job, found.slice)
        if (!change) return null
        const { subjects, dependents, jobs } = found.slice
        const before = { tasks: byId([...subjects, ...dependents]), jobs: byId([found.job, ...jobs]) }
        return { change, freed: await apply(tx, change, before) }
      }),

    task: async (id) => (await database.all('SELECT * FROM tasks WHERE id = ?', id)).map(taskOf)[0] ?? null,
    async tasks(ids) {
      const rows = await allIn(database, ids, (marks) => `SELECT * FROM tasks WHERE id IN (${marks})`)
      const found = byId(rows.map(taskOf))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    tasksOf: (job) => tasksOfJob(database, job),
    ahead: (task) => aheadOf(database, task),
    job: async (id) => (await database.all('SELECT * FROM jobs WHERE id = ?', id)).map(jobOf)[0] ?? null,
    listTasks: (filter, page, limit) => listTasks(database, filter, page, limit),
    listJobs: (filter, page, limit) => listJobs(database, filter, page, limit),
    answer: (user, key) => answerTo(database, user, key),
    events: (stream, after) => eventsAfter(database, stream, after),

    ready: () => database.transact(readyTasks),
    async staleUploads(before) {
      const statement =
        'SELECT id FROM tasks WHERE ended_at IS NULL AND waits = 1 AND created_at < ? AND updated_at < ? ORDER BY created_at, id'
      return (await database.all(statement, before, before)).map((row) => String(row.id))
    },
    async needing(before) {
      const statement = `SELECT id, lane, needs FROM tasks
        WHERE needs IS NOT NULL AND ended_at IS NULL AND waiting_for = 0 AND updated_at < ?`
      return (await database.all(statement, before)).map(needOf)
    },
    ...retention,
    blobsInUse: (blobs) => blobsInUse(database, blobs),
    counts: () => countsByStatus(database),
    close: () => database.close(),
  }
}

/** Counted here: somebody whose claim was lost may come late, and both have had it. */
const TAKE = `UPDATE tasks SET attempts = attempts + 1, taken_at = ?, bytes_in = ?, source = ?, updated_at = ?, percent = NULL
  WHERE id = ? AND ended_at IS NULL`

/** Tasks to be offered to a queue that knows nothing. */
export async function readyTasks(tx: Tx): Promise<Offer[]> {
  // Whoever had taken them is gone, and the time since then is not to be paid for.
  await tx.run('UPDATE tasks SET taken_at = NULL WHERE taken_at IS NOT NULL AND ended_at IS NULL')
  const statement = `SELECT id, lane, needs, user_id, priority, attempts FROM tasks
    WHERE ended_at IS NULL AND waits = 0 AND waiting_for = 0 ORDER BY created_at, id`
  return (await tx.all(statement)).map(offerOfRow)
}

/** The records as they were loaded; one that is not among them is new. */
interface Before {
  tasks: ReadonlyMap<string, Task>
  jobs: ReadonlyMap<string, Job>
}

/** That a task has begun, or how far it has come: after a power failure it begins again anyway. */
const isPassing = ({ tasks, events, offer, removedTasks, removedJobs }: Change): boolean =>
  offer.length + removedTasks.length + removedJobs.length === 0 &&
  tasks.every((task) => !hasEnded(task.status)) &&
  events.every(({ type }) => PASSING.has(type))

const PASSING = new Set(['task_started', 'job_started', 'task_min_update'])

const byId = <T extends { id: string }>(records: readonly T[]): Map<string, T> =>
  new Map(records.map((record) => [record.id, record]))

function stepsOf<T extends { id: string }>(
  written: readonly T[],
  removed: readonly T[],
  before: ReadonlyMap<string, T>,
): Step<T>[] {
  return [
    ...written.map((after) => ({ before: before.get(after.id) ?? null, after })),
    ...removed.map((record) => ({ before: before.get(record.id) ?? null, after: null })),
  ]
}

async function remove(tx: Tx, { removedTasks, removedJobs }: Change): Promise<string[]> {
  const ids = removedTasks.map((task) => task.id)
  const blobs = await blobsOf(tx, ids)
  await removeTasks(tx, ids)
  await removeJobs(
    tx,
    removedJobs.map((job) => job.id),
  )
  return unused(tx, blobs)
}

async function answerTo(sql: Pick<Tx, 'all' | 'run'>, user: string, key: string): Promise<Answer | null> {
  const statement = 'SELECT * FROM answers WHERE user_id = ? AND answer_key = ?'
  return (await sql.all(statement, user, key)).map(answerOf)[0] ?? null
}

async function refuseAnswered(tx: Tx, user: string, key: string): Promise<void> {
  const answer = await answerTo(tx, user, key)
  if (answer) throw new AlreadyAnswered(answer)
}
