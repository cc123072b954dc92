/** Our statements as PostgreSQL wants them, and its values as ours. Talks to nobody. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import type { SqlValue } from '../ports/sql.ts'

export interface Statement {
  /** Under which a connection keeps it prepared. */
  name: string
  text: string
}

const MOST_STATEMENTS = 1000

/** `?` becomes `$1`, `$2` and so on, except inside quotes. */
export function createStatements(): (sql: string) => Statement {
  const known = new Map<string, Statement>()
  return (sql) => {
    const found = known.get(sql)
    if (found) return found
    let count = 0
    const text = sql.replace(/'(?:[^']|'')*'|\?/g, (part) => (part === '?' ? `$${++count}` : part))
    // The same in every process: a pooler between us and the server then prepares it once.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    const [oldest] = known.keys()
    if (known.size >= MOST_STATEMENTS && oldest !== undefined) known.delete(oldest)
    const statement = { name, text }
    known.set(sql, statement)
    return statement
  }
}

/** PostgreSQL keeps no zero character in a text. */
export const sent = (values: readonly SqlValue[]): SqlValue[] =>
  values.map((value) => (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value))

const { INT8, NUMERIC } = pg.types.builtins

/** Whole numbers and sums come as text by default; ours are times and counts, far below 2^53. */
export const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === INT8 || id === NUMERIC ? Number : pg.types.getTypeParser(id, format === 'binary' ? 'binary' : 'text'),
}
