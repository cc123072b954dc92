/** Fills a store's database with tasks as the service would have left them, in bulk and without its care. */
import { DatabaseSync } from 'node:sqlite'
import { taskBirth, taskState } from '../src/store/rows.ts'
import { aTask, filesOf, NOON } from '../test/support/records.ts'

export const OWNER = 'ada'

/** Ids and times grow with the number, as they do in life. */
const ID = "printf('%08x%016x', 1700000000, n)"
const NUMBERS = (from: number, to: number): string =>
  `WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to - 1})`

export function crowd(path: string, from: number, to: number): void {
  const database = new DatabaseSync(path)
  const done = aTask({ user: OWNER, status: 'completed', startedAt: NOON, endedAt: NOON, result: filesOf('blob') })
  const row = { ...taskBirth(done, 0), ...taskState(done) }
  const own: Record<string, string> = { id: ID, created_at: `${NOON} - ${10 ** 8} + n` }
  const columns = Object.keys(row)
  const values = columns.map((column) => own[column] ?? '?')
  const shared = columns.filter((column) => !(column in own)).map((column) => row[column] ?? null)
  const indexes = database
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('tasks', 'events') AND sql IS NOT NULL",
    )
    .all()
  try {
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN')
    // Sorting once is ten times quicker than finding each row's place.
    for (const { name } of indexes) database.exec(`DROP INDEX ${name}`)
    const tasks = `INSERT INTO tasks (${columns.join(', ')}) ${NUMBERS(from, to)} SELECT ${values.join(', ')} FROM numbers`
    database.prepare(tasks).run(...shared)
    database.exec(`INSERT INTO events (stream, seq, user_id, at, type, data)
      ${NUMBERS(from, to)} SELECT ${ID}, 1, '${OWNER}', ${NOON}, 'task_created', '{}' FROM numbers`)
    database.exec(`INSERT INTO tallies VALUES ('${OWNER}', 'task', 'completed', '${done.operation}', ${to - from})
      ON CONFLICT DO UPDATE SET n = n + excluded.n`)
    for (const { sql } of indexes) database.exec(String(sql))
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
