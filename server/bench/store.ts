/** Creating, taking and listing tasks while the store grows a thousandfold. Flat is the aim: nothing may walk the table. */
import { join } from 'node:path'
import { createMemoryBus } from '../src/bus/memory-bus.ts'
import { begin } from '../src/core/change.ts'
import { transition } from '../src/core/machine.ts'
import type { Task } from '../src/core/task.ts'
import type { Store } from '../src/ports/store.ts'
import { createMemoryQueue } from '../src/queue/memory-queue.ts'
import { migrate } from '../src/store/schema.ts'
import { createSqlStore } from '../src/store/sql-store.ts'
import { openSqlite } from '../src/store/sqlite.ts'
import { aTask, NOON } from '../test/support/records.ts'
import { crowd, OWNER } from './crowd.ts'
import { measure } from './measure.ts'
import { ms, type Row, times } from './report.ts'

const FLAT = 2

type Figures = Record<'create' | 'take' | 'list', number>

export async function storing(folder: string, quick: boolean): Promise<Row[]> {
  const path = join(folder, 'crowd.db')
  const empty = openSqlite(path)
  await migrate(empty)
  await empty.close()
  const sizes = quick ? [1e3, 1e5] : [1e3, 1e5, 1e6]
  const found: Figures[] = []
  let held = 0
  for (const size of sizes) {
    crowd(path, held, size)
    held = size
    found.push(await using(path, (store) => figures(store, quick)))
  }
  return (['create', 'take', 'list'] as const).map((what) => {
    const [first = 0, last = 0] = [found[0]?.[what], found.at(-1)?.[what]]
    const steps = found.map(
      (each, index) => `${sizes[index]?.toExponential(0).replace('e+', '·10^')}: ${ms(each[what])}`,
    )
    return {
      what: `${what} (p50)  ${steps.join('  ')}`,
      value: times(last / first),
      target: `< ${FLAT}×`,
      ok: last / first < FLAT,
    }
  })
}

async function using<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const database = openSqlite(path)
  const store = createSqlStore(database, { queue: createMemoryQueue(), bus: createMemoryBus() })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The best of a few rounds of each. */
async function figures(store: Store, quick: boolean): Promise<Figures> {
  const best: Figures = { create: Infinity, take: Infinity, list: Infinity }
  for (let round = 0; round < (quick ? 2 : 4); round++) {
    const made: Task[] = []
    const create = async () => {
      const task = aTask({ user: OWNER, createdAt: NOON })
      made.push(task)
      await store.create({ user: OWNER, inputs: [], decide: (inputs) => begin(null, [task], inputs), now: NOON })
    }
    const take = (index: number) =>
      store.change(made[index]?.id ?? '', (slice) => transition(slice, { type: 'started' }, NOON))
    const now = {
      create: (await measure(150, 1, create)).p50,
      take: (await measure(150, 1, take)).p50,
      list: (await measure(150, 1, () => store.listTasks({ user: OWNER }, 1, 50))).p50,
    }
    for (const what of ['create', 'take', 'list'] as const) best[what] = Math.min(best[what], now[what])
  }
  return best
}
