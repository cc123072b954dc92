/** What every keeper of parts must do. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Task } from '../../src/core/task.ts'
import type { PartOrder, Parts } from '../../src/ports/parts.ts'
import { type Claim, ClaimLost } from '../../src/ports/queue.ts'
import { aTask } from '../support/records.ts'
import { until } from '../support/until.ts'
import { type Scene, type StoreHarness, sceneOf } from './store-harness.ts'

export interface PartsHarness {
  parts: Parts
  /** On the same database and queue. */
  records: StoreHarness
}

const input = { id: 'f', blob: 'film', filename: 'a.mp4', size: 1, format: 'mp4' }
const orders = (...names: string[]): PartOrder[] => names.map((name) => ({ engine: 'ffmpeg', input, order: { name } }))
const nothing = async (): Promise<void> => {}

export function partsContract(name: string, open: () => Promise<PartsHarness>): void {
  describe(`parts in ${name}`, () => {
    let parts: Parts
    let scene: Scene
    let task: Task
    beforeEach(async () => {
      const harness = await open()
      parts = harness.parts
      scene = sceneOf(harness.records)
      task = await running()
    })
    afterEach(() => scene.close())

    async function running(): Promise<Task> {
      const begun = aTask({ lane: 'heavy' })
      await scene.create([begun])
      await scene.happen(begun, { type: 'started' })
      return begun
    }
    const depth = async () => (await scene.queue.depth()).parts
    const whole = async (of = task) =>
      Promise.all((await parts.of(of.id)).map(async ({ id }) => (await parts.find(id)) ?? assert.fail()))
    const named = async (of = task) => (await whole(of)).map(({ order }) => order.name)

    test('are on offer until they end, in the order they were given', async () => {
      assert.deepEqual(await parts.order(task, orders('a', 'b', 'c'), null), [])
      assert.deepEqual(await named(), ['a', 'b', 'c'])
      assert.deepEqual(await depth(), { waiting: 3, running: 0 })
      const claims: Claim[] = []
      const taker = scene.queue.consume(['parts'], 2, async (claim) => {
        claims.push(claim)
        await parts.progress(claim.id, 40)
        await parts.end(claim.id, { blob: `of ${claim.id}`, size: 7 }, (tx) => claim.settle(tx))
      })
      await until(async () => (await depth()).waiting + (await depth()).running === 0, 'all have ended')
      await taker.close()
      for (const { id, end, percent, input: of, user } of await whole()) {
        assert.deepEqual(end, { blob: `of ${id}`, size: 7 })
        assert.deepEqual({ percent, of, user }, { percent: 40, of: input, user: 'ada' })
      }
      assert.deepEqual([...(await scene.store.blobsInUse([`of ${claims[0]?.id}`, 'other']))], [`of ${claims[0]?.id}`])
    })

    test('that were ordered before in just the same way are kept as far as they have come', async () => {
      await parts.order(task, orders('a', 'b'), null)
      const [first, second] = await parts.of(task.id)
      await parts.end(first!.id, { blob: 'made', size: 1 }, nothing)
      assert.deepEqual(await parts.order(task, orders('a', 'b'), null), [])
      assert.deepEqual(
        (await parts.of(task.id)).map(({ id, end }) => [id, end]),
        [
          [first!.id, { blob: 'made', size: 1 }],
          [second!.id, null],
        ],
      )
      assert.deepEqual(await parts.order(task, orders('a', 'x'), null), ['made'])
      assert.deepEqual(await named(), ['a', 'x'])
      assert.equal(await parts.find(second!.id), null)
    })

    test('of which one has failed are ordered anew', async () => {
      await parts.order(task, orders('a', 'b'), null)
      const [first] = await parts.of(task.id)
      await parts.end(first!.id, { msg: 'no' }, nothing)
      await parts.order(task, orders('a', 'b'), null)
      assert.deepEqual(
        (await parts.of(task.id)).map(({ end }) => end),
        [null, null],
      )
    })

    test('end once', async () => {
      await parts.order(task, orders('a'), null)
      const [{ id } = { id: '' }] = await parts.of(task.id)
      assert.equal(await parts.end(id, { blob: 'one', size: 1 }, nothing), true)
      assert.equal(await parts.end(id, { blob: 'two', size: 1 }, async () => assert.fail()), false)
      assert.deepEqual((await parts.find(id))?.end, { blob: 'one', size: 1 })
    })

    test('stay while their task runs, and go with it wherever they are', async () => {
      const other = await running()
      await parts.order(task, orders('a', 'b'), null)
      await parts.order(other, orders('c'), null)
      const held = Promise.withResolvers<Claim>()
      const taker = scene.queue.consume(['parts'], 1, async (claim) => {
        held.resolve(claim)
        await new Promise((resolve) => claim.signal.addEventListener('abort', resolve, { once: true }))
      })
      const claim = await held.promise
      const mine = (await parts.find(claim.id))?.task === task.id ? task : other
      assert.deepEqual(await parts.clear(), [])
      await scene.happen(mine, { type: 'canceled' })
      assert.deepEqual(await parts.clear(mine === task ? other.id : task.id), [], 'that one runs')
      assert.equal((await parts.of(mine.id)).length > 0, true)
      await parts.clear(mine.id)
      assert.deepEqual(await named(mine), [])
      await until(() => claim.signal.aborted, 'whoever does it is told')
      await assert.rejects(
        scene.transact((tx) => claim.settle(tx)),
        ClaimLost,
      )
      await scene.happen(mine === task ? other : task, { type: 'deleted' })
      await parts.clear()
      assert.deepEqual([await named(task), await named(other)], [[], []])
      await taker.close()
    })
  })
}
