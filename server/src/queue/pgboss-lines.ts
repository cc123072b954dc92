/**
 * pg-boss as we use it: a table of claims with heartbeats, retries and dead letters. One of its queues is one of our lines:
 * a lane, or a lane and what is needed. Its own worker loop is not used.
 */
import { randomBytes } from 'node:crypto'
import { type Db, PgBoss } from 'pg-boss'
import { LANES, type Lane } from '../core/task.ts'
import { MOST_ATTEMPTS } from '../ports/queue.ts'
import type { Postgres, Tx } from '../ports/sql.ts'

export const SCHEMA = 'reforge_queue'
/** Where tasks go whose attempts are used up. No lane has this name. */
export const EXHAUSTED = 'exhausted'

/** "A dead worker's task is taken over": seconds without a heartbeat after which it is dead; the least pg-boss allows. */
export const HEARTBEAT = 10
/** Our own time-out ends a task long before. */
const LONGEST_RUN = 23 * 3600
/** Between two attempts. */
const LONGEST_PAUSE = 60

export interface LinesOptions {
  database: Postgres
  /** Seconds before a failed attempt is repeated; more with each. */
  retryDelay: number
  /** Seconds between two looks for dead workers. */
  superviseEvery: number
  failed(error: unknown): void
}

export type Lines = Awaited<ReturnType<typeof openLines>>

export async function openLines({ database, retryDelay, superviseEvery, failed }: LinesOptions) {
  const boss = new PgBoss({
    db: dbOf(database),
    schema: SCHEMA,
    schedule: false,
    superviseIntervalSeconds: superviseEvery,
    monitorIntervalSeconds: superviseEvery,
    warningQueueSize: 1_000_000,
  })
  boss.on('error', failed)
  /** How an offer lives in pg-boss. Given with each, so that another release may think differently. */
  const life = {
    heartbeatSeconds: HEARTBEAT,
    expireInSeconds: LONGEST_RUN,
    retryDelay,
    ...(retryDelay > 0 && { retryBackoff: true, retryDelayMax: LONGEST_PAUSE }),
  }
  const known = new Set<string>()

  const create = async (line: string): Promise<void> => {
    await boss.createQueue(line, { deadLetter: EXHAUSTED })
    known.add(line)
  }
  /** Other processes make lines too. */
  const refresh = async (): Promise<void> => {
    for (const { name } of await boss.getQueues()) if (laneOf(name)) known.add(name)
  }
  try {
    await boss.start()
    // Who is handed an exhausted task and fails gets it again until it is written down.
    await boss.createQueue(EXHAUSTED, { ...life, retryLimit: 1_000_000 })
    await refresh()
    for (const lane of LANES) if (!known.has(lane)) await create(lane)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }

  return {
    boss,
    /** What goes with each offer; `attempts` were made before. */
    lifeOf: (attempts: number) => ({ ...life, retryLimit: MOST_ATTEMPTS - 1 - attempts }),
    known: (): readonly string[] => [...known],
    refresh,
    async ensure(line: string): Promise<void> {
      if (known.has(line)) return
      if (!laneOf(line) || !/^[\w.-]+$/.test(line)) throw new Error(`"${line}" is no name of a line`)
      await create(line)
    },
    /** For calls of pg-boss inside a transaction of ours. */
    within: (tx: Tx) => ({ db: dbOf(database, tx) }),
    close: () => boss.stop({ graceful: false }),
  }
}

const dbOf = (database: Postgres, tx?: Tx): Db => ({
  executeSql: (text, values = []) => database.query(text, values, tx),
})

export const lineOf = (lane: Lane, needs = ''): string => (needs === '' ? lane : `${lane}.${needs}`)
export const laneOf = (line: string): Lane | undefined => LANES.find((lane) => lane === line.split('.')[0])
export const needsOf = (line: string): string => line.split('.').slice(1).join('.')

/**
 * pg-boss wants UUIDs; our ids are three quarters of one. The last quarter is new with each offer, so that a worker that
 * still holds an earlier offer of the same task cannot end a later one.
 */
export function newJobId(task: string): string {
  const digits = task + randomBytes(4).toString('hex')
  return [0, 8, 12, 16, 20].map((from, at, all) => digits.slice(from, all[at + 1])).join('-')
}
export const taskOfJob = (job: string): string => job.replaceAll('-', '').slice(0, 24)
