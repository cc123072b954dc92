import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { aTask } from '../../test/support/records.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { until } from '../../test/support/until.ts'
import { createDiskBlobs } from '../blobs/disk-blobs.ts'
import { createLent } from '../blobs/s3-lent.ts'
import { createMemoryBus } from '../bus/memory-bus.ts'
import type { Engine, Work } from '../catalog/engine.ts'
import { begin } from '../core/change.ts'
import { Failure } from '../core/errors.ts'
import { transition } from '../core/machine.ts'
import type { JsonObject, Task, TaskFile } from '../core/task.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Sandbox } from '../ports/sandbox.ts'
import { createMemoryQueue } from '../queue/memory-queue.ts'
import { openOutput } from '../sandbox/outputs.ts'
import { removeTree } from '../sandbox/remove-tree.ts'
import { migrate } from '../store/schema.ts'
import { createSqlParts } from '../store/sql-parts.ts'
import { createSqlStore } from '../store/sql-store.ts'
import { openSqlite } from '../store/sqlite.ts'
import { createForeman } from './foreman.ts'
import { createPartWorker } from './part-worker.ts'
import { createWorkbenches } from './workbench.ts'

const clock = { now: () => Date.now() }
const quiet = { info() {}, warn() {}, error() {} }
const never = new AbortController().signal

interface Crew {
  workers?: number
  /** How many were seen at the last look. */
  known?: number
}

/** An engine whose parts do what a test wants, with two workers for them on a real store, queue and disk. */
async function createSite(
  folder: string,
  blobs: Blobs,
  part: (work: Work, order: JsonObject) => Promise<string>,
  { workers = 2, known = workers }: Crew = {},
) {
  const database = openSqlite(join(folder, 'reforge.db'))
  await migrate(database)
  // One task at a time and user: the one that waits for its parts.
  const queue = createMemoryQueue({ retryDelay: 1, shareOf: async (_, owner) => (owner === 'ada' ? 1 : null) })
  const store = createSqlStore(database, { queue, bus: createMemoryBus() })
  const parts = createSqlParts(database, { queue, clock })
  let fetched = 0
  // As from a bucket: what is read here has to come first.
  const local = createLent(folder, (blob) => {
    fetched++
    return blobs.read(blob)
  })
  const engine: Engine = { id: 'echo', title: 'Echo', tools: [], can: [], part }
  const workbenches = createWorkbenches({
    ...{ blobs: { local }, removeTree, scratch: folder, limits: { seconds: 1, pixels: 1 } },
    // Nothing of these is asked for by a part that only writes a file.
    ...{ sandbox: {} as Sandbox, ask: async () => assert.fail() },
  })
  const worker = createPartWorker({
    ...{
      parts,
      blobs: { ...blobs, local },
      clock,
      workbenches,
      openOutput,
      transact: database.transact,
      log: quiet,
      timeout: 60_000,
    },
    catalog: { engines: [engine] },
  })
  const consumers = [
    queue.consume(['parts'], 2, (claim) => worker.handle(claim, never)),
    queue.exhausted((claim) => worker.giveUp(claim)),
    queue.consume(
      ['heavy'],
      1,
      (claim) => new Promise((resolve) => claim.signal.addEventListener('abort', () => resolve())),
    ),
  ]
  let seen = known
  const look = async () => {
    seen = workers
  }
  const cluster = { workersFor: () => seen, needsFor: () => null, look }
  const foreman = createForeman({ parts, blobs, cluster, seconds: 60, log: quiet })
  const { blob, size } = await blobs.write([Buffer.from('film ')] as unknown as AsyncIterable<Uint8Array>, {
    most: 100,
  })
  const input: TaskFile = { id: 'f', blob, size, filename: 'film.mp4', format: 'mp4' }
  const task: Task = aTask({ lane: 'heavy', createdAt: clock.now() })
  await store.create({ user: 'ada', inputs: [], now: clock.now(), decide: (inputs) => begin(null, [task], inputs) })
  await store.change(task.id, (slice) => transition(slice, { type: 'started' }, clock.now()))
  const happen = (type: 'canceled' | 'completed') =>
    store.change(task.id, (slice) =>
      transition(slice, type === 'canceled' ? { type } : { type, result: {} }, clock.now()),
    )
  return {
    ...{ parts, foreman, task, happen, folder },
    kept: async () => (await Array.fromAsync(blobs.list())).filter((each) => each.blob !== blob).length,
    fetched: () => fetched,
    depth: async () => (await queue.depth()).parts,
    /** As a hop of the task would. */
    async hand(names: readonly string[], signal = never, progress = (_: number) => {}) {
      const bench = workbenches({ user: 'ada', signal })
      const of = { path: '', format: 'mp4', filename: '', size: 0 } as const
      const work = bench.work({ does: 'convert', inputs: [of], to: 'mp4', options: {}, progress() {}, tell() {} })
      const spread = await foreman.spread(task, engine, input, work)
      const files = await spread?.hand(
        names.map((name) => ({ name })),
        progress,
      )
      return files && Promise.all(files.map((file) => readFile(join(work.dir, file), 'utf8')))
    },
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close())).catch(() => {})
      await database.close()
    },
    stop: () => queue.close(),
  }
}

type Site = Awaited<ReturnType<typeof createSite>>

describe('work in parts', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>
  let blobs: Blobs
  let count = 0
  before(async () => {
    dir = await tempDir()
    blobs = await createDiskBlobs(join(dir.path, 'blobs'))
  })
  after(() => dir.remove())

  async function onSite(
    part: (work: Work, order: JsonObject) => Promise<string>,
    test: (site: Site) => Promise<void>,
    there?: Crew,
  ): Promise<void> {
    const folder = join(dir.path, `site-${count++}`)
    await mkdir(folder)
    const site = await createSite(folder, blobs, part, there)
    try {
      await test(site)
    } finally {
      await site.stop()
      await site.close()
    }
  }
  const echo = async (work: Work, { name }: JsonObject): Promise<string> => {
    await writeFile(join(work.dir, 'made'), (await readFile(work.input.path, 'utf8')) + name)
    return 'made'
  }

  test('is done while the task that waits has its user’s only place, and comes in order', () =>
    onSite(echo, async ({ hand, happen, foreman, task, kept }) => {
      const percents: number[] = []
      assert.deepEqual(await hand(['a', 'b', 'c'], never, (percent) => percents.push(percent)), [
        'film a',
        'film b',
        'film c',
      ])
      assert.equal(percents.at(-1), 100)
      await foreman.end(task.id)
      assert.equal(await kept(), 3, 'the task still runs')
      await happen('completed')
      await foreman.end(task.id)
      assert.equal(await kept(), 0)
    }))

  test('is tried three times, and then fails in the words of the engine', async () => {
    let tries = 0
    const broken = async (work: Work, order: JsonObject): Promise<string> => {
      if (order.name !== 'b') return echo(work, order)
      tries++
      throw new Failure('processing_failed', '"film.mp4" is damaged.')
    }
    await onSite(broken, async ({ hand }) => {
      await assert.rejects(hand(['a', 'b']), /^Failure: Part 2 of 2 failed: "film.mp4" is damaged\.$/)
      assert.equal(tries, 3)
    })
  })

  test('says nothing of an error of ours', () =>
    onSite(
      async () => {
        throw new TypeError('/some/path')
      },
      ({ hand }) => assert.rejects(hand(['a']), /^Failure: Part 1 of 1 failed: there was an error in the service\.$/),
    ))

  test('is taken up where an earlier attempt at the task left it', async () => {
    const done: unknown[] = []
    const gate = Promise.withResolvers<void>()
    const slow = async (work: Work, order: JsonObject): Promise<string> => {
      if (order.name === 'b') await gate.promise
      done.push(order.name)
      return echo(work, order)
    }
    await onSite(slow, async ({ hand, foreman, task, parts }) => {
      const gone = new AbortController()
      const first = assert.rejects(hand(['a', 'b'], gone.signal))
      await until(async () => (await parts.of(task.id)).some(({ end }) => end !== null), 'one part is there')
      gone.abort()
      await first
      await foreman.end(task.id)
      const second = hand(['a', 'b'])
      gate.resolve()
      assert.deepEqual(await second, ['film a', 'film b'])
      assert.deepEqual(done, ['a', 'b'])
    })
  })

  test('ends everywhere with its task', async () => {
    const aborted: unknown[] = []
    let begun = 0
    const endless = (work: Work): Promise<string> => {
      begun += 1
      return new Promise((_, reject) =>
        work.signal.addEventListener('abort', () => {
          aborted.push(work.signal.reason)
          reject(work.signal.reason)
        }),
      )
    }
    await onSite(endless, async ({ hand, happen, foreman, task, depth, parts }) => {
      const canceled = new AbortController()
      const waiting = assert.rejects(hand(['a', 'b', 'c'], canceled.signal))
      await until(() => begun === 2, 'parts run')
      await happen('canceled')
      canceled.abort()
      await waiting
      await foreman.end(task.id)
      await until(async () => aborted.length === 2 && (await depth()).running === 0, 'they are told')
      assert.deepEqual(await depth(), { waiting: 0, running: 0 })
      assert.deepEqual(await parts.of(task.id), [])
    })
  })

  test('fetches what it works on once, however many parts of it a machine does', () =>
    onSite(echo, async ({ hand, fetched }) => {
      await hand(['a', 'b', 'c', 'd', 'e', 'f'])
      assert.equal(fetched(), 1)
    }))

  test('is not for one machine alone', () =>
    onSite(echo, async ({ hand }) => assert.equal(await hand(['a', 'b']), undefined), { workers: 1 }))

  test('is for a worker that has just come', () =>
    onSite(echo, async ({ hand }) => assert.equal((await hand(['a', 'b']))?.length, 2), { known: 1 }))
})
