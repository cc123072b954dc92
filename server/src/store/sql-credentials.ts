/** Everything by which people come in, in the same database as the records. */
import type { Credentials } from '../ports/credentials.ts'
import type { Database } from '../ports/sql.ts'
import { createSqlIdentities, createSqlPasswords, createSqlTickets } from './sql-passwords.ts'
import { createSqlSessions } from './sql-sessions.ts'
import { createSqlTrials } from './sql-trials.ts'

export const createSqlCredentials = (database: Database): Credentials => ({
  sessions: createSqlSessions(database),
  tickets: createSqlTickets(database),
  passwords: createSqlPasswords(database),
  identities: createSqlIdentities(database),
  trials: createSqlTrials(database),
})
