/** Records as many machines keep them: a store on PostgreSQL with pg-boss and the bus, for the contracts. */
import assert from 'node:assert/strict'
import { openPostgresBus } from '../../src/bus/postgres-bus.ts'
import type { Postgres } from '../../src/ports/sql.ts'
import { openPgBossQueue } from '../../src/queue/pgboss-queue.ts'
import { streamsSince } from '../../src/store/events.ts'
import { openPostgres } from '../../src/store/postgres.ts'
import { createSqlStore } from '../../src/store/sql-store.ts'
import type { StoreHarness } from '../contract/store-harness.ts'
import { NOON } from './records.ts'

export async function recordsOn(url: string): Promise<StoreHarness & { database: Postgres }> {
  const database = openPostgres(url)
  const queue = await openPgBossQueue(database, { retryDelay: 0, lookEvery: 100 })
  const bus = await openPostgresBus({
    ...{ database, clock: { now: () => NOON }, failed: assert.fail },
    recent: (at) => streamsSince(database, at),
  })
  const store = createSqlStore(database, { queue, bus })
  const close = async () => {
    await queue.close()
    await bus.close()
    await store.close()
  }
  return {
    ...{ database, store, queue, bus, transact: database.transact, close },
    async restart() {
      await close()
      return recordsOn(url)
    },
  }
}
