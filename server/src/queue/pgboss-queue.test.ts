import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { queueContract } from '../../test/contract/queue.ts'
import { type Databases, startDatabases } from '../../test/support/databases.ts'
import { NOON } from '../../test/support/records.ts'
import { until } from '../../test/support/until.ts'
import { newId } from '../core/ids.ts'
import { type Claim, ClaimLost, type Offer, type Queue } from '../ports/queue.ts'
import type { Postgres } from '../ports/sql.ts'
import { openPostgres } from '../store/postgres.ts'
import { newJobId, SCHEMA, taskOfJob } from './pgboss-lines.ts'
import { openPgBossQueue } from './pgboss-queue.ts'

let databases: Databases
before(async () => {
  databases = await startDatabases()
})
after(() => databases[Symbol.asyncDispose]())

/** All tests of the contract in one, emptied after each. */
let shared: Promise<string> | null = null

queueContract('pg-boss', async (shareOf) => {
  shared ??= databases.fresh()
  const database = openPostgres(await shared)
  const queue = await openPgBossQueue(database, { shareOf, retryDelay: 0, lookEvery: 100 })
  return {
    queue,
    transact: database.transact,
    async close() {
      await queue.close()
      await database.query(`DELETE FROM ${SCHEMA}.job`)
      await database.query(`DELETE FROM ${SCHEMA}.offers`)
      await database.close()
    },
  }
})

test('the id of a job tells the task it is for, and no two offers of a task have the same', () => {
  const task = newId(NOON)
  const jobs = Array.from({ length: 100 }, () => newJobId(task))
  assert.ok(jobs.every((job) => taskOfJob(job) === task && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(job)))
  assert.equal(new Set(jobs).size, 100)
})

describe('pg-boss on two machines', () => {
  interface Node {
    database: Postgres
    queue: Queue
  }
  const aTask = (more: Partial<Offer> = {}): Offer => {
    const id = newId(NOON)
    return { id, lane: 'light', owner: `owner of ${id}`, priority: 0, attempts: 0, ...more }
  }
  const offer = ({ database, queue }: Node, ...tasks: Offer[]) => database.transact((tx) => queue.offer(tx, tasks))

  async function twoNodes(lookEvery = 100) {
    const url = await databases.fresh()
    const open = async (): Promise<Node> => {
      const database = openPostgres(url)
      return { database, queue: await openPgBossQueue(database, { retryDelay: 0, superviseEvery: 1, lookEvery }) }
    }
    // Both at once: making tables is something two may try.
    const [one, other] = await Promise.all([open(), open()])
    return {
      one,
      other,
      async [Symbol.asyncDispose]() {
        for (const { database, queue } of [one, other]) {
          await queue.close()
          await database.close()
        }
      },
    }
  }
  /** As if the worker that holds it had said nothing for an hour, and went on like that until `done`. */
  const silence = async ({ database }: Node, attempt: number, done: () => boolean, what: string) => {
    const statement = `UPDATE ${SCHEMA}.job SET heartbeat_on = now() - interval '1 hour'
      WHERE state = 'active' AND retry_count = $1 AND name <> 'exhausted'`
    await until(async () => {
      await database.query(statement, [attempt])
      return done()
    }, what)
  }

  test('what one offers the other takes at once, also of a kind that was never offered before', async () => {
    // Nobody looks by themselves here: they must be told.
    await using nodes = await twoNodes(3_600_000)
    const seen: string[] = []
    nodes.other.queue.consume(['light'], 2, async (claim) => {
      seen.push(claim.id)
      await nodes.other.database.transact((tx) => claim.settle(tx))
    })
    const tasks = [aTask(), aTask({ needs: 'office' }), aTask({ needs: 'office' })]
    for (const task of tasks) await offer(nodes.one, task)
    await until(() => seen.length === 3, 'all were taken')
    assert.deepEqual(seen.toSorted(), tasks.map(({ id }) => id).toSorted())
  })

  test('what one withdraws the other stops', async () => {
    await using nodes = await twoNodes(3_600_000)
    const task = aTask()
    const stopped = Promise.withResolvers<unknown>()
    nodes.other.queue.consume(['light'], 1, async ({ signal }) => {
      await nodes.one.database.transact((tx) => nodes.one.queue.withdraw(tx, [task]))
      signal.addEventListener('abort', () => stopped.resolve(signal.reason))
      if (signal.aborted) stopped.resolve(signal.reason)
      await stopped.promise
    })
    await offer(nodes.one, task)
    assert.ok((await stopped.promise) instanceof ClaimLost)
  })

  test('a hundred tasks are taken by two, each of them once', async () => {
    await using nodes = await twoNodes()
    const tasks = Array.from({ length: 100 }, () => aTask())
    const seen: string[] = []
    for (const { queue, database } of [nodes.one, nodes.other])
      queue.consume(['light'], 4, async (claim) => {
        seen.push(claim.id)
        await database.transact((tx) => claim.settle(tx))
      })
    await offer(nodes.one, ...tasks)
    await until(async () => seen.length >= 100 && (await nodes.one.queue.depth()).light.running === 0, 'all were taken')
    assert.deepEqual(seen.toSorted(), tasks.map(({ id }) => id).toSorted())
  })

  test('a worker that says nothing loses its task to another, and can end it no more', async () => {
    await using nodes = await twoNodes()
    const paused = Promise.withResolvers<void>()
    const claims: Claim[] = []
    const outcomes: unknown[] = []
    for (const { queue, database } of [nodes.one, nodes.other])
      queue.consume(['light'], 1, async (claim) => {
        claims.push(claim)
        if (claims.length === 1) await paused.promise
        outcomes.push(
          await database
            .transact((tx) => claim.settle(tx))
            .then(
              () => claim.attempt,
              (error) => error,
            ),
        )
      })
    await offer(nodes.one, aTask())
    await until(() => claims.length === 1, 'one has it')
    await silence(nodes.one, 0, () => outcomes.length === 1, 'the other has ended it')
    assert.equal(outcomes[0], 1)
    paused.resolve()
    await until(() => outcomes.length === 2, 'the first has come back')
    assert.ok(outcomes[1] instanceof ClaimLost)
  })

  test('a task whose workers all go silent is exhausted', async () => {
    await using nodes = await twoNodes()
    let starts = 0
    nodes.one.queue.consume(['light'], 4, async ({ signal }) => {
      starts++
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    const given: Claim[] = []
    nodes.other.queue.exhausted(async (claim) => {
      await nodes.other.database.transact((tx) => claim.settle(tx))
      given.push(claim)
    })
    const task = aTask({ attempts: 1 })
    await offer(nodes.one, task)
    await silence(nodes.one, 0, () => starts === 2, 'it was started again')
    await silence(nodes.one, 1, () => given.length === 1, 'it was given up')
    assert.equal(given[0]?.id, task.id)
    assert.match(String(given[0]?.reason), /heartbeat/)
    await offer(nodes.one, task)
  })

  test('what was withdrawn after it was exhausted is not handed over', async () => {
    await using nodes = await twoNodes()
    const gone = aTask({ attempts: 3 })
    await offer(nodes.one, gone)
    await nodes.one.database.transact((tx) => nodes.one.queue.withdraw(tx, [gone]))
    const given: string[] = []
    nodes.other.queue.exhausted(async (claim) => {
      given.push(claim.id)
      await nodes.other.database.transact((tx) => claim.settle(tx))
    })
    const next = aTask({ attempts: 3 })
    await offer(nodes.one, next)
    await until(() => given.length > 0, 'the next was handed over')
    assert.deepEqual(given, [next.id])
  })

  test('one owner waits outside with more than is let in, and all of it is done in the end', async () => {
    await using nodes = await twoNodes()
    const { one, other } = nodes
    await offer(one, ...Array.from({ length: 700 }, () => aTask({ owner: 'flood' })))
    const { rows } = await one.database.query(`SELECT count(*)::int AS n FROM ${SCHEMA}.job`)
    assert.deepEqual(rows, [{ n: 500 }])
    assert.equal((await one.queue.depth()).light.waiting, 700)
    let done = 0
    const seen: string[] = []
    other.queue.consume(['light'], 8, async (claim) => {
      seen.push(claim.id)
      await other.database.transact((tx) => claim.settle(tx))
      done++
    })
    const guest = aTask({ owner: 'guest' })
    await until(() => done > 50, 'some are done')
    await offer(one, guest)
    await until(() => seen.includes(guest.id), 'the guest was served')
    // Next, but for those that were being fetched.
    assert.ok(seen.indexOf(guest.id) < 500, `after ${seen.indexOf(guest.id)}`)
    await until(() => done === 701, 'all are done')
    assert.equal(new Set(seen).size, 701)
  })
})
