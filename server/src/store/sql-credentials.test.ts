import { join } from 'node:path'
import { credentialsContract } from '../../test/contract/credentials.ts'
import { peopleOn } from '../../test/support/people.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { migrate } from './schema.ts'
import { openSqlite } from './sqlite.ts'

credentialsContract('SQLite', async () => {
  const dir = await tempDir()
  const database = openSqlite(join(dir.path, 'records'))
  await migrate(database)
  const people = peopleOn(database)
  return {
    ...people,
    async close() {
      await people.close()
      await dir.remove()
    },
  }
})
