/**
 * One who takes tasks from lines of pg-boss, as many at a time as it can hold: fetches what there is room for whenever a
 * line may have something, and keeps the claims alive until they end.
 */
import type { Job, JobWithMetadata } from 'pg-boss'
import { type Claim, ClaimLost, type Handle } from '../ports/queue.ts'
import type { Tx } from '../ports/sql.ts'
import { EXHAUSTED, HEARTBEAT, type Lines } from './pgboss-lines.ts'

/** What goes with a task through pg-boss. */
export interface Carried {
  line: string
  /** Starts before this offer. */
  attempts: number
  order: number
}
export type Fetched = Job<Carried> & Partial<Pick<JobWithMetadata, 'sourceId' | 'sourceOutput'>>

/** A claim in this process. */
export interface Held {
  line: string
  job: Fetched
  abort: AbortController
  /** Taken away or let go: it can end nothing any more. */
  over: boolean
  /** Pending while a transaction that lets go of it is open. */
  settling: Promise<void> | null
}

export interface ConsumerDeps {
  lines: Lines
  /** Lines that it takes from, as there are now. */
  covered(): readonly string[]
  capacity: number
  handle: Handle
  claimOf(held: Held): Claim
  /** False when the task has gone in the meantime and only the job is left. */
  isAlive(job: Fetched): Promise<boolean>
  /** Milliseconds after which it looks for itself: retries and takeovers are not told. */
  lookEvery: number
}

export type TaskConsumer = ReturnType<typeof createConsumer>

export function createConsumer({ lines, covered, capacity, handle, claimOf, isAlive, lookEvery }: ConsumerDeps) {
  const { boss } = lines
  const held = new Set<Held>()
  const runs = new Set<Promise<void>>()
  const fresh = new Set<string>(covered())
  let closed = false
  let wake = (): void => {}

  const look = setInterval(() => {
    for (const line of covered()) fresh.add(line)
    wake()
  }, lookEvery)
  const beat = setInterval(() => void keepAlive(), (HEARTBEAT * 1000) / 3)

  async function keepAlive(): Promise<void> {
    const alive = [...held].filter((one) => !one.over)
    for (const [line, own] of Map.groupBy(alive, (one) => one.line)) {
      const answer = await boss.touch(line, jobsOf(own)).catch(() => null)
      // A database that cannot be reached says nothing about the claims.
      const kept = new Set((answer as { settled?: string[] } | null)?.settled ?? own.map(({ job }) => job.id))
      for (const one of own) if (!kept.has(one.job.id) && !one.settling) lose(one)
    }
  }

  function lose(one: Held): void {
    if (one.over) return
    one.over = true
    one.abort.abort(new ClaimLost(one.job.id))
  }

  async function run(one: Held): Promise<void> {
    let reason: unknown = new Error('the attempt ended without settling')
    try {
      await handle(claimOf(one))
    } catch (error) {
      reason = error
    }
    // A handler need not wait for the transaction in which it settled.
    await one.settling
    const ended = one.over && !one.abort.signal.aborted
    one.over = true
    // Fenced: it does nothing when the claim is not ours. If it cannot be sent, the heartbeat runs out instead.
    if (!ended) await boss.fail(one.line, jobsOf([one]), asError(reason)).catch(() => {})
    if (!closed && !ended) fresh.add(one.line)
  }

  async function start(line: string, job: Fetched): Promise<void> {
    if (!(await isAlive(job))) return void (await boss.deleteJob(line, jobsOf([{ job }])))
    const one: Held = { line, job, abort: new AbortController(), over: false, settling: null }
    held.add(one)
    await run(one).finally(() => held.delete(one))
  }

  /** Answers whether there may be more in the line. */
  async function take(line: string): Promise<boolean> {
    const batchSize = capacity - runs.size
    const jobs: Fetched[] = await boss.fetch<Carried>(line, { batchSize, includeMetadata: line === EXHAUSTED })
    for (const job of jobs.sort((a, b) => b.data.order - a.data.order)) {
      const attempt = start(line, job)
        .catch(() => {})
        .finally(() => {
          runs.delete(attempt)
          wake()
        })
      runs.add(attempt)
    }
    return jobs.length === batchSize
  }

  async function loop(): Promise<void> {
    while (!closed) {
      const [line] = fresh
      if (line === undefined || runs.size >= capacity) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      fresh.delete(line)
      // At the end of the line of lines; and when the database is away, the next look tries again.
      if (await take(line).catch(() => false)) fresh.add(line)
    }
  }
  const looping = loop()

  return {
    /** Something was offered in the line. */
    hear(line: string): void {
      if (closed || !covered().includes(line)) return
      fresh.add(line)
      wake()
    },
    /** Offers that were withdrawn. */
    stop(jobs: ReadonlySet<string>): void {
      for (const one of held) if (jobs.has(one.job.id) && !one.settling) lose(one)
    },
    /** Takes nothing more; `abandon` also takes away what it holds. */
    async close(abandon = false): Promise<void> {
      closed = true
      clearInterval(look)
      wake()
      await looping
      if (abandon) for (const one of held) if (!one.settling) lose(one)
      await Promise.all(runs)
      clearInterval(beat)
    },
  }
}

/** By the attempt, too: a bare id would let a worker that was taken for dead end the work of the next. */
export const jobsOf = (held: readonly { job: Fetched }[]): { id: string; retryCount: number }[] =>
  held.map(({ job: { id, retryCount } }) => ({ id, retryCount }))

/** Lets go of a claim in `tx`; it is over when that commits. */
export async function letGo(tx: Tx, one: Held, work: () => Promise<void>): Promise<void> {
  if (one.over || one.settling) throw new ClaimLost(one.job.id)
  const { promise, resolve } = Promise.withResolvers<void>()
  one.settling = promise
  tx.onEnd((committed) => {
    one.settling = null
    if (committed) one.over = true
    resolve()
  })
  await work()
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
