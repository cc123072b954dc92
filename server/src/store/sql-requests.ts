/** Requests by caller and minute. What a power failure loses of them nobody misses. */
import type { Requests } from '../ports/requests.ts'
import type { Database } from '../ports/sql.ts'

const MOST_AT_ONCE = 500

export function createSqlRequests(database: Database): Requests {
  return {
    async add(minute, counts) {
      const sums = new Map<string, number>()
      // Always in the same order, so that two nodes do not wait for each other.
      const all = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
      for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
        const some = all.slice(from, from + MOST_AT_ONCE)
        const statement = `INSERT INTO requests (who, minute, n) VALUES ${some.map(() => '(?, ?, ?)').join(', ')}
          ON CONFLICT (who, minute) DO UPDATE SET n = requests.n + excluded.n RETURNING who, n`
        const rows = await database.transact((tx) => {
          tx.passing()
          return tx.all(statement, ...some.flatMap(([who, n]) => [who, minute, n]))
        })
        for (const { who, n } of rows) sums.set(String(who), Number(n))
      }
      return sums
    },
    async expire(minute) {
      await database.run('DELETE FROM requests WHERE minute < ?', minute)
    },
  }
}
