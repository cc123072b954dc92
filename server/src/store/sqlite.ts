/**
 * SQLite as a `Database`: one connection writes, another reads what is committed meanwhile. Transactions run one after
 * another; those that wait at the same time share one commit. Each of them has a savepoint then, so one that fails takes
 * nothing of the others with it. Callers hear of a commit when it is on the disk; the next group does not wait for that, nor
 * does what would be lost with it.
 */
import type { Database, SqlValue, Tx } from '../ports/sql.ts'
import { createEffects } from './effects.ts'
import { type Connection, connect } from './sqlite-connection.ts'
import { type LogSync, openLogSync } from './sync-log.ts'

/** More would keep the first of them, and the event loop, waiting too long. */
const MOST_IN_GROUP = 64

type Failure = { error: unknown } | null

/** A caller of `transact`. */
interface Member {
  /** Does the work, inside a savepoint unless `alone`; throws only when the whole transaction is to be undone. */
  perform(alone: boolean): Promise<void>
  /** Told when the shared transaction has committed; it may not be on the disk yet. */
  committed(): void
  /** Tells how the shared transaction ended, unless the member failed by itself before. */
  finish(failure: Failure): void
  /** False when its caller need not wait for the disk. */
  durable(): boolean
  /** False when nothing follows from it either: nobody but its caller hears of it, who may do so at once. */
  told(): boolean
}

export function openSqlite(path: string, openLog: (path: string) => LogSync = openLogSync): Database {
  const writer = connect(path, false)
  // The first write makes the log, which the reader and the syncing need to find.
  writer.exec('BEGIN IMMEDIATE')
  writer.exec('COMMIT')
  const reader = connect(path, true)
  const log = openLog(path)
  const waiting: Member[] = []
  let draining: Promise<void> | null = null
  let closed = false
  /** What could not be made durable is not to be built upon. */
  let broken: Failure = null
  let telling: Promise<void> | null = null

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // The event loop gets its turn, and whoever else wants to write joins the group.
      await new Promise((resolve) => setImmediate(resolve))
      const group = waiting.splice(0, MOST_IN_GROUP)
      const failure = broken ?? (await commitTogether(writer, group))
      const kept = failure || !group.some((member) => member.durable()) ? null : log.synced()
      if (!failure) for (const member of group) member.committed()
      for (const member of group) if (!member.told()) member.finish(failure)
      const others = group.filter((member) => member.told())
      if (others.length > 0) tell(others, failure, kept)
    }
    draining = null
  }

  /** In the order of the commits: what follows from one must not be heard of before it. */
  function tell(group: readonly Member[], failure: Failure, kept: Promise<void> | null): void {
    const finish = (lost: Failure): void => {
      for (const member of group) member.finish(lost)
    }
    if (!kept && !telling) {
      finish(failure)
      return
    }
    const turn = Promise.all([kept, telling]).then(
      () => finish(failure ?? broken),
      (error: unknown) => {
        broken ??= { error }
        finish(broken)
      },
    )
    telling = turn
    void turn.then(() => {
      if (telling === turn) telling = null
    })
  }

  const database: Database = {
    locks: { rows: '', freeRows: '', alone: [] },
    // Each commit makes the reader forget all pages it knows; the writer, while it rests, still has them.
    all: async (sql, ...values) => (writer.inTransaction() ? reader : writer).all(sql, values),
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
      await telling
      await log.close()
      reader.close()
      writer.close()
    },
  }
  return database
}

async function commitTogether(writer: Connection, group: readonly Member[]): Promise<Failure> {
  try {
    // IMMEDIATE: another process may be writing, and its lock is waited for only here.
    writer.exec('BEGIN IMMEDIATE')
    for (const member of group) await member.perform(group.length === 1)
    writer.exec('COMMIT')
    return null
  } catch (error) {
    rollback(writer)
    return { error }
  }
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
  const effects = createEffects()
  const early = createEffects()
  let running = false
  let durable = true
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
      effects.add(effect)
    },
    onCommit(effect) {
      guard()
      early.add(effect)
    },
    passing() {
      durable = false
    },
  }
  const fail = (error: unknown): void => {
    early.end(false)
    effects.end(false)
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
    committed: () => early.end(true),
    finish(failure) {
      if (failure) fail(failure.error)
      else if (result) {
        effects.end(true)
        resolve(result.value)
      }
    },
    durable: () => durable,
    told: () => durable || !effects.isEmpty(),
  }
}
