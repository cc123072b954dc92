/** Pieces that statements are put together from. Column names come from our own rows, never from a request. */
import type { Row, Sql, SqlValue } from '../ports/sql.ts'

export function insert(sql: Sql, table: string, row: Row, orElse = ''): Promise<number> {
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  return sql.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks}) ${orElse}`, ...Object.values(row))
}

/** More at once would only make more different statements. */
const MOST_ROWS = 16

/** Rows with the same columns, in their order. */
export async function insertAll(sql: Sql, table: string, rows: readonly Row[], orElse = ''): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const marks = `(${columns.map(() => '?').join(', ')})`
  for (let from = 0; from < rows.length; from += MOST_ROWS) {
    const some = rows.slice(from, from + MOST_ROWS)
    const values = some.flatMap((row) => Object.values(row))
    const into = `INSERT INTO ${table} (${columns.join(', ')})`
    await sql.run(`${into} VALUES ${some.map(() => marks).join(', ')} ${orElse}`, ...values)
  }
}

export function update(sql: Sql, table: string, id: string, row: Row): Promise<number> {
  const columns = Object.keys(row)
  const sets = columns.map((column) => `${column} = ?`).join(', ')
  return sql.run(`UPDATE ${table} SET ${sets} WHERE id = ?`, ...Object.values(row), id)
}

const MOST_IN_LIST = 512

/** Runs a statement for `ids` in chunks; `mark` gets the list of placeholders for IN. */
export async function forEachChunk(
  ids: Iterable<string>,
  run: (marks: string, values: SqlValue[]) => Promise<unknown>,
): Promise<void> {
  const all = [...new Set(ids)]
  for (let from = 0; from < all.length; from += MOST_IN_LIST) {
    const values = padded(all.slice(from, from + MOST_IN_LIST))
    await run(values.map(() => '?').join(', '), values)
  }
}

export async function allIn(sql: Sql, ids: Iterable<string>, statement: (marks: string) => string): Promise<Row[]> {
  const rows: Row[] = []
  await forEachChunk(ids, async (marks, values) => {
    rows.push(...(await sql.all(statement(marks), ...values)))
  })
  return rows
}

/** Repeats the last value up to a power of two, so that a few prepared statements serve every length. */
function padded(values: string[]): string[] {
  const last = values.at(-1)
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return last === undefined ? values : [...values, ...Array<string>(length - values.length).fill(last)]
}
