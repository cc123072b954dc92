/** What every keeper of plans and meters must do; the meters are written by the store, as it ends tasks. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../src/core/ids.ts'
import { DAY, type Plan, startOf, UNLIMITED } from '../../src/core/quota.ts'
import type { Lane, Task } from '../../src/core/task.ts'
import type { Accounts } from '../../src/ports/accounts.ts'
import type { Metering, UsageField } from '../../src/ports/metering.ts'
import type { ShareOf } from '../../src/ports/queue.ts'
import { aTask, filesOf, NOON } from '../support/records.ts'
import { type Scene, type StoreHarness, sceneOf } from './store-harness.ts'

export interface MeteringHarness {
  metering: Metering
  accounts: Accounts
  /** On the same database. */
  records: StoreHarness
  shareOf: ShareOf
}

const TODAY = startOf('day', NOON)

export function meteringContract(name: string, open: () => Promise<MeteringHarness>): void {
  describe(`metering in ${name}`, () => {
    let harness: MeteringHarness
    let metering: Metering
    let scene: Scene
    beforeEach(async () => {
      harness = await open()
      metering = harness.metering
      scene = sceneOf(harness.records)
    })
    afterEach(() => harness.records.close())

    /** A task of that kind, which somebody has taken. */
    async function begin(about: Partial<Task>, at: number): Promise<Task> {
      const task = aTask({ createdAt: at, ...about })
      await scene.create([task])
      await scene.take(task, at, { bytes: 100, format: 'docx' })
      return task
    }
    async function run(about: Partial<Task>, at: number, seconds: number): Promise<Task> {
      const task = await begin(about, at)
      await scene.happen(task, { type: 'completed', result: filesOf('blob') }, at + seconds * 1000)
      return task
    }
    const usage = (user: string | null, by: UsageField[], from = TODAY, to = TODAY + DAY) =>
      metering.usage(user, { from, to, by })

    test('seconds are charged as they are, however a task ended, to its user and its key', async () => {
      await run({ key: 'k' }, NOON - DAY, 100)
      await run({ key: 'k' }, NOON, 1.5)
      const canceled = await begin({ lane: 'heavy' }, NOON)
      await scene.happen(canceled, { type: 'canceled' }, NOON + 2250)
      const failed = await begin({ key: 'l' }, NOON)
      await scene.happen(failed, { type: 'failed', errorCode: 'processing_failed', msg: '' }, NOON + 10)
      const deleted = await begin({ key: 'l' }, NOON)
      await scene.happen(deleted, { type: 'deleted' }, NOON + 500)
      await run({ user: 'bob' }, NOON, 7)
      const since = (who: string, when: number) => metering.secondsSince(who, when)
      assert.equal(await since('ada', TODAY), 1.5 + 2.25 + 0.01 + 0.5)
      assert.equal(await since('ada', TODAY - DAY), 100 + 1.5 + 2.25 + 0.01 + 0.5)
      assert.deepEqual([await since('k', TODAY), await since('l', TODAY)], [1.5, 0.51])
      assert.deepEqual([await since('bob', TODAY), await since('nobody', TODAY)], [7, 0])
    })

    test('neither waiting nor moving files nor the time of a worker that died is charged', async () => {
      await run({ lane: 'io' }, NOON, 50)
      const never = aTask()
      await scene.create([never])
      await scene.happen(never, { type: 'canceled' }, NOON + 1000)
      const again = await begin({}, NOON)
      await scene.take(again, NOON + 60_000)
      await scene.happen(again, { type: 'completed', result: {} }, NOON + 61_000)
      const lost = await begin({}, NOON)
      await scene.happen(lost, { type: 'failed', errorCode: 'engine_timeout', msg: '', lost: true }, NOON + 90_000)
      const released = await begin({}, NOON)
      await scene.happen(released, { type: 'released' }, NOON + 1000)
      await scene.happen(released, { type: 'canceled' }, NOON + 90_000)
      assert.equal(await metering.secondsSince('ada', TODAY), 1)
    })

    test('what has run up to a restart is not running any more', async () => {
      const task = await begin({}, NOON)
      const { running } = await metering.used('ada', null, { plan: UNLIMITED, budget: null }, NOON + 4000)
      assert.deepEqual(running, { tasks: 1, seconds: 4, ofKey: 0 })
      assert.deepEqual(
        (await scene.store.ready()).map(({ id }) => id),
        [task.id],
      )
      const after = await metering.used('ada', null, { plan: UNLIMITED, budget: null }, NOON + 4000)
      assert.equal(after.running.tasks, 0)
    })

    test('a charge is undone with the transaction that wrote it', async () => {
      const task = await begin({ key: 'k' }, NOON)
      const failing = scene.store.change(
        task.id,
        (slice) => ({
          ...{ tasks: [{ ...slice.subjects[0]!, status: 'completed', endedAt: NOON + 9000 }], jobs: [], events: [] },
          ...{ removedTasks: [], removedJobs: [], withdraw: [], offer: [] },
        }),
        async () => {
          throw new Error('the claim was lost')
        },
      )
      await assert.rejects(failing)
      assert.equal(await metering.secondsSince('ada', TODAY), 0)
      assert.deepEqual(await usage('ada', ['operation']), [])
    })

    test('what was used is told by day, operation, formats and key', async () => {
      await run({ key: 'k' }, NOON - DAY, 2)
      await run({ key: 'k' }, NOON, 1)
      await run({ key: 'k' }, NOON, 3)
      await run({ operation: 'import/url', lane: 'io' }, NOON, 9)
      const failed = await begin({ payload: { output_format: 'jpg' } }, NOON)
      await scene.happen(failed, { type: 'failed', errorCode: 'processing_failed', msg: '' }, NOON + 500)
      const two = { tasks: 2, failed: 0, seconds: 4, bytesIn: 200, bytesOut: 2 }
      const one = { tasks: 1, failed: 0, seconds: 0, bytesIn: 100, bytesOut: 1 }
      assert.deepEqual(await usage('ada', ['operation', 'from', 'format', 'key']), [
        { operation: 'convert', from: 'docx', format: 'jpg', key: '', ...one, failed: 1, seconds: 0.5, bytesOut: 0 },
        { operation: 'convert', from: 'docx', format: 'pdf', key: 'k', ...two },
        { operation: 'import/url', from: 'docx', format: 'pdf', key: '', ...one },
      ])
      assert.deepEqual(await usage('ada', ['day'], TODAY - DAY), [
        { day: TODAY - DAY, ...one, seconds: 2 },
        { day: TODAY, tasks: 4, failed: 1, seconds: 4.5, bytesIn: 400, bytesOut: 3 },
      ])
      assert.deepEqual(await usage('ada', [], TODAY, TODAY), [])
      assert.deepEqual(await usage('bob', ['day']), [])
    })

    test('what all users have used is told together', async () => {
      await run({ user: 'ada' }, NOON, 2)
      await run({ user: 'bob' }, NOON, 3)
      await run({ user: 'bob' }, NOON - DAY, 7)
      const [row, ...none] = await usage(null, ['day'])
      assert.deepEqual([row?.tasks, row?.seconds, none], [2, 5, []])
    })

    test('the sums by any fields are the same, and those of the meters', async () => {
      const one = fc.record({
        key: fc.constantFrom(null, 'k', 'l'),
        operation: fc.constantFrom('convert', 'merge'),
        lane: fc.constantFrom<Lane>('io', 'light', 'heavy'),
        at: fc.integer({ min: NOON - 2 * DAY, max: NOON }),
        seconds: fc.integer({ min: 0, max: 5000 }).map((ms) => ms / 1000),
      })
      const by = fc.subarray<UsageField>(['day', 'operation', 'from', 'format', 'key'])
      let user = 0
      await fc.assert(
        fc.asyncProperty(fc.array(one, { maxLength: 8 }), by, async (tasks, fields) => {
          const name = `user ${user++}`
          for (const { at, seconds, ...about } of tasks) await run({ user: name, ...about }, at, seconds)
          const rows = await usage(name, fields, TODAY - 3 * DAY, TODAY + 2 * DAY)
          const seconds = rows.reduce((sum, row) => sum + row.seconds, 0)
          assert.equal(
            rows.reduce((sum, row) => sum + row.tasks, 0),
            tasks.length,
          )
          assert.ok(Math.abs(seconds - (await metering.secondsSince(name, TODAY - 3 * DAY))) < 1e-6)
        }),
        { numRuns: 15 },
      )
    })

    test('what runs counts as far as it has come, with the day, the month and the budget of the key', async () => {
      const first = startOf('month', NOON)
      await run({ key: 'k' }, first - DAY, 1000)
      await run({ key: 'k' }, first + 1000, 100)
      await run({ key: 'l' }, NOON, 10)
      await run({ key: 'k' }, NOON, 1)
      await begin({ key: 'k' }, NOON)
      await begin({ key: null }, NOON)
      await begin({ key: 'k', lane: 'io' }, NOON)
      const terms = (per: 'day' | 'month') => ({ plan: UNLIMITED, budget: { minutes: 1, per } })
      const running = { tasks: 2, seconds: 4, ofKey: 2 }
      const used = { day: 11, month: 111, running }
      assert.deepEqual(await metering.used('ada', 'k', terms('day'), NOON + 2000), { ...used, key: 1 })
      assert.deepEqual(await metering.used('ada', 'k', terms('month'), NOON + 2000), { ...used, key: 101 })
    })

    const small: Plan = { ...UNLIMITED, name: 'small', minutesPerDay: 0.5, concurrency: 2, maxFileSize: 5e9 }

    test('a user has the plan and a key the budget they were given; others have no limits', async () => {
      const { plans } = metering
      const user = await harness.accounts.user('ada@example.org', NOON)
      const key = { id: newId(NOON), user: user.id, name: 'k', scopes: [], createdAt: NOON, lastUsedAt: null }
      const budget = { minutes: 3, per: 'month' } as const
      await harness.accounts.addKey({ ...key, budget }, 'hash')
      assert.deepEqual(await metering.terms(user.id, null), { plan: UNLIMITED, budget: null })
      assert.equal(await plans.add(small), true)
      assert.equal(await plans.add({ ...small, minutesPerDay: 7 }), false)
      const shareOf = (owner: string) => harness.records.transact((tx) => harness.shareOf(tx, owner))
      assert.equal(await shareOf(user.id), null)
      await harness.records.transact((tx) => tx.run('UPDATE users SET plan = ? WHERE id = ?', 'small', user.id))
      assert.deepEqual(await metering.terms(user.id, key.id), { plan: small, budget })
      assert.deepEqual(await metering.terms('nobody', null), { plan: UNLIMITED, budget: null })
      assert.deepEqual([await shareOf(user.id), await shareOf('nobody')], [2, null])
    })

    test('plans are listed, changed, and removed when nobody has them', async () => {
      const { plans } = metering
      const user = await harness.accounts.user('ada@example.org', NOON)
      await plans.add(small)
      await harness.records.transact((tx) => tx.run('UPDATE users SET plan = ? WHERE id = ?', 'small', user.id))
      const listed = (await plans.list()).map(({ name, users }) => [name, users])
      assert.deepEqual(listed, [
        ['guest', 0],
        ['small', 1],
        ['unlimited', 0],
      ])
      assert.deepEqual(await plans.change('small', { concurrency: null, filesHours: 0.5 }), {
        ...small,
        concurrency: null,
        filesHours: 0.5,
      })
      assert.deepEqual(await plans.change('small', {}), await plans.find('small'))
      assert.equal(await plans.change('nothing', { concurrency: 1 }), null)
      assert.equal(await plans.remove('small'), 'used')
      await harness.records.transact((tx) => tx.run("UPDATE users SET plan = 'guest' WHERE id = ?", user.id))
      assert.equal(await plans.remove('small'), 'removed')
      assert.equal(await plans.remove('small'), 'unknown')
      assert.equal(await plans.find('small'), null)
    })

    test('what is too old to be asked for is removed', async () => {
      await run({ key: 'k' }, NOON, 1)
      await run({ key: 'k' }, NOON - 401 * DAY, 1)
      await scene.store.expireRecords(NOON)
      assert.equal(await metering.secondsSince('ada', 0), 1)
      assert.equal((await usage('ada', ['day'], 0)).length, 1)
    })
  })
}
