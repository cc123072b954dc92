import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { accountsContract } from '../../test/contract/accounts.ts'
import { storeContract } from '../../test/contract/store.ts'
import type { StoreHarness } from '../../test/contract/store-harness.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { createMemoryBus } from '../bus/memory-bus.ts'
import type { Database } from '../ports/sql.ts'
import { createMemoryQueue } from '../queue/memory-queue.ts'
import { migrate, NewerSchema } from './schema.ts'
import { createSqlAccounts } from './sql-accounts.ts'
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
