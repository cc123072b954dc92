/** The store's contract: events are rows, in order, with the records as they were. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hint } from '../../src/ports/bus.ts'
import { aJob, aTask, NOON } from '../support/records.ts'
import type { Scene } from './store-harness.ts'

export function storeEvents(scene: () => Scene): void {
  test('the events of a stream are numbered without gaps, in the order things happened', async () => {
    const { create, happen, store } = scene()
    const job = aJob()
    const first = aTask({ job: job.id, name: 'first' })
    const second = aTask({ job: job.id, name: 'second', dependsOn: [first.id] })
    await create([first, second], { job })
    await happen(first, { type: 'started' }, NOON + 1)
    await happen(first, { type: 'progressed', percent: 40 }, NOON + 2)
    await happen(first, { type: 'completed', result: {} }, NOON + 3)
    await happen(second, { type: 'started' }, NOON + 4)
    await happen(second, { type: 'completed', result: {} }, NOON + 5)
    const events = await store.events(job.id, 0)
    assert.deepEqual(
      events.map((event) => [event.seq, event.type, event.at - NOON]),
      [
        [1, 'job_created', 0],
        [2, 'task_created', 0],
        [3, 'task_created', 0],
        [4, 'job_started', 1],
        [5, 'task_started', 1],
        [6, 'task_min_update', 2],
        [7, 'task_completed', 3],
        [8, 'task_started', 4],
        [9, 'task_completed', 5],
        [10, 'job_completed', 5],
      ],
    )
    assert.deepEqual(await store.events(job.id, 7), events.slice(7))
    assert.ok(events.every((event) => event.stream === job.id && event.user === 'ada'))
  })

  test('numbers have no gaps either when many things happen at once', async () => {
    const { create, happen, store } = scene()
    const job = aJob()
    const tasks = Array.from({ length: 25 }, () => aTask({ job: job.id }))
    await create(tasks, { job })
    await Promise.all(tasks.map((task) => happen(task, { type: 'started' })))
    await Promise.all(tasks.map((task) => happen(task, { type: 'completed', result: {} })))
    const events = await store.events(job.id, 0)
    assert.deepEqual(
      events.map((event) => event.seq),
      events.map((_, index) => index + 1),
    )
    assert.equal(events.length, 1 + 25 + 1 + 25 + 25 + 1)
    assert.equal(events.at(-1)?.type, 'job_completed')
  })

  test('an event keeps the record as it was, and one of a job all its tasks, without secrets', async () => {
    const { create, happen, store } = scene()
    const job = aJob()
    const first = aTask({ job: job.id, name: 'first', sealed: 'secret' })
    const second = aTask({ job: job.id, name: 'second', sealed: 'secret' })
    await create([first, second], { job })
    await happen(first, { type: 'started' }, NOON + 1)
    await happen(second, { type: 'failed', errorCode: 'processing_failed', msg: 'broken' }, NOON + 2)
    const events = await store.events(job.id, 0)
    const told = events.map((event) =>
      'task' in event
        ? [event.type, event.task.name, event.task.status]
        : [event.type, event.job.status, ...event.tasks.map((task) => `${task.name} ${task.status}`)],
    )
    assert.deepEqual(told, [
      ['job_created', 'created', 'first created', 'second created'],
      ['task_created', 'first', 'created'],
      ['task_created', 'second', 'created'],
      ['job_started', 'processing', 'first processing', 'second created'],
      ['task_started', 'first', 'processing'],
      ['task_failed', 'second', 'failed'],
      ['job_failed', 'failed', 'first processing', 'second failed'],
    ])
    assert.equal(JSON.stringify(events).includes('secret'), false)
    assert.equal((await store.task(first.id))?.sealed, 'secret')
  })

  test('the end of a deleted job is told with the tasks it had, at the time of the deletion', async () => {
    const { create, eraseJob, store } = scene()
    const job = aJob()
    await create([aTask({ job: job.id, name: 'only' })], { job })
    await eraseJob(job, NOON + 9)
    const last = (await store.events(job.id, 0)).at(-1)
    assert.ok(last?.type === 'job_deleted')
    assert.equal(last.at, NOON + 9)
    assert.deepEqual(
      last.tasks.map((task) => task.name),
      ['only'],
    )
  })

  test('a hint names each stream and its first new event, when they can be read', async () => {
    const { create, happen, store, bus } = scene()
    const job = aJob()
    const root = aTask()
    await create([root])
    const inside = aTask({ job: job.id, dependsOn: [root.id] })
    await create([inside], { job })
    const heard: (Hint & { read: Promise<string[]> })[] = []
    bus.subscribe((hint) => {
      const read = store.events(hint.stream, hint.from - 1).then((events) => events.map((event) => event.type))
      heard.push({ ...hint, read })
    })
    await happen(root, { type: 'canceled' })
    const told = await Promise.all(heard.map(async ({ stream, from, read }) => ({ stream, from, types: await read })))
    assert.deepEqual(
      told.toSorted((a, b) => a.from - b.from),
      [
        { stream: root.id, from: 2, types: ['task_canceled'] },
        { stream: job.id, from: 3, types: ['task_failed', 'job_failed'] },
      ],
    )
  })
}
