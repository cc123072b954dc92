import { after, before } from 'node:test'
import { accountsContract } from '../../test/contract/accounts.ts'
import { credentialsContract } from '../../test/contract/credentials.ts'
import { meteringContract } from '../../test/contract/metering.ts'
import { recordsOn } from '../../test/support/cluster-records.ts'
import { type Databases, startDatabases } from '../../test/support/databases.ts'
import { peopleOn } from '../../test/support/people.ts'
import { createSqlAccounts } from './sql-accounts.ts'
import { createSqlMetering, shareOf } from './sql-metering.ts'

let databases: Databases
before(async () => {
  databases = await startDatabases()
})
after(() => databases[Symbol.asyncDispose]())

const open = async () => {
  const records = await recordsOn(await databases.fresh())
  return { records, accounts: createSqlAccounts(records.database) }
}

accountsContract('PostgreSQL', open)

meteringContract('PostgreSQL', async () => {
  const home = await open()
  return { ...home, metering: createSqlMetering(home.records.database), shareOf }
})

credentialsContract('PostgreSQL', async () => peopleOn(await databases.open()))
