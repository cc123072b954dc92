import { after, before } from 'node:test'
import { partsContract } from '../../test/contract/parts.ts'
import { storeContract } from '../../test/contract/store.ts'
import { recordsOn } from '../../test/support/cluster-records.ts'
import { type Databases, startDatabases } from '../../test/support/databases.ts'
import { createSqlParts } from './sql-parts.ts'

let databases: Databases
before(async () => {
  databases = await startDatabases()
})
after(() => databases[Symbol.asyncDispose]())

storeContract('PostgreSQL', async () => recordsOn(await databases.fresh()))

partsContract('PostgreSQL', async () => {
  const { database, ...records } = await recordsOn(await databases.fresh())
  return { parts: createSqlParts(database, { queue: records.queue, clock: { now: () => Date.now() } }), records }
})
