/**
 * The queue of many machines: pg-boss on the PostgreSQL that holds the records, in the same transactions. pg-boss knows
 * who has which task, whether they are alive and how often it was tried; `admit` decides which tasks it gets. We write no
 * lease protocol.
 */
import type { Lane } from '../core/task.ts'
import {
  type Claim,
  ClaimLost,
  type Consumer,
  MOST_ATTEMPTS,
  noDepths,
  type Queue,
  type ShareOf,
} from '../ports/queue.ts'
import type { Postgres, Tx } from '../ports/sql.ts'
import { type Admitted, createAdmission, createOffers, orderOf } from './admit.ts'
import {
  type Carried,
  type ConsumerDeps,
  createConsumer,
  type Fetched,
  type Held,
  jobsOf,
  letGo,
  type TaskConsumer,
} from './pgboss-consumer.ts'
import { EXHAUSTED, laneOf, lineOf, needsOf, newJobId, openLines, SCHEMA, taskOfJob } from './pgboss-lines.ts'

export interface PgBossQueueOptions {
  /** No owner has a limit unless given. */
  shareOf?: ShareOf
  /** Seconds before a failed attempt is repeated; twice as long before the next. */
  retryDelay?: number
  /** Milliseconds after which workers look by themselves. */
  lookEvery?: number
  /** Seconds after which it is looked for workers that died. */
  superviseEvery?: number
  /** Told of errors that nobody waits for. */
  failed?(error: unknown): void
}

const CHANNEL = 'reforge_queue'
/** Owners whose share has grown, or whose turn was missed in a race of two transactions, are found by a look. */
const ADMIT_EVERY = 10_000
const IDS_IN_A_MESSAGE = 200

export async function openPgBossQueue(database: Postgres, options: PgBossQueueOptions = {}): Promise<Queue> {
  const { shareOf = async () => null, lookEvery = 1000, failed = () => {} } = options
  const { retryDelay = 1, superviseEvery = 2 } = options
  const lines = await openLines({ database, retryDelay, superviseEvery, failed })
  await createOffers(database)
  const admission = createAdmission(database, shareOf)
  const { boss, within } = lines
  const consumers = new Set<TaskConsumer>()
  /** Offers that a transaction, still open, has withdrawn: whoever holds one may settle in the same transaction. */
  const withdrawn = new WeakMap<Tx, Set<string>>()

  const hear = (message: string): void => {
    const [kind, ...words] = message.split(' ')
    if (kind === 'stop') for (const consumer of consumers) consumer.stop(new Set(words))
    else for (const line of words) void look(line).catch(failed)
  }
  /** Another process may have made a line that we do not know. */
  async function look(line: string): Promise<void> {
    if (laneOf(line) && !lines.known().includes(line)) await lines.ensure(line)
    for (const consumer of consumers) consumer.hear(line)
  }
  /** Here at once, elsewhere soon. */
  const tell = (message: string): void => {
    hear(message)
    database.notify(CHANNEL, message)
  }
  const deaf = await database.listen(CHANNEL, hear, () => hear(`look ${lines.known().join(' ')}`))

  /** Hands to pg-boss what was let in. */
  async function insert(tx: Tx, admitted: readonly Admitted[]): Promise<void> {
    const placed = admitted.map((row, place) => ({ row, order: orderOf(row, place) }))
    const target = ({ line, attempts }: Admitted) => (attempts < MOST_ATTEMPTS ? line : EXHAUSTED)
    for (const [name, own] of Map.groupBy(placed, ({ row }) => target(row))) {
      const jobs = own.map(({ row: { job, line, attempts }, order }) => ({
        id: job,
        priority: order,
        data: { line, attempts, order } satisfies Carried,
        ...(name !== EXHAUSTED && lines.lifeOf(attempts)),
      }))
      const ids = await boss.insert(name, jobs, { ...within(tx), returnId: true })
      if (ids?.length !== jobs.length) throw new Error('a task is already on offer')
    }
    const told = [...new Set(admitted.map(target))]
    if (told.length > 0) tx.onEnd((committed) => committed && tell(`look ${told.join(' ')}`))
  }

  /** Owners always in the same order, so that two transactions do not wait for each other. */
  async function admit(tx: Tx, rows: readonly { owner: string; line: string }[]): Promise<void> {
    for (const [owner, own] of [...Map.groupBy(rows, (row) => row.owner)].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const freed = [...new Set(own.map(({ line }) => line))]
      await insert(tx, await admission.admit(tx, owner, freed, lines.known()))
    }
  }

  const settle = (tx: Tx, one: Held): Promise<void> =>
    letGo(tx, one, async () => {
      const { id, job } = idsOf(one.job)
      if (withdrawn.get(tx)?.has(job)) return
      const rows = await admission.removeHeld(tx, id, job)
      if (rows.length === 0) throw new ClaimLost(id)
      await end(tx, one)
      if (one.line === EXHAUSTED) await boss.deleteJob(one.job.data.line, job, within(tx))
      await admit(tx, rows)
    })

  const release = (tx: Tx, one: Held): Promise<void> =>
    letGo(tx, one, async () => {
      const { id, job } = idsOf(one.job)
      const rows = await admission.renew(tx, id, job, { job: newJobId(id), attempts: attemptOf(one.job) })
      if (rows.length === 0) throw new ClaimLost(id)
      await end(tx, one)
      await insert(tx, rows)
    })

  async function end(tx: Tx, one: Held): Promise<void> {
    const { affected } = (await boss.deleteJob(one.line, jobsOf([one]), within(tx))) as { affected: number }
    if (affected !== 1) throw new ClaimLost(idsOf(one.job).id)
  }

  function claimOf(one: Held): Claim {
    const exhausted = one.line === EXHAUSTED
    return {
      id: idsOf(one.job).id,
      lane: laneOf(one.job.data.line) ?? 'light',
      attempt: exhausted ? MOST_ATTEMPTS : attemptOf(one.job),
      signal: one.abort.signal,
      ...(exhausted && { reason: reasonOf(one.job) }),
      settle: (tx) => settle(tx, one),
      release: (tx) => release(tx, one),
    }
  }

  function serve(deps: Pick<ConsumerDeps, 'covered' | 'capacity' | 'handle' | 'isAlive'>): Consumer {
    const consumer = createConsumer({ lines, claimOf, lookEvery, ...deps })
    consumers.add(consumer)
    return {
      async close() {
        await consumer.close()
        consumers.delete(consumer)
      },
    }
  }

  const tidy = setInterval(() => {
    void (async () => {
      await lines.refresh()
      for (const owner of await admission.waitingOwners())
        await database.transact((tx) =>
          admit(
            tx,
            lines.known().map((line) => ({ owner, line })),
          ),
        )
    })().catch(failed)
  }, ADMIT_EVERY).unref()

  return {
    async offer(tx, tasks) {
      if (tasks.length === 0) return
      const rows = tasks.map(({ id, lane, needs, owner, priority, attempts }) => ({
        ...{ id, job: newJobId(id), line: lineOf(lane, needs), owner, priority, attempts },
      }))
      for (const { line } of rows) await lines.ensure(line)
      await admission.add(tx, rows)
      await admit(tx, rows)
    },

    async withdraw(tx, tasks) {
      const rows = await admission.remove(
        tx,
        tasks.map(({ id }) => id),
      )
      const inside = rows.filter(({ rank }) => rank !== null)
      for (const [line, own] of Map.groupBy(inside, (row) => row.line))
        await boss.deleteJob(
          line,
          own.map(({ job }) => job),
          within(tx),
        )
      const jobs = inside.map(({ job }) => job)
      withdrawn.set(tx, new Set([...(withdrawn.get(tx) ?? []), ...jobs]))
      tx.onEnd((committed) => {
        if (committed) for (const some of chunks(jobs)) tell(`stop ${some.join(' ')}`)
      })
      await admit(tx, rows)
    },

    consume: (lanes, capacity, handle, covers = () => true) =>
      serve({
        covered: () => lines.known().filter((line) => isCovered(line, lanes, covers)),
        capacity,
        handle,
        isAlive: async () => true,
      }),

    exhausted: (handle) =>
      serve({
        covered: () => [EXHAUSTED],
        capacity: 1,
        handle,
        isAlive: (job) => admission.isOnOffer(idsOf(job).id, idsOf(job).job),
      }),

    async depth() {
      const depths = noDepths()
      const { rows } = await database.query(
        `SELECT name AS line, count(*) FILTER (WHERE state < 'active')::int AS waiting,
           count(*) FILTER (WHERE state = 'active')::int AS running
         FROM ${SCHEMA}.job WHERE state <= 'active' GROUP BY name`,
      )
      for (const { line, waiting, running = 0 } of [...rows, ...(await admission.outside())] as Depth[]) {
        const lane = laneOf(line)
        if (!lane) continue
        depths[lane].waiting += waiting
        depths[lane].running += running
      }
      return depths
    },

    /** What still runs is told to stop and loses its claim; another worker has it at once. */
    async close() {
      clearInterval(tidy)
      deaf()
      await Promise.all([...consumers].map((consumer) => consumer.close(true)))
      await lines.close()
    },
  }
}

interface Depth {
  line: string
  waiting: number
  running?: number
}

/** Of the task, and of the offer it is; what is exhausted is another job of pg-boss. */
const idsOf = ({ id, sourceId }: Fetched): { id: string; job: string } => {
  const job = sourceId ?? id
  return { id: taskOfJob(job), job }
}
const attemptOf = ({ data, retryCount }: Fetched): number => data.attempts + retryCount

const isCovered = (line: string, lanes: readonly Lane[], covers: (needs: string) => boolean): boolean => {
  const lane = laneOf(line)
  const needs = needsOf(line)
  return lane !== undefined && lanes.includes(lane) && (needs === '' || covers(needs))
}

/** pg-boss keeps an error as an object; its own have a message one level down. */
function reasonOf({ sourceOutput, data }: Fetched): Error {
  const kept = (sourceOutput ?? {}) as { message?: unknown; value?: { message?: unknown } }
  const text = kept.message ?? kept.value?.message ?? `it was started ${data.attempts} times and never ended`
  return new Error(String(text))
}

function* chunks(jobs: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < jobs.length; from += IDS_IN_A_MESSAGE) yield jobs.slice(from, from + IDS_IN_A_MESSAGE)
}
