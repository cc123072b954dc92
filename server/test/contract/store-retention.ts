/** The store's contract: "Files of any task are deleted 4 hours after task creation; records are removed 24 hours after creation." */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILES_KEPT, RECORDS_KEPT } from '../../src/core/task.ts'
import { aJob, aTask, filesOf, NOON } from '../support/records.ts'
import type { Scene } from './store-harness.ts'

export function storeRetention(scene: () => Scene): void {
  test('files are let go when their time is over, and freed when nobody else names them', async () => {
    const { create, happen, store } = scene()
    const old = aTask()
    const young = aTask({ createdAt: NOON + 1000 })
    await create([old])
    await create([young])
    await happen(old, { type: 'completed', result: filesOf('own', 'shared') })
    await happen(young, { type: 'completed', result: filesOf('shared') })
    assert.deepEqual(await store.expireFiles(NOON + FILES_KEPT - 1), [])
    assert.deepEqual(await store.expireFiles(NOON + FILES_KEPT), ['own'])
    assert.deepEqual(await store.expireFiles(NOON + FILES_KEPT), [])
    assert.deepEqual(await store.expireFiles(NOON + FILES_KEPT + 1000), ['shared'])
    assert.equal((await store.task(old.id))?.result?.files?.length, 2)
  })

  test('records go with their events, answers and offers when their time is over, without a word', async () => {
    const { create, happen, store, bus, waiting } = scene()
    const job = aJob()
    const inside = aTask({ job: job.id })
    const alone = aTask()
    const young = aTask({ createdAt: NOON + 1000 })
    const answer = { key: 'key', of: () => ({ fingerprint: 'f', status: 201, body: '{}' }) }
    await create([inside], { job, answer })
    await create([alone])
    await create([young], { now: NOON + 1000 })
    await happen(alone, { type: 'completed', result: filesOf('blob') }, NOON + 500)
    await happen(inside, { type: 'started' }, NOON + 500)
    let hints = 0
    bus.subscribe(() => hints++)
    assert.deepEqual(await store.expireRecords(NOON + RECORDS_KEPT - 1), [])
    assert.equal((await store.tasks([inside.id, alone.id])).length, 2)
    assert.deepEqual(await store.expireRecords(NOON + RECORDS_KEPT), ['blob'])
    assert.deepEqual(await store.tasks([inside.id, alone.id]), [])
    assert.equal(await store.job(job.id), null)
    assert.equal(await store.answer('ada', 'key'), null)
    assert.deepEqual([...(await store.events(job.id, 0)), ...(await store.events(alone.id, 0))], [])
    assert.equal((await store.listTasks({ user: 'ada' }, 1, 50)).total, 1)
    assert.equal((await store.listJobs({ user: 'ada' }, 1, 50)).total, 0)
    assert.equal((await store.events(young.id, 0)).length, 1)
    // The queue also held `alone`, which no worker settled here.
    assert.equal(await waiting(), 2)
    assert.equal(hints, 0)
  })

  test('events outlive a deleted record until their own time is over', async () => {
    const { create, happen, store } = scene()
    const task = aTask()
    await create([task])
    await happen(task, { type: 'deleted' }, NOON + 1000)
    await store.expireRecords(NOON + RECORDS_KEPT)
    assert.deepEqual(
      (await store.events(task.id, 0)).map((event) => event.type),
      ['task_deleted'],
    )
    await store.expireRecords(NOON + RECORDS_KEPT + 1000)
    assert.deepEqual(await store.events(task.id, 0), [])
  })

  test('more than one batch is removed in one go', async () => {
    const { create, happen, store } = scene()
    const tasks = Array.from({ length: 600 }, () => aTask({ waits: true }))
    const blobs = tasks.map((task) => `blob of ${task.id}`)
    await create(tasks)
    // A few at a time: a slow disk is no reason to wait for a connection until patience ends.
    const left = tasks.entries()
    const some = async () => {
      for (const [index, task] of left) await happen(task, { type: 'completed', result: filesOf(blobs[index] ?? '') })
    }
    await Promise.all([some(), some(), some(), some()])
    const freed = await store.expireFiles(NOON + FILES_KEPT)
    assert.deepEqual(freed.toSorted(), blobs.toSorted())
    await store.expireRecords(NOON + RECORDS_KEPT)
    assert.equal((await store.listTasks({ user: 'ada' }, 1, 50)).total, 0)
    assert.deepEqual(await store.tasks(tasks.map((task) => task.id)), [])
  })

  test('everything of one user goes, and nothing of another, whose files stay', async () => {
    const { create, happen, store, waiting } = scene()
    const job = aJob()
    const [inside, alone, hers] = [aTask({ job: job.id }), aTask(), aTask({ user: 'eve' })]
    await create([inside], { job })
    await create([alone])
    await create([hers])
    await happen(alone, { type: 'completed', result: filesOf('own', 'shared') })
    await happen(hers, { type: 'completed', result: filesOf('shared') })
    const before = await waiting()
    assert.deepEqual(await store.removeOf('ada'), ['own'])
    assert.equal(await waiting(), before - 1, 'what had not begun is not on offer any more')
    assert.equal(await store.job(job.id), null)
    assert.deepEqual(
      (await store.tasks([inside.id, alone.id, hers.id])).map(({ id }) => id),
      [hers.id],
    )
    assert.deepEqual(await store.events(job.id, 0), [])
    assert.equal((await store.listTasks({ user: 'ada' }, 1, 50)).total, 0)
    assert.deepEqual(await store.removeOf('ada'), [])
  })

  test('uploads that have waited too long are found, others are not', async () => {
    const { create, happen, store } = scene()
    const [stale, ended, fresh] = [NOON, NOON, NOON + 1000].map((createdAt) => aTask({ createdAt, waits: true }))
    assert.ok(stale && ended && fresh)
    for (const task of [stale, ended, fresh, aTask()]) await create([task])
    await happen(ended, { type: 'completed', result: {} })
    assert.deepEqual(await store.staleUploads(NOON + 1000), [stale.id])
  })
}
