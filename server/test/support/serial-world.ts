/**
 * Records in maps, changed one thing after another: what a store must look as if it did. Also finds an order in which
 * doing things one after another gives what was observed when they were done at once.
 */
import { begin, type Change, type Slice } from '../../src/core/change.ts'
import { erase, type Happening, transition } from '../../src/core/machine.ts'
import { hasEnded, type Job, type Task } from '../../src/core/task.ts'

export type Deed =
  | { does: 'happen'; task: string; happening: Happening }
  | { does: 'erase'; job: string }
  /** A task outside any job that takes its input from another. */
  | { does: 'create'; task: Task }

export class Refused extends Error {}

/** A plan would refuse to take input from what is not there, or will never come to anything. */
export function beginOn(task: Task, inputs: ReadonlyMap<string, Task>): Change {
  for (const id of task.dependsOn)
    if (!['created', 'processing', 'completed'].includes(inputs.get(id)?.status ?? '')) throw new Refused()
  return begin(null, [task], inputs)
}

/** What does not wait for its inputs any more may be completed. */
export const decide = (slice: Slice, happening: Happening, now: number): Change | null =>
  happening.type === 'completed' && slice.subjects.some((task) => task.waitingFor > 0)
    ? null
    : transition(slice, happening, now)

export interface World {
  tasks: ReadonlyMap<string, Task>
  jobs: ReadonlyMap<string, Job>
}

export const emptyWorld: World = { tasks: new Map(), jobs: new Map() }

function sliceOf({ tasks, jobs }: World, subjects: readonly Task[]): Slice {
  const seen = new Set(subjects.map(({ id }) => id))
  const dependents: Task[] = []
  for (let grew = true; grew; ) {
    const more = [...tasks.values()].filter(
      (task) => !seen.has(task.id) && !hasEnded(task.status) && task.dependsOn.some((id) => seen.has(id)),
    )
    grew = more.length > 0
    for (const task of more) seen.add(task.id)
    dependents.push(...more)
  }
  const named = new Set([...subjects, ...dependents].map(({ job }) => job))
  return { subjects, dependents, jobs: [...jobs.values()].filter(({ id }) => named.has(id)) }
}

/** What the deed changes in this world; null for nothing. Throws Refused. */
export function changeBy(world: World, deed: Deed, now: number): Change | null {
  if (deed.does === 'create') return beginOn(deed.task, world.tasks)
  if (deed.does === 'erase') {
    const job = world.jobs.get(deed.job)
    const own = [...world.tasks.values()].filter((task) => task.job === deed.job)
    return job ? erase(job, sliceOf(world, own), now) : null
  }
  const task = world.tasks.get(deed.task)
  return task ? decide(sliceOf(world, [task]), deed.happening, now) : null
}

export function after({ tasks, jobs }: World, change: Change): World {
  const next = { tasks: new Map(tasks), jobs: new Map(jobs) }
  for (const task of change.tasks) next.tasks.set(task.id, task)
  for (const job of change.jobs) next.jobs.set(job.id, job)
  for (const { id } of change.removedTasks) next.tasks.delete(id)
  for (const { id } of change.removedJobs) next.jobs.delete(id)
  return next
}

/** A change in words that do not depend on the order of lists. */
export function outcomeOf(change: Change | null): string {
  if (!change) return 'nothing'
  const words = [
    ...change.tasks.map(({ id, status, waitingFor, attempts }) => `${id} ${status} ${waitingFor} ${attempts}`),
    ...change.jobs.map(({ id, status, open }) => `${id} ${status} ${open}`),
    ...change.removedTasks.map(({ id }) => `without ${id}`),
    ...change.removedJobs.map(({ id }) => `without ${id}`),
    ...change.offer.map(({ id }) => `offer ${id}`),
    ...change.withdraw.map(({ id }) => `withdraw ${id}`),
    ...change.events.map((event) => `${event.type} ${'task' in event ? event.task.id : event.job.id}`),
  ]
  return words.toSorted().join(', ')
}

export interface Observed {
  deed: Deed
  outcome: string
}

/** The world at the end of an order in which every deed has the outcome that was observed, and `fits`; null if there is none. */
export function serialOrder(
  start: World,
  observed: readonly Observed[],
  now: number,
  fits: (world: World) => boolean,
): World | null {
  const tried = new Set<string>()
  const search = (world: World, left: readonly Observed[]): World | null => {
    const rest = left.filter((one) => outcomeIn(world, one.deed, now) !== one.outcome || changes(one.outcome))
    if (rest.length === 0) return fits(world) ? world : null
    const key = `${rest.map((one) => observed.indexOf(one)).join()} ${wordsOf(world)}`
    if (tried.has(key)) return null
    tried.add(key)
    for (const one of rest) {
      if (!changes(one.outcome) || outcomeIn(world, one.deed, now) !== one.outcome) continue
      const change = changeBy(world, one.deed, now)
      const found =
        change &&
        search(
          after(world, change),
          rest.filter((other) => other !== one),
        )
      if (found) return found
    }
    return null
  }
  return search(start, observed)
}

/** What changes nothing may come whenever that is its outcome, and leaves all else as it was. */
const changes = (outcome: string): boolean => outcome !== 'nothing' && outcome !== 'refused'

function outcomeIn(world: World, deed: Deed, now: number): string {
  try {
    return outcomeOf(changeBy(world, deed, now))
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
}

export const wordsOf = ({ tasks, jobs }: World): string =>
  [
    ...[...tasks.values()].map(({ id, status, waitingFor, attempts }) => `${id} ${status} ${waitingFor} ${attempts}`),
    ...[...jobs.values()].map(({ id, status, open }) => `${id} ${status} ${open}`),
  ]
    .toSorted()
    .join(', ')
