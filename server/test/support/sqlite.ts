/** An SQLite for one test, with today's tables and nobody in it. */
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Database } from '../../src/ports/sql.ts'
import { migrate } from '../../src/store/schema.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { tempDir } from './temp-dir.ts'

/** Gone when the test is over. */
export async function freshSqlite(t: TestContext): Promise<Database> {
  const dir = await tempDir()
  const database = openSqlite(join(dir.path, 'records'))
  t.after(async () => {
    await database.close()
    await dir.remove()
  })
  await migrate(database)
  return database
}
