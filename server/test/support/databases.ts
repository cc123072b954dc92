/** Databases for tests, each with today's tables and nobody else in it. */
import type { Postgres } from '../../src/ports/sql.ts'
import { openPgBossQueue } from '../../src/queue/pgboss-queue.ts'
import { openPostgres } from '../../src/store/postgres.ts'
import { migrate } from '../../src/store/schema.ts'
import { startPostgres } from '../peers/postgres.ts'

export type Databases = Awaited<ReturnType<typeof startDatabases>>

/** A PostgreSQL whose databases are copies of one with all tables, which is quicker than making each anew. */
export async function startDatabases() {
  const postgres = await startPostgres()
  let original: Promise<string> | null = null
  const make = async () => {
    const url = await postgres.create()
    const database = openPostgres(url)
    await migrate(database)
    await (await openPgBossQueue(database)).close()
    await database.close()
    return postgres.nameOf(url)
  }
  const fresh = async (): Promise<string> => {
    original ??= make()
    return postgres.create(await original)
  }
  return {
    postgres,
    /** Answers its address. */
    fresh,
    open: async (): Promise<Postgres> => openPostgres(await fresh()),
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  }
}
