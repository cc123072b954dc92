/**
 * SQLite as a `Database`: one connection writes, another reads what is committed. Transactions run one after another;
 * those that wait at the same time share one commit, because making it durable costs more than all their statements.
 * Each of them has a savepoint then, so one that fails takes nothing of the others with it.
 */
import type { Database, SqlValue, Tx } from '../ports/sql.ts'
import { type Connection, connect } from './sqlite-connection.ts'

/** More would keep the first of them, and the event loop, waiting too long. */
const MOST_IN_GROUP = 64

type Effect = (committed: boolean) => void

/** A caller of `transact`. */
interface Member {
  /** Does the work, inside a savepoint unless `alone`; throws only when the whole transaction is to be undone. */
  perform(alone: boolean): Promise<void>
  /** Tells how the shared transaction ended, unless the member failed by itself before. */
  finish(failure: { error: unknown } | null): void
}

export function openSqlite(path: string): Database {
  const writer = connect(path, false)
  const reader = connect(path, true)
  const waiting: Member[] = []
  let draining: Promise<void> | null = null
  let closed = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // The event loop gets its turn, and whoever else wants to write joins the group.
      await new Promise((resolve) => setImmediate(resolve))
      await commitTogether(writer, waiting.splice(0, MOST_IN_GROUP))
    }
    draining = null
  }

  const database: Database = {
    all: async (sql, ...values) => reader.all(sql, values),
    run: (sql, ...values) => database.transact((tx) => tx.run(sql, ...values)),

    transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new Error('the database is closed'))
      return new Promise<T>((resolve, reject) => {
        waiting.push(createMember(writer, work, resolve, reject))
        draining ??= drain()
      })
    },

    async close() {
      if (closed) return
      closed = true
      await draining
      reader.close()
      writer.close()
    },
  }
  return database
}

async function commitTogether(writer: Connection, group: readonly Member[]): Promise<void> {
  let failure: { error: unknown } | null = null
  try {
    // IMMEDIATE: another process may be writing, and its lock is waited for only here.
    writer.exec('BEGIN IMMEDIATE')
    for (const member of group) await member.perform(group.length === 1)
    writer.exec('COMMIT')
  } catch (error) {
    failure = { error }
    rollback(writer)
  }
  for (const member of group) member.finish(failure)
}

function rollback(writer: Connection): void {
  try {
    if (writer.inTransaction()) writer.exec('ROLLBACK')
  } catch {
    // The callers hear of the error that came first; if the transaction stays open, the next BEGIN fails too.
  }
}

function createMember<T>(
  writer: Connection,
  work: (tx: Tx) => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Member {
  let effects: Effect[] = []
  let running = false
  let result: { value: T } | null = null

  /** A `tx` that is kept and used later would write into somebody else's transaction. */
  const guard = (): void => {
    if (!running) throw new Error('the transaction has ended')
    if (!writer.inTransaction()) throw new Error('the database has rolled back')
  }
  const tx: Tx = {
    async all(sql: string, ...values: SqlValue[]) {
      guard()
      return writer.all(sql, values)
    },
    async run(sql: string, ...values: SqlValue[]) {
      guard()
      return writer.run(sql, values)
    },
    onEnd(effect) {
      guard()
      effects.push(effect)
    },
  }
  const end = (committed: boolean): void => {
    const told = effects
    effects = []
    for (const effect of told) runEffect(effect, committed)
  }
  const fail = (error: unknown): void => {
    end(false)
    reject(error)
  }

  return {
    async perform(alone) {
      if (!alone) writer.exec('SAVEPOINT member')
      running = true
      try {
        const value = await work(tx)
        running = false
        if (!alone) writer.exec('RELEASE member')
        result = { value }
      } catch (error) {
        running = false
        if (alone || !writer.inTransaction()) throw error
        writer.exec('ROLLBACK TO member')
        writer.exec('RELEASE member')
        fail(error)
      }
    },
    finish(failure) {
      if (failure) fail(failure.error)
      else if (result) {
        end(true)
        resolve(result.value)
      }
    },
  }
}

function runEffect(effect: Effect, committed: boolean): void {
  try {
    effect(committed)
  } catch (error) {
    // The transaction has ended either way, and the other effects must still be told.
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
