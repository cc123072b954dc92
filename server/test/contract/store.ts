/** What every store must do, whatever database is below it. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { begin } from '../../src/core/change.ts'
import { type Happening, taken, transition } from '../../src/core/machine.ts'
import type { Hint } from '../../src/ports/bus.ts'
import { AlreadyAnswered } from '../../src/ports/store.ts'
import { aJob, aTask, filesOf, NOON } from '../support/records.ts'
import { until } from '../support/until.ts'
import { storeEvents } from './store-events.ts'
import { type Scene, type StoreHarness, sceneOf } from './store-harness.ts'
import { storeLists } from './store-lists.ts'
import { storeRaces } from './store-races.ts'
import { storeRetention } from './store-retention.ts'

export function storeContract(name: string, open: () => Promise<StoreHarness>): void {
  describe(`a store in ${name}`, () => {
    let scene: Scene
    beforeEach(async () => {
      scene = sceneOf(await open())
    })
    afterEach(() => scene.close())
    const current = () => scene

    storeEvents(current)
    storeLists(current)
    storeRaces(current)
    storeRetention(current)

    test('a record comes back as it was written', async () => {
      const job = aJob({ tag: 'tag', webhookUrl: 'https://example.org/hook' })
      const task = aTask({ job: job.id, payload: { a: [1, 'ü', null] }, sealed: 'secret', priority: 3, waits: true })
      const [written] = await scene.create([task], { job })
      assert.deepEqual(await scene.store.task(task.id), written)
      assert.deepEqual(await scene.store.job(job.id), { ...job, open: 1 })
      assert.equal(await scene.store.task('nobody'), null)
      assert.equal(await scene.store.job('nobody'), null)
    })

    test('tasks come in the order they are asked for, and those of a job in the order they were written', async () => {
      const job = aJob()
      const tasks = ['c', 'a', 'b'].map((name) => aTask({ job: job.id, name })).toReversed()
      await scene.create(tasks, { job })
      const ids = tasks.map((task) => task.id)
      assert.deepEqual(
        (await scene.store.tasksOf(job.id)).map((task) => task.id),
        ids,
      )
      const asked = [ids[2], 'nobody', ids[0]].map(String)
      assert.deepEqual(
        (await scene.store.tasks(asked)).map((task) => task.id),
        [ids[2], ids[0]],
      )
    })

    test('what is ready is on offer with the transaction that made it so', async () => {
      const first = aTask()
      const second = aTask({ dependsOn: [first.id] })
      await scene.create([first, second])
      assert.equal(await scene.waiting(), 1)
      await scene.happen(first, { type: 'started' })
      await scene.happen(first, { type: 'completed', result: {} })
      assert.equal(await scene.waiting(), 2)
    })

    test('who takes a task is written down and not told, and what has ended or gone is not to be had', async () => {
      const [task, ended] = [aTask(), aTask()]
      await scene.create([task, ended])
      await scene.happen(ended, { type: 'canceled' })
      const hints: Hint[] = []
      scene.bus.subscribe((hint) => hints.push(hint))
      const before = (await scene.store.task(task.id))!
      const ours = taken(before, { bytes: 9, format: 'png' }, NOON + 7)
      assert.equal(await scene.store.take(ours), true)
      assert.deepEqual(await scene.store.task(task.id), ours)
      assert.equal(await scene.store.take(ours), true)
      assert.equal((await scene.store.task(task.id))?.attempts, 2)
      assert.equal(await scene.take(ended), false)
      assert.equal(await scene.store.take({ ...ours, id: aTask().id }), false)
      assert.equal((await scene.store.task(ended.id))?.attempts, 0)
      assert.deepEqual(hints, [])
      assert.equal((await scene.store.events(task.id, 0)).length, 1)
    })

    test('nothing of a creation that fails stays behind', async () => {
      const task = aTask()
      const hints: Hint[] = []
      scene.bus.subscribe((hint) => hints.push(hint))
      const broken = scene.store.create({
        user: 'ada',
        inputs: [],
        decide: (inputs) => begin(null, [task, aTask({ id: task.id })], inputs),
        now: NOON,
      })
      await assert.rejects(broken)
      assert.equal(await scene.store.task(task.id), null)
      assert.deepEqual(await scene.store.events(task.id, 0), [])
      assert.deepEqual(await scene.store.counts(), {})
      assert.equal(await scene.waiting(), 0)
      assert.deepEqual(hints, [])
    })

    test('nothing of a change stays behind when what must happen with it fails', async () => {
      const task = aTask()
      const next = aTask({ dependsOn: [task.id] })
      const [before] = await scene.create([task, next])
      const hints: Hint[] = []
      scene.bus.subscribe((hint) => hints.push(hint))
      const refused = scene.store.change(
        task.id,
        (slice) => transition(slice, { type: 'completed', result: filesOf('blob') }, NOON),
        async () => {
          throw new Error('claim lost')
        },
      )
      await assert.rejects(refused, /claim lost/)
      assert.deepEqual(await scene.store.task(task.id), before)
      assert.equal((await scene.store.events(task.id, 0)).length, 1)
      assert.equal((await scene.store.blobsInUse(['blob'])).size, 0)
      assert.equal(await scene.waiting(), 1)
      assert.deepEqual(hints, [])
    })

    test('a worker reports any end of its task in the transaction that settles its claim', async () => {
      const ends: Happening[] = [
        { type: 'completed', result: {} },
        { type: 'failed', errorCode: 'processing_failed', msg: 'broken' },
      ]
      for (const end of ends) {
        const task = aTask()
        await scene.create([task])
        const consumer = scene.queue.consume(['light'], 1, async (claim) => {
          await scene.store.change(
            claim.id,
            (slice) => transition(slice, end, NOON),
            (tx) => claim.settle(tx),
          )
        })
        await until(async () => (await scene.store.task(task.id))?.status === end.type, 'the end was recorded')
        await consumer.close()
        assert.deepEqual((await scene.queue.depth()).light, { waiting: 0, running: 0 })
      }
    })

    test('what goes with a change is written with it', async () => {
      const task = aTask()
      await scene.create([task])
      let seen: unknown
      await scene.store.change(
        task.id,
        (slice) => transition(slice, { type: 'started' }, NOON),
        async (tx) => {
          seen = await tx.all('SELECT status FROM tasks WHERE id = ?', task.id).then(([row]) => row?.status)
          assert.equal((await scene.store.task(task.id))?.status, 'created')
        },
      )
      assert.equal(seen, 'processing')
      assert.equal((await scene.store.task(task.id))?.status, 'processing')
    })

    test('a task that is not there, and a happening that changes nothing, are null', async () => {
      const task = aTask()
      await scene.create([task])
      assert.equal(await scene.happen({ id: 'nobody' }, { type: 'started' }), null)
      assert.equal(await scene.eraseJob({ id: 'nobody' }), null)
      await scene.happen(task, { type: 'canceled' })
      assert.equal(await scene.happen(task, { type: 'completed', result: {} }), null)
    })

    test('a decision gets the inputs that exist and belong to the user', async () => {
      const own = aTask()
      const other = aTask({ user: 'bob' })
      await scene.create([own])
      await scene.create([other])
      let given: string[] = []
      await scene.store.create({
        user: 'ada',
        inputs: [own.id, other.id, 'nobody'],
        decide: (inputs) => {
          given = [...inputs.keys()]
          return begin(null, [], inputs)
        },
        now: NOON,
      })
      assert.deepEqual(given, [own.id])
    })

    test('of many who create with the same key one does, and the others get its answer', async () => {
      const tasks = Array.from({ length: 20 }, () => aTask())
      const outcomes = await Promise.allSettled(
        tasks.map((task) => {
          const answer = { key: 'key', of: () => ({ fingerprint: 'f', status: 201, body: task.id }) }
          return scene.create([task], { answer })
        }),
      )
      const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
      assert.equal(made.length, 1)
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue
        assert.ok(outcome.reason instanceof AlreadyAnswered)
        assert.equal(outcome.reason.answer.body, made[0]?.id)
      }
      assert.equal((await scene.store.listTasks({ user: 'ada' }, 1, 50)).total, 1)
      assert.equal(await scene.waiting(), 1)
      assert.deepEqual(await scene.store.answer('ada', 'key'), { fingerprint: 'f', status: 201, body: made[0]?.id })
      assert.equal(await scene.store.answer('bob', 'key'), null)
    })

    test('of a hundred who end a task one does, and everything that follows happens once', async () => {
      const task = aTask()
      const next = aTask({ dependsOn: [task.id] })
      await scene.create([task, next])
      await scene.happen(task, { type: 'started' })
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          scene.happen(
            task,
            index % 2 ? { type: 'completed', result: {} } : { type: 'failed', errorCode: 'processing_failed', msg: '' },
          ),
        ),
      )
      assert.equal(results.filter((result) => result !== null).length, 1)
      assert.equal((await scene.store.events(task.id, 0)).length, 3)
      const counts = await scene.store.counts()
      assert.equal(
        Object.values(counts).reduce((sum, n) => sum + n, 0),
        2,
      )
    })

    test('many inputs that complete at once free what waits for all of them, once', async () => {
      const inputs = Array.from({ length: 30 }, () => aTask())
      const last = aTask({ dependsOn: inputs.map((task) => task.id) })
      const { waitingFor } = (await scene.create([...inputs, last])).at(-1) ?? {}
      assert.equal(waitingFor, 30)
      const written = await Promise.all(inputs.map((task) => scene.happen(task, { type: 'completed', result: {} })))
      assert.equal(written.filter((one) => one?.change.offer.length === 1).length, 1)
      assert.equal((await scene.store.task(last.id))?.waitingFor, 0)
      assert.equal(await scene.waiting(), 31)
    })

    test('what hangs on a task, directly or through others and in other jobs, falls with it', async () => {
      const jobs = [aJob(), aJob()]
      const root = aTask({ job: jobs[0]?.id })
      const middle = aTask({ job: jobs[0]?.id, dependsOn: [root.id] })
      await scene.create([root, middle], { job: jobs[0] })
      const far = aTask({ job: jobs[1]?.id, dependsOn: [middle.id] })
      const apart = aTask({ job: jobs[1]?.id })
      await scene.create([far, apart], { job: jobs[1] })
      const alone = aTask({ dependsOn: [far.id] })
      await scene.create([alone])
      await scene.happen(root, { type: 'failed', errorCode: 'processing_failed', msg: 'broken' })
      const tasks = await scene.store.tasks([root, middle, far, apart, alone].map((task) => task.id))
      assert.deepEqual(
        tasks.map((task) => task.status),
        ['failed', 'failed', 'failed', 'created', 'failed'],
      )
      for (const job of jobs) assert.equal((await scene.store.job(job.id))?.status, 'failed')
    })

    test('a deletion frees the blobs that nobody else names', async () => {
      const [one, two, three] = [aTask(), aTask(), aTask()]
      for (const task of [one, two, three]) await scene.create([task])
      await scene.happen(one, { type: 'completed', result: filesOf('own', 'own', 'shared') })
      await scene.happen(two, { type: 'completed', result: filesOf('shared') })
      const written = await scene.happen(one, { type: 'deleted' })
      assert.deepEqual(written?.freed, ['own'])
      assert.deepEqual(await scene.store.blobsInUse(['own', 'shared']), new Set(['shared']))
      assert.deepEqual((await scene.happen(two, { type: 'deleted' }))?.freed, ['shared'])
      assert.deepEqual((await scene.happen(three, { type: 'deleted' }))?.freed, [])
      assert.deepEqual(await scene.store.tasks([one.id, two.id, three.id]), [])
      assert.equal(await scene.waiting(), 2)
    })

    test('a job goes with its tasks, files and offers', async () => {
      const job = aJob()
      const tasks = [aTask({ job: job.id }), aTask({ job: job.id })]
      await scene.create(tasks, { job })
      const outside = aTask({ dependsOn: [tasks[1]?.id ?? ''] })
      await scene.create([outside])
      await scene.happen(tasks[0] ?? job, { type: 'completed', result: filesOf('a', 'b') })
      const written = await scene.eraseJob(job)
      assert.deepEqual(written?.freed.toSorted(), ['a', 'b'])
      assert.equal(await scene.store.job(job.id), null)
      assert.deepEqual(await scene.store.tasksOf(job.id), [])
      assert.equal((await scene.store.task(outside.id))?.status, 'failed')
      assert.deepEqual(await scene.store.counts().then(({ failed, created }) => ({ failed, created: created ?? 0 })), {
        failed: 1,
        created: 0,
      })
    })

    test('after a restart everything is there, and what was ready or running is ready', async () => {
      const [waiting, running, done, upload] = [
        aTask({ priority: 2 }),
        aTask({ lane: 'heavy' }),
        aTask(),
        aTask({ waits: true }),
      ]
      const later = aTask({ dependsOn: [running.id] })
      await scene.create([waiting, running, done, upload, later])
      await scene.happen(running, { type: 'started' })
      await scene.happen(done, { type: 'completed', result: filesOf('blob') })
      const before = await scene.store.listTasks({ user: 'ada' }, 1, 50)
      scene = sceneOf(await scene.restart())
      assert.deepEqual(await scene.store.listTasks({ user: 'ada' }, 1, 50), before)
      assert.deepEqual(await scene.store.ready(), [
        { id: waiting.id, lane: 'light', owner: 'ada', priority: 2, attempts: 0 },
        { id: running.id, lane: 'heavy', owner: 'ada', priority: 0, attempts: 1 },
      ])
      assert.equal((await scene.store.events(running.id, 0)).length, 2)
      assert.deepEqual(await scene.store.blobsInUse(['blob']), new Set(['blob']))
    })
  })
}
