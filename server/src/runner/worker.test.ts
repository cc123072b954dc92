import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Type } from 'typebox'
import { aTask } from '../../test/support/records.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { until } from '../../test/support/until.ts'
import { createDiskBlobs } from '../blobs/disk-blobs.ts'
import { createMemoryBus } from '../bus/memory-bus.ts'
import { begin } from '../core/change.ts'
import { Failure } from '../core/errors.ts'
import { taken, transition } from '../core/machine.ts'
import { createSealer } from '../core/secret.ts'
import { hasEnded, type Task } from '../core/task.ts'
import { createCluster } from '../operations/cluster.ts'
import { operation, type RunContext } from '../operations/operation.ts'
import { createMemoryQueue } from '../queue/memory-queue.ts'
import { migrate } from '../store/schema.ts'
import { createSqlMetering } from '../store/sql-metering.ts'
import { createSqlStore } from '../store/sql-store.ts'
import { openSqlite } from '../store/sqlite.ts'
import { startWorker, type WorkerDeps } from './worker.ts'

const capacity = { io: 1, light: 2, heavy: 1, parts: 0 }
const self = { id: 'n', role: 'all', version: '1', name: 'n', abilities: [], capacity, startedAt: 0 } as const
const clock = { now: () => Date.now() }
const quiet = { info() {}, warn() {}, error() {} }

/** A worker on a real store and queue, with operations that do what a test wants. */
async function createShop(
  folder: string,
  run: (context: RunContext) => Promise<{ files: [] }>,
  taskTimeout = 60_000,
  cluster: WorkerDeps['cluster'] = createCluster({ nodes: null, self, engines: [], clock, failed: assert.ifError }),
  beforeStart: (task: string) => Promise<unknown> = async () => {},
) {
  const database = openSqlite(join(folder, 'reforge.db'))
  await migrate(database)
  const queue = createMemoryQueue({ retryDelay: 1 })
  const store = createSqlStore(database, { queue, bus: createMemoryBus() })
  const made = operation({ name: 'convert', summary: '', lane: 'light', inputs: [0, 1], params: Type.Object({}), run })
  const metering = createSqlMetering(database)
  const left = await store.ready()
  await database.transact((tx) => queue.offer(tx, left))
  const worker = startWorker({
    store,
    transact: database.transact,
    queue,
    clock,
    taskTimeout,
    maxFileSize: 1000,
    metering: {
      used: metering.used,
      // The last that is asked for before the task begins.
      async terms(user, key) {
        for (const { id } of (await store.listTasks({ user }, 1, 10)).docs) await beforeStart(id)
        return metering.terms(user, key)
      },
    },
    blobs: await createDiskBlobs(join(folder, 'blobs')),
    sealer: createSealer(randomBytes(32)),
    operations: new Map([['convert', made]]),
    cluster,
    log: quiet,
    capacity,
    // Only what these operations look at.
    contexts: ({ task, params, signal, progress }) => ({
      context: { task, params, signal, progress } as unknown as RunContext,
      end: async () => {},
    }),
    parts: { handle: async () => assert.fail(), giveUp: async () => assert.fail() },
  })
  return {
    store,
    async submit(more: Partial<Task> = {}): Promise<Task> {
      const task = aTask({ createdAt: Date.now(), ...more })
      await store.create({
        user: task.user,
        inputs: [],
        now: clock.now(),
        decide: (inputs) => begin(null, [task], inputs),
      })
      return task
    },
    async ended(task: Task): Promise<Task> {
      await until(async () => hasEnded((await store.task(task.id))?.status ?? 'deleted'), 'the task has ended')
      return (await store.task(task.id)) ?? task
    },
    cancel: (task: Task) => store.change(task.id, (slice) => transition(slice, { type: 'canceled' }, clock.now())),
    async close(grace = 1000) {
      await worker.stop(grace)
      await queue.close()
      await store.close()
      await database.close()
    },
  }
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<{ files: [] }>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

describe('the worker', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>
  before(async () => {
    dir = await tempDir()
  })
  after(() => dir.remove())
  const shop = async (run: (context: RunContext) => Promise<{ files: [] }>, timeout?: number) => {
    const path = await mkdtemp(join(dir.path, 'shop-'))
    return { path, ...(await createShop(path, run, timeout)) }
  }

  test('hands a task that only another release knows to a node of it, and fails it in words where there is none', async () => {
    const newer = { ...self, id: 'm', role: 'worker', abilities: ['op_of_tomorrow'], seenAt: Date.now() } as const
    // It comes after we have looked, and before we look again by ourselves.
    let there: (typeof newer)[] = []
    const nodes = { beat: async () => {}, live: async () => there, leave: async () => {}, forget: async () => {} }
    const cluster = createCluster({ nodes, self, engines: [], clock, failed: assert.ifError })
    const leave = await cluster.join()
    there = [newer]
    const path = await mkdtemp(join(dir.path, 'shop-'))
    const beside = await createShop(path, async () => ({ files: [] }), undefined, cluster)
    const task = await beside.submit({ operation: 'of/tomorrow' })
    const now = () => beside.store.task(task.id)
    await until(async () => (await now())?.needs === 'op_of_tomorrow', 'it waits for the other')
    assert.equal((await now())?.status, 'created')
    assert.deepEqual(await beside.store.needing(Date.now() + 1), [
      { id: task.id, lane: 'light', needs: 'op_of_tomorrow' },
    ])
    await beside.close()
    await leave()

    const alone = await shop(async () => ({ files: [] }))
    const failed = await alone.ended(await alone.submit({ operation: 'of/tomorrow' }))
    assert.match(failed.result?.msg ?? '', /of\/tomorrow is not available/)
    await alone.close()
  })

  test('runs a task and completes it', async () => {
    const { submit, ended, close } = await shop(async () => ({ files: [] }))
    const task = await ended(await submit())
    assert.equal(task.status, 'completed')
    assert.equal(task.attempts, 1)
    await close()
  })

  test('a Failure becomes the words of the failed task', async () => {
    const { submit, ended, close } = await shop(async () => {
      throw new Failure('invalid_credentials', 'The key was not accepted.', 'inner words')
    })
    const task = await ended(await submit())
    assert.deepEqual(task.result, { errorCode: 'invalid_credentials', msg: 'The key was not accepted.' })
    await close()
  })

  test('an error of our own fails the task without its details', async () => {
    const { submit, ended, close } = await shop(async () => {
      throw new TypeError('secret path /home/x')
    })
    const task = await ended(await submit())
    assert.equal(task.result?.errorCode, 'processing_failed')
    assert.doesNotMatch(task.result?.msg ?? '', /secret|TypeError/)
    await close()
  })

  test('a cancel stops the running operation', async () => {
    let stopped = false
    const { store, submit, cancel, close } = await shop(({ signal }) =>
      untilAborted(signal).finally(() => {
        stopped = true
      }),
    )
    const task = await submit()
    await until(async () => (await store.task(task.id))?.status === 'processing', 'it runs')
    await cancel(task)
    await until(() => stopped, 'the operation was stopped')
    assert.equal((await store.task(task.id))?.status, 'canceled')
    await close()
  })

  test('what ended while the worker was about to begin is not begun, and keeps nobody waiting', async () => {
    const path = await mkdtemp(join(dir.path, 'shop-'))
    let cancel: ((task: Task) => Promise<unknown>) | null = null
    const seen: string[] = []
    const made = await createShop(
      path,
      async ({ task }) => {
        seen.push(task.id)
        return { files: [] }
      },
      undefined,
      undefined,
      async (id) => cancel?.({ id } as Task),
    )
    cancel = made.cancel
    const early = await made.ended(await made.submit())
    assert.equal(early.status, 'canceled')
    assert.equal(early.startedAt, null)
    assert.equal(early.attempts, 0)
    cancel = null
    const next = await made.ended(await made.submit())
    assert.equal(next.status, 'completed')
    assert.deepEqual(seen, [next.id])
    await made.close()
  })

  test('a task that takes longer than allowed fails with engine_timeout', async () => {
    const { submit, ended, close } = await shop(({ signal }) => untilAborted(signal), 50)
    assert.equal((await ended(await submit())).result?.errorCode, 'engine_timeout')
    await close()
  })

  test('a task that does not finish while the server stops runs again after the next start, and it does not count', async () => {
    const first = await shop(({ signal }) => untilAborted(signal))
    const task = await first.submit()
    await until(async () => (await first.store.task(task.id))?.status === 'processing', 'it runs')
    await first.close(0)
    const second = await createShop(first.path, async () => ({ files: [] }))
    const done = await second.ended(task)
    assert.equal(done.status, 'completed')
    assert.equal(done.attempts, 1)
    await second.close()
  })

  test('a task that lasts is told as begun while it runs, one that does not together with its end', async () => {
    const { promise: finish, resolve } = Promise.withResolvers<void>()
    const one = await shop(async ({ task }) => {
      if (task.name === 'slow') await finish
      return { files: [] }
    })
    const slow = await one.submit({ name: 'slow' })
    await until(async () => (await one.store.task(slow.id))?.status === 'processing', 'the task has begun')
    const { startedAt, takenAt, attempts } = (await one.store.task(slow.id))!
    assert.deepEqual([startedAt, attempts], [takenAt, 1])
    const quick = await one.submit({ name: 'quick' })
    await one.ended(quick)
    resolve()
    await one.ended(slow)
    for (const { id } of [slow, quick]) {
      const told = await one.store.events(id, 0)
      assert.deepEqual(
        told.map(({ type }) => type),
        ['task_created', 'task_started', 'task_completed'],
      )
      const [, start, end] = told
      assert.equal(start?.at === end?.at, id === quick.id)
    }
    await one.close()
  })

  test('a task that was interrupted three times is given up with a clear message', async () => {
    const one = await shop(async () => ({ files: [] }))
    await one.close()
    const database = openSqlite(join(one.path, 'reforge.db'))
    const store = createSqlStore(database, { queue: createMemoryQueue(), bus: createMemoryBus() })
    const task = aTask({ createdAt: Date.now() })
    await store.create({
      user: task.user,
      inputs: [],
      now: Date.now(),
      decide: (inputs) => begin(null, [task], inputs),
    })
    // Three starts without an end: what three crashes leave behind.
    let lost = task
    for (let crash = 0; crash < 3; crash++) {
      lost = taken(lost, { bytes: 0, format: null }, Date.now())
      await store.take(lost)
    }
    await store.close()
    await database.close()
    const next = await createShop(one.path, async () => ({ files: [] }))
    const ended = await next.ended(task)
    assert.equal(ended.status, 'failed')
    assert.equal(ended.result?.errorCode, 'engine_timeout')
    assert.match(ended.result?.msg ?? '', /interrupted 3 times/)
    await next.close()
  })
})
