/** The machine at work without a store: records in maps, events in a list, and the ends a task may come to. */
import { begin, type Change, type Slice } from '../../src/core/change.ts'
import { erase, type Happening, taken, transition } from '../../src/core/machine.ts'
import { type EventType, hasEnded, type Job, type Task } from '../../src/core/task.ts'
import * as records from './records.ts'

/** Time begins at 0 here, so that whatever happens is later. */
export const aTask = (id: string, more: Partial<Task> = {}): Task =>
  records.aTask({
    id,
    name: id,
    sealed: 'sealed',
    createdAt: 0,
    status: more.waits ? 'processing' : 'created',
    ...more,
  })
export const aJob = (id: string): Job => records.aJob({ id, createdAt: 0 })

export const done = { type: 'completed', result: { files: [] } } satisfies Happening
export const broken = { type: 'failed', errorCode: 'engine_timeout', msg: 'It took too long.' } satisfies Happening

/** The smallest that a change can be applied to. */
export function createWorld() {
  const tasks = new Map<string, Task>()
  const jobs = new Map<string, Job>()
  const events: { type: EventType; id: string; stream: string }[] = []
  const offered = new Set<string>()
  let now = 0
  const apply = (change: Change | null): Change | null => {
    if (!change) return null
    for (const task of change.tasks) tasks.set(task.id, task)
    for (const job of change.jobs) jobs.set(job.id, job)
    for (const task of change.removedTasks) tasks.delete(task.id)
    for (const job of change.removedJobs) jobs.delete(job.id)
    for (const event of change.events)
      if ('task' in event) events.push({ type: event.type, id: event.task.id, stream: event.task.job ?? event.task.id })
      else events.push({ type: event.type, id: event.job.id, stream: event.job.id })
    for (const task of change.withdraw) offered.delete(task.id)
    for (const task of change.offer) offered.add(task.id)
    return change
  }
  const dependentsOf = (roots: readonly Task[]): Task[] => {
    const found = new Map<string, Task>()
    const seen = new Set(roots.map((task) => task.id))
    for (let grew = true; grew; ) {
      grew = false
      for (const task of tasks.values()) {
        if (seen.has(task.id) || !task.dependsOn.some((id) => seen.has(id))) continue
        seen.add(task.id)
        found.set(task.id, task)
        grew = true
      }
    }
    return [...found.values()]
  }
  const sliceOf = (subjects: readonly Task[]): Slice => {
    const dependents = dependentsOf(subjects)
    const ids = new Set([...subjects, ...dependents].map((task) => task.job).filter((id) => id !== null))
    return { subjects, dependents, jobs: [...ids].map((id) => jobs.get(id)!).filter(Boolean) }
  }
  return {
    tasks,
    jobs,
    events,
    offered,
    create: (job: Job | null, list: Task[]) => apply(begin(job, list, tasks)),
    happen: (id: string, happening: Happening) => {
      const task = tasks.get(id)
      return task ? apply(transition(sliceOf([task]), happening, ++now)) : null
    },
    take: (id: string) => {
      const task = tasks.get(id)
      if (task && !task.waits && !hasEnded(task.status)) tasks.set(id, taken(task, { bytes: 7, format: 'png' }, ++now))
    },
    erase: (id: string) => {
      const job = jobs.get(id)
      if (!job) return null
      return apply(erase(job, sliceOf([...tasks.values()].filter((task) => task.job === id)), ++now))
    },
    types: (stream: string) => events.filter((e) => e.stream === stream).map((e) => e.type),
  }
}
