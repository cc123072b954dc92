/** What the parts of the store's contract share: a store with its queue and bus, and short ways to make things happen. */
import { begin } from '../../src/core/change.ts'
import { erase, type Happening, type Takes, taken, transition } from '../../src/core/machine.ts'
import type { Job, Task } from '../../src/core/task.ts'
import type { Bus } from '../../src/ports/bus.ts'
import type { Queue } from '../../src/ports/queue.ts'
import type { Tx } from '../../src/ports/sql.ts'
import type { Creation, Store } from '../../src/ports/store.ts'
import { NOON } from '../support/records.ts'

export interface StoreHarness {
  store: Store
  queue: Queue
  bus: Bus
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Ends the process, so to speak, and starts another on the same records. */
  restart(): Promise<StoreHarness>
  close(): Promise<void>
}

export interface Scene extends StoreHarness {
  create(tasks: readonly Task[], more?: { job?: Job; answer?: Creation['answer']; now?: number }): Promise<Task[]>
  happen(task: Pick<Task, 'id'>, happening: Happening, now?: number): ReturnType<Store['change']>
  /** As a worker does it. */
  take(task: Pick<Task, 'id'>, now?: number, takes?: Takes): Promise<boolean>
  eraseJob(job: Pick<Job, 'id'>, now?: number): ReturnType<Store['changeJob']>
  /** How many tasks wait in all lanes. */
  waiting(): Promise<number>
}

export function sceneOf(harness: StoreHarness): Scene {
  const { store, queue } = harness
  return {
    ...harness,
    async create(tasks, { job, answer, now = NOON } = {}) {
      const user = tasks[0]?.user ?? job?.user ?? ''
      const own = new Set(tasks.map((task) => task.id))
      const inputs = tasks.flatMap((task) => task.dependsOn).filter((id) => !own.has(id))
      const decide: Creation['decide'] = (found) => begin(job ?? null, tasks, found)
      return [...(await store.create({ user, inputs, decide, answer, now })).tasks]
    },
    happen: (task, happening, now = NOON) => store.change(task.id, (slice) => transition(slice, happening, now)),
    async take({ id }, now = NOON, takes = { bytes: 0, format: null }) {
      const found = await store.task(id)
      return found !== null && store.take(taken(found, takes, now))
    },
    eraseJob: (job, now = NOON) => store.changeJob(job.id, (found, slice) => erase(found, slice, now)),
    async waiting() {
      const { io, light, heavy } = await queue.depth()
      return io.waiting + light.waiting + heavy.waiting
    },
  }
}
