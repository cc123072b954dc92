import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { accountsContract } from '../../test/contract/accounts.ts'
import { meteringContract } from '../../test/contract/metering.ts'
import { partsContract } from '../../test/contract/parts.ts'
import { storeContract } from '../../test/contract/store.ts'
import type { StoreHarness } from '../../test/contract/store-harness.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { createMemoryBus } from '../bus/memory-bus.ts'
import { DAY, UNLIMITED } from '../core/quota.ts'
import type { Database } from '../ports/sql.ts'
import { createMemoryQueue } from '../queue/memory-queue.ts'
import { migrate, NewerSchema } from './schema.ts'
import { createSqlAccounts } from './sql-accounts.ts'
import { createSqlMetering, shareOf } from './sql-metering.ts'
import { createSqlParts } from './sql-parts.ts'
import { createSqlStore } from './sql-store.ts'
import { openSqlite } from './sqlite.ts'

async function harnessOn(database: Database, dir: Awaited<ReturnType<typeof tempDir>>): Promise<StoreHarness> {
  await migrate(database)
  const queue = createMemoryQueue()
  const bus = createMemoryBus()
  const store = createSqlStore(database, { queue, bus })
  const end = async () => {
    await queue.close()
    await store.close()
  }
  return {
    store,
    queue,
    bus,
    transact: database.transact,
    async restart() {
      await end()
      return harnessOn(openSqlite(join(dir.path, 'records')), dir)
    },
    async close() {
      await end()
      await dir.remove()
    },
  }
}

storeContract('SQLite', async () => {
  const dir = await tempDir()
  return harnessOn(openSqlite(join(dir.path, 'records')), dir)
})

accountsContract('SQLite', async () => {
  const dir = await tempDir()
  const database = openSqlite(join(dir.path, 'records'))
  const records = await harnessOn(database, dir)
  return { accounts: createSqlAccounts(database), records }
})

partsContract('SQLite', async () => {
  const dir = await tempDir()
  const database = openSqlite(join(dir.path, 'records'))
  const records = await harnessOn(database, dir)
  return { parts: createSqlParts(database, { queue: records.queue, clock: { now: () => Date.now() } }), records }
})

meteringContract('SQLite', async () => {
  const dir = await tempDir()
  const database = openSqlite(join(dir.path, 'records'))
  const records = await harnessOn(database, dir)
  return { accounts: createSqlAccounts(database), metering: createSqlMetering(database), records, shareOf }
})

test('a database made by a newer release is refused and left as it is', async (t) => {
  const dir = await tempDir()
  t.after(dir.remove)
  const database = openSqlite(join(dir.path, 'records'))
  await migrate(database)
  await migrate(database)
  const [{ version = null } = {}] = await database.all('SELECT version FROM schema_version')
  await database.run('UPDATE schema_version SET version = version + 1')
  await assert.rejects(migrate(database), NewerSchema)
  assert.deepEqual(
    (await database.all('SELECT version FROM schema_version')).map((row) => row.version),
    [Number(version) + 1],
  )
  await database.close()
})

test('what was used and kept before there were plans is not lost', async (t) => {
  const dir = await tempDir()
  t.after(dir.remove)
  const database = openSqlite(join(dir.path, 'records'))
  await migrate(database, 3)
  await database.run("INSERT INTO users (id, email, created_at) VALUES ('ada', 'ada@example.org', 1)")
  await database.run("INSERT INTO usage (user_id, day, seconds) VALUES ('ada', ?, 1.5), ('ada', 0, 2)", DAY)
  await database.run(`INSERT INTO tasks (id, user_id, place, name, operation, lane, waits, status, payload, depends_on,
    waiting_for, priority, attempts, created_at, updated_at, expires_at)
    VALUES ('t', 'ada', 0, 'n', 'convert', 'light', 0, 'created', '{}', '[]', 0, 0, 0, 1000, 1000, 2000)`)
  await migrate(database)
  const metering = createSqlMetering(database)
  assert.equal(await metering.secondsSince('ada', 0), 3.5)
  assert.equal(await metering.secondsSince('ada', DAY), 1.5)
  const sums = { tasks: 0, failed: 0, bytesIn: 0, bytesOut: 0 }
  assert.deepEqual(await metering.usage('ada', { from: 0, to: 2 * DAY, by: ['day', 'operation'] }), [
    { day: 0, operation: '', seconds: 2, ...sums },
    { day: DAY, operation: '', seconds: 1.5, ...sums },
  ])
  assert.deepEqual(await metering.terms('ada', null), { plan: UNLIMITED, budget: null })
  const store = createSqlStore(database, { queue: createMemoryQueue(), bus: createMemoryBus() })
  assert.equal((await store.task('t'))?.keptUntil, 1000 + DAY)
  await store.close()
})
