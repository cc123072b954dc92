import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Databases, startDatabases } from '../../test/support/databases.ts'
import { NOON } from '../../test/support/records.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { until } from '../../test/support/until.ts'
import type { Database } from '../ports/sql.ts'
import { migrate } from '../store/schema.ts'
import { createSqlRequests } from '../store/sql-requests.ts'
import { openSqlite } from '../store/sqlite.ts'
import { createLimiter } from './limits.ts'
import { createSharedLimiter } from './shared-limits.ts'

const A_MINUTE = 100

function sharedLimits(name: string, open: () => Promise<Database>): void {
  describe(`the limit over all nodes, counted in ${name}`, () => {
    /** Two nodes that share every few milliseconds, and a clock that stands still until it is moved. */
    async function twoNodes() {
      const database = await open()
      let now = NOON
      const node = () =>
        createSharedLimiter({
          ...{ local: createLimiter(), requests: createSqlRequests(database), every: 5 },
          ...{ clock: { now: () => now }, failed: assert.fail },
        })
      const nodes = [node(), node()] as const
      return {
        take: (which: 0 | 1, who = 'ada') => nodes[which].take(who, A_MINUTE, now),
        pass: (milliseconds: number) => {
          now += milliseconds
        },
        async [Symbol.asyncDispose]() {
          for (const each of nodes) await each.close()
          await database.close()
        },
      }
    }

    test('what one lets through the other counts, and each its own only once', async () => {
      await using nodes = await twoNodes()
      assert.equal(nodes.take(1).remaining, 99)
      for (let count = 0; count < 60; count++) assert.ok(nodes.take(0).ok)
      let seen = 99
      await until(() => {
        const { remaining } = nodes.take(1)
        const others = seen - 1 - remaining
        seen = remaining
        return others > 0
      }, 'the other has heard of them')
      // Sixty there and what was asked here, once each.
      const asked = A_MINUTE - 60 - seen
      assert.ok(asked > 1)
      let taken = 0
      while (nodes.take(1).ok) taken++
      assert.equal(taken, seen)
      await until(() => !nodes.take(0).ok, 'the first has heard that nothing is left')
      assert.equal(nodes.take(0, 'bob').ok, true)
    })

    test('a new minute is counted anew, and the bucket fills as ever', async () => {
      await using nodes = await twoNodes()
      while (nodes.take(0).ok);
      nodes.take(1)
      await until(() => !nodes.take(1).ok, 'it is full everywhere')
      nodes.pass(60_000)
      await until(() => nodes.take(1).ok, 'there is room again')
    })
  })
}

let dir: Awaited<ReturnType<typeof tempDir>>
let databases: Databases
before(async () => {
  dir = await tempDir()
  databases = await startDatabases()
})
after(async () => {
  await dir.remove()
  await databases[Symbol.asyncDispose]()
})
let count = 0
sharedLimits('SQLite', async () => {
  const database = openSqlite(join(dir.path, `${count++}.db`))
  await migrate(database)
  return database
})
sharedLimits('PostgreSQL', () => databases.open())
