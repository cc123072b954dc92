/** One connection to a SQLite file with its prepared statements. Knows nothing of tables. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Row, SqlValue } from '../ports/sql.ts'

export interface Connection {
  all(sql: string, values: readonly SqlValue[]): Row[]
  run(sql: string, values: readonly SqlValue[]): number
  /** For BEGIN, COMMIT and the like, one at a time. */
  exec(sql: string): void
  /** False when SQLite itself has rolled back, as it does when the disk is full. */
  inTransaction(): boolean
  close(): void
}

const MOST_STATEMENTS = 300

/**
 * What a savepoint may have to undo is kept in memory instead of a temporary file for each; and the log is carried over
 * into the database after 16 MB instead of 4, so that a page which is written again and again is carried over once.
 */
const WRITING = 'PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000'
/** A commit is written to the log but does not wait for the disk: whoever commits waits by sync-log.ts, without blocking. */
const SYNCED_BY_US = 'PRAGMA synchronous = NORMAL'

export function connect(path: string, readOnly: boolean): Connection {
  const database = new DatabaseSync(path, { readOnly, timeout: 5000, enableForeignKeyConstraints: true })
  try {
    if (!readOnly) database.exec(`PRAGMA journal_mode = WAL; ${SYNCED_BY_US}; ${WRITING}`)
    database.exec('PRAGMA cache_size = -32768')
  } catch (error) {
    database.close()
    throw error
  }
  const prepare = createStatementCache(database)
  return {
    all: (sql, values) => prepare(sql).all(values),
    run: (sql, values) => Number(prepare(sql).statement.run(...values).changes),
    exec: (sql) => void prepare(sql).statement.run(),
    inTransaction: () => database.isTransaction,
    close: () => database.close(),
  }
}

interface Prepared {
  statement: StatementSync
  all(values: readonly SqlValue[]): Row[]
}

/** Rows come as lists: made into objects here they cost a fraction of what `node:sqlite` makes of them. */
function prepared(statement: StatementSync): Prepared {
  statement.setReturnArrays(true)
  const rowOf = literalOf(statement.columns().map(({ name }) => name))
  return {
    statement,
    // Every column of ours is text or a number, so blobs and bigints cannot come.
    all: (values) => (statement.all(...values) as unknown as SqlValue[][]).map(rowOf),
  }
}

/** Written out, as `{ "id": v[0], … }`, for V8 to know the shape: columns that are set by name, one by one, cost ten times as much. */
const literalOf = (names: readonly string[]): ((values: readonly SqlValue[]) => Row) =>
  new Function('v', `return { ${names.map((name, at) => `${JSON.stringify(name)}: v[${at}]`).join(', ')} }`) as never

function createStatementCache(database: DatabaseSync): (sql: string) => Prepared {
  const statements = new Map<string, Prepared>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const [oldest] = statements.keys()
    if (statements.size >= MOST_STATEMENTS && oldest !== undefined) statements.delete(oldest)
    const fresh = prepared(database.prepare(sql))
    statements.set(sql, fresh)
    return fresh
  }
}
