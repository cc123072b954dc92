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
  /** The same for what a power failure would take along anyway: it need not wait for the disk. */
  onCommit(effect: (committed: boolean) => void): void
  /** Nobody relies on this one outliving a power failure, so its commit need not wait for the disk. A crash of ours does not lose it. */
  passing(): void
}

/** Something to be written in the same transaction, before the commit. */
export type Also = (tx: Tx) => Promise<void>

/** What must be said where transactions run side by side, and is empty where they run one after another. */
export interface Locks {
  /** Ends a SELECT: nobody else changes its rows, or locks them, before the transaction ends. */
  readonly rows: string
  /** The same, but rows that somebody else has locked are left out. */
  readonly freeRows: string
  /** Statements for a transaction that nobody else may be in at the same time, and that may take long. */
  readonly alone: readonly string[]
}

export interface Database extends Sql {
  readonly locks: Locks
  /**
   * All of `work` or nothing. Transactions run one after another where the engine cannot do better; where it can, `work`
   * is repeated when two got in each other's way, so whatever it does outside the database belongs in `onEnd`.
   */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** What only PostgreSQL has, for the queue and the bus that live in it. */
export interface Postgres extends Database {
  /** A statement as it is, with `$1` for values; inside `tx` where given. */
  query(text: string, values?: readonly unknown[], tx?: Tx): Promise<{ rows: Record<string, unknown>[] }>
  /** Tells all who listen, in any process, soon: after a crash or without a connection it may be lost. */
  notify(channel: string, payload: string): void
  /**
   * `again` is told whenever something may have been missed: after the connection was lost and is there again. Answers a
   * function that ends it.
   */
  listen(channel: string, hear: (payload: string) => void, again: () => void): Promise<() => void>
}
