/** The SQL subset that SQLite and PostgreSQL share: `?` placeholders, text ids, whole milliseconds, JSON as text. */
export type SqlValue = string | number | null
export type Row = Record<string, SqlValue>

export interface Sql {
  all(sql: string, ...values: SqlValue[]): Promise<Row[]>
  /** Answers how many rows were changed. */
  run(sql: string, ...values: SqlValue[]): Promise<number>
}

export interface Tx extends Sql {
  /** Effects outside the database wait for the end of the transaction; `committed` is false after a rollback. */
  onEnd(effect: (committed: boolean) => void): void
}

export interface Database extends Sql {
  /** All of `work` or nothing. Transactions run one after another where the engine cannot do better. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}
