/**
 * Where records, offers and hints live: in a file and in this process, or in PostgreSQL for any number of machines. Names
 * implementations, as compose.ts does; those of many machines are loaded only there, which spares one machine the time.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createMemoryBus } from './bus/memory-bus.ts'
import { type Config, ConfigError } from './config.ts'
import type { Bus } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { Queue } from './ports/queue.ts'
import type { Database, Postgres } from './ports/sql.ts'
import type { Store } from './ports/store.ts'
import { createMemoryQueue } from './queue/memory-queue.ts'
import { streamsSince } from './store/events.ts'
import { migrate } from './store/schema.ts'
import { shareOf } from './store/sql-metering.ts'
import { createSqlStore } from './store/sql-store.ts'
import { openSqlite } from './store/sqlite.ts'

const OLDEST_POSTGRES = 15

/** Opened and brought to today's schema. */
export async function openDatabase({ data, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>): Promise<Database> {
  const database = databaseUrl ? await openServer(databaseUrl) : openFile(data)
  try {
    if (databaseUrl) await refuseOld(database)
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

const openServer = async (url: string): Promise<Database> => (await import('./store/postgres.ts')).openPostgres(url)

function openFile(data: string): Database {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  return openSqlite(join(data, 'reforge.db'))
}

async function refuseOld(database: Database): Promise<void> {
  const [row] = await database.all("SELECT current_setting('server_version_num') AS version")
  const version = Math.floor(Number(row?.version) / 10_000)
  if (version < OLDEST_POSTGRES)
    throw new ConfigError(
      `REFORGE_DATABASE_URL leads to PostgreSQL ${version}; ${OLDEST_POSTGRES} is the oldest that will do.`,
    )
}

export interface Records {
  queue: Queue
  bus: Bus
  store: Store
  /** Offers what a queue that forgets everything must be offered at start. */
  recall(): Promise<void>
  close(): Promise<void>
}

interface Surroundings {
  clock: Clock
  log: Logger
}

export function openRecords(database: Database, surroundings: Surroundings): Promise<Records> {
  return isPostgres(database) ? openShared(database, surroundings) : openOwn(database)
}

const isPostgres = (database: Database): database is Postgres => 'listen' in database

async function openOwn(database: Database): Promise<Records> {
  const queue = createMemoryQueue({ shareOf })
  const bus = createMemoryBus()
  const store = createSqlStore(database, { queue, bus })
  return {
    ...{ queue, bus, store },
    async recall() {
      const left = await store.ready()
      await database.transact((tx) => queue.offer(tx, left))
    },
    async close() {
      await queue.close()
      await store.close()
    },
  }
}

async function openShared(database: Postgres, { clock, log }: Surroundings): Promise<Records> {
  const { openPgBossQueue } = await import('./queue/pgboss-queue.ts')
  const { openPostgresBus } = await import('./bus/postgres-bus.ts')
  const queue = await openPgBossQueue(database, {
    shareOf,
    failed: (error) => log.warn({ err: error }, 'the queue cannot be looked after'),
  })
  const bus = await openPostgresBus({
    ...{ database, clock },
    recent: (at) => streamsSince(database, at),
    failed: (error) => log.warn({ err: error }, 'events cannot be looked for'),
  })
  const store = createSqlStore(database, { queue, bus })
  return {
    ...{ queue, bus, store },
    // It forgets nothing, and what others run is theirs.
    async recall() {},
    async close() {
      await queue.close()
      await bus.close()
      await store.close()
    },
  }
}

/**
 * Nodes that seal with different keys could not read each other's secrets, which would show much later. The database keeps
 * a mark that tells nothing of the key.
 */
export async function checkKey(database: Database, master: Buffer): Promise<void> {
  const mark = createHash('sha256').update('reforge key mark').update(master).digest('hex')
  const insert = "INSERT INTO installation (name, value) VALUES ('key', ?) ON CONFLICT (name) DO NOTHING"
  await database.run(insert, mark)
  const [row] = await database.all("SELECT value FROM installation WHERE name = 'key'")
  if (row?.value !== mark)
    throw new ConfigError(
      'This node would seal secrets with another key than those before it. Set REFORGE_SECRET to the same text on all ' +
        'nodes, or give all the same folder "secrets" in their data folders.',
    )
}
