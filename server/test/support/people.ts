/** Everybody who is known to a database, and how they come in. */
import type { Database } from '../../src/ports/sql.ts'
import { createSqlAccounts } from '../../src/store/sql-accounts.ts'
import { createSqlAudit } from '../../src/store/sql-audit.ts'
import { createSqlCredentials } from '../../src/store/sql-credentials.ts'
import { createSqlUsers } from '../../src/store/sql-users.ts'
import type { CredentialsHarness } from '../contract/credentials.ts'

export const peopleOn = (database: Database): CredentialsHarness => ({
  accounts: createSqlAccounts(database),
  users: createSqlUsers(database),
  credentials: createSqlCredentials(database),
  audit: createSqlAudit(database),
  close: () => database.close(),
})
