/** The table of parts. Each is written and offered, or withdrawn and removed, in one transaction. */
import { newId } from '../core/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Part, PartEnd, PartOrder, PartState, Parts } from '../ports/parts.ts'
import type { Queue } from '../ports/queue.ts'
import type { Database, Row, Tx } from '../ports/sql.ts'
import { allIn, forEachChunk, insertAll } from './statements.ts'

export interface SqlPartsDeps {
  queue: Queue
  clock: Clock
}

const LANE = 'parts'
/** A share counts tasks, and the one that waits for its parts may be all there is room for. Turns are taken all the same. */
const ownerOf = (user: string): string => `parts of ${user}`

const endOf = ({ blob, size, msg }: Row): PartEnd | null => {
  if (blob != null) return { blob: String(blob), size: Number(size) }
  return msg == null ? null : { msg: String(msg) }
}

const stateOf = (row: Row): PartState => ({ id: String(row.id), percent: Number(row.percent), end: endOf(row) })
const partOf = (row: Row): Part => ({
  ...(JSON.parse(String(row.work)) as PartOrder),
  ...stateOf(row),
  task: String(row.task_id),
  user: String(row.user_id),
})

/** Looked at again and again, without what is to be done. */
const STATES = 'SELECT id, percent, blob, size, msg FROM parts WHERE task_id = ? ORDER BY place'
const ABANDONED = `SELECT parts.* FROM parts LEFT JOIN tasks ON tasks.id = parts.task_id
  WHERE (tasks.id IS NULL OR tasks.ended_at IS NOT NULL)`

export function createSqlParts(database: Database, { queue, clock }: SqlPartsDeps): Parts {
  /** Rows first, offers after: as whoever ends a part does it. */
  async function remove(tx: Tx, ids: readonly string[]): Promise<string[]> {
    // Once more: one that has just ended has a file now.
    const statement = (marks: string) => `SELECT * FROM parts WHERE id IN (${marks}) ${database.locks.rows}`
    const found = (await allIn(tx, ids, statement)).map(partOf)
    await forEachChunk(ids, (marks, values) => tx.run(`DELETE FROM parts WHERE id IN (${marks})`, ...values))
    if (found.length > 0)
      await queue.withdraw(
        tx,
        found.map(({ id }) => ({ id, lane: LANE })),
      )
    return found.flatMap(({ end }) => (end && 'blob' in end ? [end.blob] : []))
  }

  return {
    order: (task, orders, needs) =>
      database.transact(async (tx) => {
        const before = (await tx.all('SELECT * FROM parts WHERE task_id = ? ORDER BY place', task.id)).map(partOf)
        if (isSame(before, orders)) return []
        const freed = await remove(
          tx,
          before.map(({ id }) => id),
        )
        const parts = orders.map((work, place) => ({ id: newId(clock.now()), work: JSON.stringify(work), place }))
        const fresh = { task_id: task.id, user_id: task.user, percent: 0 }
        await insertAll(
          tx,
          'parts',
          parts.map((part) => ({ ...part, ...fresh })),
        )
        const offer = {
          lane: LANE,
          owner: ownerOf(task.user),
          priority: 0,
          attempts: 0,
          ...(needs && { needs }),
        } as const
        await queue.offer(
          tx,
          parts.map(({ id }) => ({ ...offer, id })),
        )
        return freed
      }),

    of: async (task) => (await database.all(STATES, task)).map(stateOf),
    find: async (id) => (await database.all('SELECT * FROM parts WHERE id = ?', id)).map(partOf)[0] ?? null,
    progress: (id, percent) =>
      database.transact(async (tx) => {
        tx.passing()
        await tx.run('UPDATE parts SET percent = ? WHERE id = ?', percent, id)
      }),

    end: (id, end, also) =>
      database.transact(async (tx) => {
        const { blob, size, msg } = { blob: null, size: null, msg: null, ...end }
        const set = 'UPDATE parts SET blob = ?, size = ?, msg = ? WHERE id = ? AND blob IS NULL AND msg IS NULL'
        const written = await tx.run(set, blob, size, msg, id)
        if (written > 0) await also(tx)
        return written > 0
      }),

    clear: (task) =>
      database.transact(async (tx) => {
        const rows = task ? await tx.all(`${ABANDONED} AND task_id = ?`, task) : await tx.all(ABANDONED)
        return remove(
          tx,
          rows.map((row) => String(row.id)),
        )
      }),
  }
}

/** A new attempt at the task orders anew what had failed. */
const isSame = (parts: readonly Part[], orders: readonly PartOrder[]): boolean =>
  parts.length === orders.length &&
  parts.every(({ engine, input, order, end }, index) => {
    const same = JSON.stringify({ engine, input, order }) === JSON.stringify(orders[index])
    return same && (end === null || 'blob' in end)
  })
