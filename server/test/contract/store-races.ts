/** The store's contract: whatever many do at once to the same job, it is as if they had done it one after another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { begin } from '../../src/core/change.ts'
import { erase } from '../../src/core/machine.ts'
import { hasEnded, type Task } from '../../src/core/task.ts'
import { aJob, aTask, filesOf, NOON } from '../support/records.ts'
import {
  after,
  beginOn,
  type Deed,
  decide,
  emptyWorld,
  outcomeOf,
  Refused,
  serialOrder,
  type World,
  wordsOf,
} from '../support/serial-world.ts'
import type { Scene } from './store-harness.ts'

const AT_ONCE = 16
const DEEDS = ['start', 'complete', 'complete', 'fail', 'cancel', 'delete', 'erase', 'create', 'create'] as const

export function storeRaces(scene: () => Scene): void {
  test(`${AT_ONCE} things done to one job at once come out as in some order, one after another`, async () => {
    const graph = fc.array(fc.array(fc.nat(3), { maxLength: 2 }), { minLength: 2, maxLength: 4 })
    const deed = fc.record({ does: fc.constantFrom(...DEEDS), which: fc.nat(20) })
    const deeds = fc.array(deed, { minLength: AT_ONCE, maxLength: AT_ONCE })
    await fc.assert(
      fc.asyncProperty(graph, deeds, (inputs, drawn) => race(scene(), inputs, drawn)),
      { numRuns: 25 },
    )
  })
}

async function race(
  { store, waiting }: Scene,
  graph: readonly number[][],
  drawn: readonly { does: (typeof DEEDS)[number]; which: number }[],
): Promise<void> {
  const job = aJob()
  const tasks: Task[] = []
  for (const inputs of graph) {
    const dependsOn = [...new Set(inputs)].flatMap((at) => tasks[at]?.id ?? [])
    tasks.push(aTask({ job: job.id, name: `task ${tasks.length}`, dependsOn }))
  }
  const offered = await waiting()
  const born = await store.create({ user: 'ada', inputs: [], decide: () => begin(job, tasks, new Map()), now: NOON })
  const start = after(emptyWorld, born)
  // Tasks that are created meanwhile may be dealt with as well.
  const later: Task[] = []
  const made = drawn.map(({ does, which }): Deed => {
    const all = [...tasks, ...later]
    const target = all[which % all.length]?.id ?? ''
    if (does === 'erase') return { does: 'erase', job: job.id }
    if (does === 'create') {
      const task = aTask({ dependsOn: [target] })
      later.push(task)
      return { does: 'create', task }
    }
    const happenings = {
      start: { type: 'started' },
      complete: { type: 'completed', result: filesOf(`blob of ${target}`) },
      fail: { type: 'failed', errorCode: 'processing_failed', msg: 'broken' },
      cancel: { type: 'canceled' },
      delete: { type: 'deleted' },
    } as const
    return { does: 'happen', task: target, happening: happenings[does] }
  })

  const observed = await Promise.all(made.map(async (deed) => ({ deed, outcome: await perform(store, deed) })))
  const known = [...tasks, ...later].map(({ id }) => id)
  const end: World = {
    tasks: new Map((await store.tasks(known)).map((task) => [task.id, task])),
    jobs: new Map([await store.job(job.id)].flatMap((one) => (one ? [[one.id, one]] : []))),
  }
  const found = serialOrder(start, observed, NOON, (world) => wordsOf(world) === wordsOf(end))
  const told = observed.map(({ deed, outcome }) => `${JSON.stringify(deed)}\n    ${outcome}`).join('\n')
  assert.ok(found, `no order gives\n${told}\nand ends with ${wordsOf(end)}`)

  // Nobody has taken anything, so all that was ever offered waits, unless it was withdrawn.
  const left = [...end.tasks.values()].filter((task) => !hasEnded(task.status))
  assert.ok((await waiting()) - offered >= left.filter((task) => task.waitingFor === 0).length)
  const streams = await Promise.all([job.id, ...later.map(({ id }) => id)].map((stream) => store.events(stream, 0)))
  for (const events of streams)
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    )
}

async function perform(store: Scene['store'], deed: Deed): Promise<string> {
  try {
    if (deed.does === 'create') {
      const { task } = deed
      const decide = (inputs: ReadonlyMap<string, Task>) => beginOn(task, inputs)
      return outcomeOf(await store.create({ user: 'ada', inputs: task.dependsOn, decide, now: NOON }))
    }
    const written =
      deed.does === 'erase'
        ? await store.changeJob(deed.job, (found, slice) => erase(found, slice, NOON))
        : await store.change(deed.task, (slice) => decide(slice, deed.happening, NOON))
    return outcomeOf(written?.change ?? null)
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
}
