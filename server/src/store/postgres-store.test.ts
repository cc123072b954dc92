import { after, before } from 'node:test'
import { storeContract } from '../../test/contract/store.ts'
import { recordsOn } from '../../test/support/cluster-records.ts'
import { type Databases, startDatabases } from '../../test/support/databases.ts'

let databases: Databases
before(async () => {
  databases = await startDatabases()
})
after(() => databases[Symbol.asyncDispose]())

storeContract('PostgreSQL', async () => recordsOn(await databases.fresh()))
