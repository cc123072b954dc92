/**
 * PostgreSQL as a `Database`. Transactions run side by side; one that got in another's way, or whose connection was lost
 * before its commit, is repeated. A database that is away for a while is waited for, so that its restart costs requests
 * some seconds and no errors; nothing here ends the process.
 */
import pg from 'pg'
import type { Locks, Postgres, Row, SqlValue, Tx } from '../ports/sql.ts'
import { createEffects } from './effects.ts'
import { isClash, isLost, isRefusal } from './postgres-errors.ts'
import { createListener } from './postgres-listener.ts'
import { createNotifier } from './postgres-notifier.ts'
import { createStatements, sent, TYPES } from './postgres-text.ts'

export interface PostgresOptions {
  /** Connections for transactions; there are a few more for the queue. */
  connections?: number
  /** Milliseconds to wait for a database that is away. */
  patience?: number
}

const MIGRATION_LOCK = 7_302_416_891
const LOCKS: Locks = {
  rows: 'FOR UPDATE',
  freeRows: 'FOR UPDATE SKIP LOCKED',
  alone: [`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`, 'SET LOCAL statement_timeout = 0'],
}
/** Does not wait for the disk. */
const PASSING_COMMIT = 'SET LOCAL synchronous_commit = off; COMMIT'
/** The queue's own statements never wait behind transactions that wait for each other. */
const ASIDE = 4
const SECOND = 1000
const FIRST_PAUSE = 20
const LONGEST_PAUSE = SECOND

export function openPostgres(
  url: string,
  { connections = 10, patience = 20 * SECOND }: PostgresOptions = {},
): Postgres {
  const config: pg.PoolConfig = {
    connectionString: url,
    application_name: 'reforge',
    keepAlive: true,
    connectionTimeoutMillis: 10 * SECOND,
    statement_timeout: 30 * SECOND,
    lock_timeout: 20 * SECOND,
    idle_in_transaction_session_timeout: 60 * SECOND,
  }
  const main = openPool({ ...config, max: connections })
  const aside = openPool({ ...config, max: ASIDE })
  const listener = createListener(config)
  const notifier = createNotifier((text, values) => aside.query(text, values))
  const statements = createStatements()
  const clients = new WeakMap<Tx, pg.PoolClient>()

  async function ask(client: pg.PoolClient, sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult<Row>> {
    return client.query<Row>({ ...statements(sql), values: sent(values), types: TYPES })
  }

  /** Repeats `work` while `again` says so and patience lasts. */
  async function patiently<T>(work: () => Promise<T>, again: (error: unknown) => boolean): Promise<T> {
    const end = Date.now() + patience
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await work()
      } catch (error) {
        if (!again(error) || Date.now() + pause > end) throw error
        // Not all at the same moment.
        await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
      }
    }
  }

  /** One statement by itself. */
  async function alone(sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult<Row>> {
    const client = await main.connect()
    let failure: unknown
    try {
      return await ask(client, sql, values)
    } catch (error) {
      failure = error
      throw error
    } finally {
      client.release(isLost(failure))
    }
  }

  async function attempt<T>(work: (tx: Tx) => Promise<T>, stage: { committing: boolean }): Promise<T> {
    const client = await main.connect()
    const effects = createEffects()
    let running = true
    let broken = false
    let commit = 'COMMIT'
    const guard = (): void => {
      if (!running) throw new Error('the transaction has ended')
    }
    const tx: Tx = {
      async all(sql, ...values) {
        guard()
        return (await ask(client, sql, values)).rows
      },
      async run(sql, ...values) {
        guard()
        return (await ask(client, sql, values)).rowCount ?? 0
      },
      onEnd(effect) {
        guard()
        effects.add(effect)
      },
      onCommit: (effect) => tx.onEnd(effect),
      passing() {
        commit = PASSING_COMMIT
      },
    }
    clients.set(tx, client)
    try {
      await client.query('BEGIN')
      const value = await work(tx)
      running = false
      stage.committing = true
      // Several statements have several results.
      const result = [await client.query(commit)].flat().at(-1)
      // It answers ROLLBACK, without an error, when a statement had failed and nobody minded.
      if (result?.command !== 'COMMIT')
        throw new Error('the transaction was rolled back, because a statement in it had failed')
      effects.end(true)
      return value
    } catch (error) {
      running = false
      broken = isLost(error) || !(await rollback(client))
      effects.end(false)
      throw error
    } finally {
      clients.delete(tx)
      client.release(broken)
    }
  }

  return {
    locks: LOCKS,
    all: async (sql, ...values) => (await patiently(() => alone(sql, values), isLost)).rows,
    run: async (sql, ...values) =>
      (
        await patiently(
          () => alone(sql, values),
          (error) => isRefusal(error) || isClash(error),
        )
      ).rowCount ?? 0,

    transact(work) {
      const stage = { committing: false }
      return patiently(
        () => {
          stage.committing = false
          return attempt(work, stage)
        },
        // What was lost during its commit may be there: to do it again could do it twice.
        (error) => isClash(error) || (isLost(error) && !stage.committing),
      )
    },

    async query(text, values = [], tx) {
      const client = tx && clients.get(tx)
      if (tx && !client) throw new Error('the transaction has ended')
      return (client ?? aside).query({ text, values: [...values] })
    },
    notify: notifier.notify,
    listen: listener.listen,

    async close() {
      await notifier.close()
      await listener.close()
      await Promise.all([main.end(), aside.end()].map((ending) => ending.catch(() => {})))
    },
  }
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  // A connection that breaks tells whoever waits for an answer; without these it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function rollback(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    return false
  }
}
