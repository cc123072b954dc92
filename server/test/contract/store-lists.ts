/** The store's contract: lists are newest first, and their totals are what counting would find. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  JOB_STATUSES,
  type Job,
  type JobStatus,
  RECORDS_KEPT,
  TASK_STATUSES,
  type Task,
  type TaskStatus,
} from '../../src/core/task.ts'
import type { Store } from '../../src/ports/store.ts'
import { aJob, aTask, filesOf, NOON } from '../support/records.ts'
import type { Scene } from './store-harness.ts'

const USERS = ['ada', 'bob']
const OPERATIONS = ['convert', 'merge']
const TAGS = ['red', 'blue']
const orNone = <T>(values: readonly T[]): (T | undefined)[] => [undefined, ...values]

export function storeLists(scene: () => Scene): void {
  test('a list is newest first and comes in pages', async () => {
    const { create, store } = scene()
    const times = [3, 1, 2, 2, 5]
    const tasks = times.map((time) => aTask({ createdAt: NOON + time }))
    for (const task of tasks) await create([task])
    const order = [4, 0, 3, 2, 1].map((index) => tasks[index]?.id)
    const pages = await Promise.all([1, 2, 3, 4].map((page) => store.listTasks({ user: 'ada' }, page, 2)))
    assert.deepEqual(
      pages.map((page) => page.docs.map((task) => task.id)),
      [order.slice(0, 2), order.slice(2, 4), order.slice(4), []],
    )
    assert.ok(pages.every((page) => page.total === 5))
  })

  test('a task that waits for a worker knows how many of its lane do so since before it', async () => {
    const { create, happen, take, store } = scene()
    const tasks = ['light', 'heavy', 'light', 'light'].map((lane, time) =>
      aTask({ createdAt: NOON + time, lane: lane as Task['lane'], user: time === 0 ? 'bob' : 'ada' }),
    )
    for (const task of tasks) await create([task])
    const places = async () => Promise.all((await store.tasks(tasks.map(({ id }) => id))).map(store.ahead))
    assert.deepEqual(await places(), [0, 0, 1, 2])
    await happen({ id: tasks[0]?.id ?? '' }, { type: 'started' })
    assert.deepEqual(await places(), [null, 0, 0, 1])
    await take({ id: tasks[2]?.id ?? '' })
    assert.deepEqual(await places(), [null, 0, null, 0])
  })

  test('jobs are found by an operation among their tasks, and by words in the tag, a file name or the id', async () => {
    const { create, happen, store } = scene()
    const make = async (tag: string | null, operation: string, blob: string) => {
      const job = aJob({ tag, createdAt: NOON })
      const task = aTask({ job: job.id, operation })
      await create([task], { job })
      await happen(task, { type: 'started' })
      await happen(task, { type: 'completed', result: filesOf(blob) })
      return job.id
    }
    const sale = await make('Summer 100%_sale', 'convert', 'a "quoted" name')
    const plain = await make(null, 'merge', 'Holiday')
    const found = async (filter: { operation?: string; search?: string; tag?: string }) => {
      const { docs, total } = await store.listJobs({ user: 'ada', ...filter }, 1, 50)
      assert.equal(total, docs.length)
      return docs.map((job) => job.id).sort()
    }
    assert.deepEqual(await found({ operation: 'merge' }), [plain])
    assert.deepEqual(await found({ operation: 'crop' }), [])
    assert.deepEqual(await found({ search: 'SUMMER' }), [sale])
    assert.deepEqual(await found({ search: '0%_S' }), [sale])
    assert.deepEqual(await found({ search: 'r%s' }), [], 'a percent sign is a percent sign')
    assert.deepEqual(await found({ search: 'holi' }), [plain])
    assert.deepEqual(await found({ search: '"quoted"' }), [sale])
    assert.deepEqual(await found({ search: plain }), [plain])
    assert.deepEqual(await found({ search: '' }), [sale, plain].sort())
    assert.deepEqual(await found({ search: 'summer', operation: 'merge' }), [])
    const others = await store.listJobs({ user: 'bob', search: 'summer' }, 1, 50)
    assert.deepEqual(others, { docs: [], total: 0 })
  })

  test('whatever has happened, every filter finds what a search through all records finds', async () => {
    const does = fc.constantFrom(
      'job',
      'task',
      'task',
      'started',
      'completed',
      'failed',
      'canceled',
      'deleted',
      'erase',
      'expire',
    )
    const step = fc.record({
      does,
      which: fc.nat(),
      user: fc.constantFrom(...USERS),
      operation: fc.constantFrom(...OPERATIONS),
      tag: fc.constantFrom(...orNone(TAGS)),
    })
    const { store } = scene()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const seen = { tasks: [] as Task[], jobs: [] as Job[] }
        for (const [index, one] of steps.entries()) await play(scene(), seen, one, NOON + index)
        const tasks = await store.tasks(seen.tasks.map((task) => task.id))
        const jobs = (await Promise.all(seen.jobs.map((job) => store.job(job.id)))).filter((job) => job !== null)
        await compareTasks(store, tasks, seen.jobs.slice(0, 3))
        await compareJobs(store, jobs)
        // The next run starts from nothing.
        await store.expireRecords(NOON + 10 * RECORDS_KEPT)
        assert.equal((await store.listTasks({ user: 'ada' }, 1, 50)).total, 0)
        assert.ok(Object.values(await store.counts()).every((n) => n === 0))
      }),
      { numRuns: 15 },
    )
  })
}

interface Step {
  does: string
  which: number
  user: string
  operation: string
  tag: string | undefined
}

async function play(scene: Scene, seen: { tasks: Task[]; jobs: Job[] }, step: Step, now: number): Promise<void> {
  const { user, operation, which, tag = null } = step
  const task = seen.tasks[which % (seen.tasks.length || 1)]
  const job = seen.jobs[which % (seen.jobs.length || 1)]
  // Some inputs are of the other user or gone; a plan would refuse them, so they are left out here.
  const input = task?.user === user ? await scene.store.task(task.id) : null
  const dependsOn = input && ['created', 'processing', 'completed'].includes(input.status) ? [input.id] : []
  const birth = { user, operation, createdAt: now }
  if (step.does === 'job') {
    const born = aJob({ user, tag, createdAt: now })
    const first = aTask({ ...birth, job: born.id, dependsOn })
    const tasks = [first, aTask({ ...birth, operation: 'convert', job: born.id, dependsOn: [first.id] })]
    await scene.create(tasks, { job: born, now })
    seen.jobs.push(born)
    seen.tasks.push(...tasks)
  } else if (step.does === 'task') {
    const born = aTask({ ...birth, dependsOn })
    await scene.create([born], { now })
    seen.tasks.push(born)
  } else if (step.does === 'erase') {
    if (job) await scene.eraseJob(job, now)
  } else if (step.does === 'expire') {
    await scene.store.expireRecords(NOON + RECORDS_KEPT + (which % 10))
  } else if (task && (step.does === 'started' || step.does === 'canceled' || step.does === 'deleted')) {
    await scene.happen(task, { type: step.does }, now)
  } else if (task && step.does === 'completed') {
    await scene.happen(task, { type: 'completed', result: filesOf(task.id) }, now)
  } else if (task) {
    await scene.happen(task, { type: 'failed', errorCode: 'processing_failed', msg: '' }, now)
  }
}

const newestFirst = (a: Task | Job, b: Task | Job): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
const agrees = (wanted: string | undefined, value: string | null): boolean => wanted === undefined || wanted === value

async function compareTasks(store: Store, all: readonly Task[], jobs: readonly Job[]): Promise<void> {
  const sorted = all.toSorted(newestFirst)
  for (const user of USERS) {
    for (const status of orNone<TaskStatus>(TASK_STATUSES)) {
      for (const operation of orNone(OPERATIONS)) {
        for (const job of orNone(jobs.map((one) => one.id))) {
          const found = await store.listTasks({ user, status, operation, job }, 1, 500)
          const expected = sorted.filter(
            (task) =>
              task.user === user &&
              agrees(status, task.status) &&
              agrees(operation, task.operation) &&
              agrees(job, task.job),
          )
          assert.deepEqual(found, { docs: expected, total: expected.length })
        }
      }
    }
  }
}

async function compareJobs(store: Store, all: readonly Job[]): Promise<void> {
  const sorted = all.toSorted(newestFirst)
  for (const user of USERS) {
    for (const status of orNone<JobStatus>(JOB_STATUSES)) {
      for (const tag of orNone(TAGS)) {
        const found = await store.listJobs({ user, status, tag }, 1, 500)
        const expected = sorted.filter((job) => job.user === user && agrees(status, job.status) && agrees(tag, job.tag))
        assert.deepEqual(found, { docs: expected, total: expected.length })
      }
    }
  }
}
