import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { busContract } from '../../test/contract/bus.ts'
import { startPostgres } from '../../test/peers/postgres.ts'
import { NOON } from '../../test/support/records.ts'
import { until } from '../../test/support/until.ts'
import type { Hint } from '../ports/bus.ts'
import { openPostgres } from '../store/postgres.ts'
import { openPostgresBus } from './postgres-bus.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres[Symbol.asyncDispose]())

/** A process with a bus; `rows` are what a look at the events would find. */
async function aNode(rows: Hint[] = [], lookEvery = 3_600_000) {
  const database = openPostgres(postgres.url())
  const asked: number[] = []
  const bus = await openPostgresBus({
    database,
    clock: { now: () => NOON },
    recent: async (at) => {
      asked.push(at)
      return rows
    },
    failed: assert.fail,
    lookEvery,
  })
  const heard: Hint[] = []
  return {
    bus,
    heard,
    asked,
    listen: () => bus.subscribe((hint) => heard.push(hint)),
    async [Symbol.asyncDispose]() {
      await bus.close()
      await database.close()
    },
  }
}

busContract('PostgreSQL', async () => {
  const [one, other] = [await aNode(), await aNode()]
  return {
    bus: one.bus,
    elsewhere: other.bus,
    async close() {
      await one[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
    },
  }
})

test('what was not told is found by a look, from where the last hint ended, and told once', async () => {
  const rows = [
    { stream: 'told', from: 1, to: 4 },
    { stream: 'partly', from: 1, to: 4 },
    { stream: 'never', from: 3, to: 4 },
  ]
  await using node = await aNode(rows, 20)
  node.listen()
  node.bus.publish({ stream: 'told', from: 1, to: 4 })
  node.bus.publish({ stream: 'partly', from: 1, to: 2 })
  await until(() => node.asked.length > 3, 'it looked some times')
  assert.deepEqual(node.heard.slice(2), [
    { stream: 'partly', from: 3, to: 4 },
    { stream: 'never', from: 3, to: 4 },
  ])
  assert.ok((node.asked[0] ?? NOON) < NOON, 'it looks back a little further, as clocks differ')
})

test('nobody looks for those who do not listen', async () => {
  await using node = await aNode([{ stream: 'a', from: 1, to: 1 }], 5)
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    return true
  }, 'some time passed')
  assert.deepEqual(node.asked, [])
  node.listen()
  await until(() => node.heard.length > 0, 'it looks now')
})

test('after the database was away everybody looks, and hints go on', async () => {
  await using one = await aNode([{ stream: 'missed', from: 7, to: 7 }])
  await using other = await aNode()
  one.listen()
  await postgres.stop('kill')
  await postgres.start()
  await until(() => one.heard.some(({ stream }) => stream === 'missed'), 'it looked')
  assert.ok(
    one.heard.some(({ stream }) => stream === 'deliveries'),
    'whoever delivers is told to look, too',
  )
  await until(() => {
    other.bus.publish({ stream: 'again', from: 1 })
    return one.heard.some(({ stream }) => stream === 'again')
  }, 'hints are heard again')
})
