/** Copies all that one database holds into another of the same schema that holds nothing, in one transaction. */
import type { Database, Row, SqlValue, Tx } from '../ports/sql.ts'

/** Whoever is referred to comes before who refers. */
export const COPIED = [
  ...['plans', 'users', 'keys', 'identities', 'sessions', 'session_tokens', 'tickets', 'trials', 'audit'],
  ...['webhooks', 'webhook_accounts', 'deliveries', 'attempts'],
  ...['jobs', 'tasks', 'edges', 'blob_refs', 'events', 'answers', 'tallies', 'meters', 'usage'],
] as const
/** Of this installation or of the moment. */
export const LEFT_BEHIND = ['schema_version', 'installation', 'nodes', 'requests', 'parts'] as const

type Table = (typeof COPIED)[number]

export interface CopyOptions {
  /** What becomes of a row on the way. */
  change?(table: Table, row: Row): Row
}

/** A table that has rows; null when there is none. */
export async function heldBy(sql: Pick<Tx, 'all'>): Promise<Table | null> {
  // A new database has some plans.
  for (const table of COPIED) if (table !== 'plans' && (await countOf(sql, table)) > 0) return table
  return null
}

/** How many rows of each table were copied. `from` must not change meanwhile. */
export async function copyAll(from: Database, to: Tx, { change = (_, row) => row }: CopyOptions = {}) {
  const held = await heldBy(to)
  if (held) throw new Error(`There are ${held} already.`)
  await to.run('DELETE FROM plans')
  const counts: Partial<Record<Table, number>> = {}
  for (const table of COPIED) {
    for await (const rows of batches(from, table))
      await insertAll(
        to,
        table,
        rows.map((row) => change(table, row)),
      )
    const [there, here] = [await countOf(from, table), await countOf(to, table)]
    if (there !== here) throw new Error(`${table}: ${here} of ${there} rows have come over.`)
    counts[table] = here
  }
  return counts
}

const BATCH = 500

/** By SQLite's own number of a row, so that the last batch costs no more than the first. */
async function* batches(from: Database, table: Table): AsyncGenerator<Row[]> {
  for (let last: SqlValue = -1; ; ) {
    const statement = `SELECT rowid AS row_number, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`
    const rows = await from.all(statement, last, BATCH)
    if (rows.length === 0) return
    last = rows.at(-1)?.row_number ?? null
    yield rows.map(({ row_number, ...row }) => row)
  }
}

async function insertAll(to: Tx, table: Table, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const marks = `(${columns.map(() => '?').join(', ')})`
  const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null))
  await to.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => marks).join(', ')}`, ...values)
}

async function countOf(sql: Pick<Tx, 'all'>, table: Table): Promise<number> {
  const [row] = await sql.all(`SELECT count(*) AS n FROM ${table}`)
  return Number(row?.n)
}
