/** Tries to come in that failed, counted where every node sees them. */
import type { Patience, Trials } from '../ports/credentials.ts'
import type { Database } from '../ports/sql.ts'
import { insert } from './statements.ts'

/** Nothing is held against anybody for longer than this. */
const FORGOTTEN = 24 * 3_600_000

/** How long to wait after so many tries: nothing at first, then twice as long each time. */
export function waitAfter(failures: number, { free, first, most }: Patience): number {
  return failures < free ? 0 : Math.min(most, first * 2 ** Math.min(30, failures - free))
}

export function createSqlTrials(database: Database): Trials {
  return {
    take: (subject, now, patience) =>
      database.transact(async (tx) => {
        const fresh = { subject, failures: 0, free_at: 0, at: now }
        // Also takes hold of the row, where others count beside us.
        await insert(tx, 'trials', fresh, 'ON CONFLICT (subject) DO UPDATE SET subject = excluded.subject')
        const [row] = await tx.all('SELECT * FROM trials WHERE subject = ?', subject)
        const wait = Number(row?.free_at ?? 0) - now
        const before = now - Number(row?.at ?? now) > FORGOTTEN ? 0 : Number(row?.failures ?? 0)
        if (wait > 0) return { wait, failures: before }
        const failures = before + 1
        const freeAt = now + waitAfter(failures, patience)
        await tx.run(
          'UPDATE trials SET failures = ?, free_at = ?, at = ? WHERE subject = ?',
          failures,
          freeAt,
          now,
          subject,
        )
        return { wait: 0, failures }
      }),
    async clear(subject) {
      await database.run('DELETE FROM trials WHERE subject = ?', subject)
    },
    async giveBack(subject, failures, now) {
      // Unless another try was counted in between, whose wait stands.
      const statement = 'UPDATE trials SET failures = ?, free_at = ? WHERE subject = ? AND failures = ?'
      await database.run(statement, failures - 1, now, subject, failures)
    },
    async expire(before) {
      await database.run('DELETE FROM trials WHERE at <= ? AND free_at <= ?', before, before)
    },
  }
}
