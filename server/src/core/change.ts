/** What the state machine reads and what it decides; and changes that need no deciding: a beginning, and two as one. Pure. */
import { hasEnded, type Job, type JobEventType, type Task, type TaskEventType } from './task.ts'

/** The records a happening can touch. */
export interface Slice {
  /** The task it happened to; for the deletion of a job, all its tasks. */
  subjects: readonly Task[]
  /** Every task that has not ended and takes input from a subject, directly or through others such, in any job. */
  dependents: readonly Task[]
  /** The jobs of all of them. */
  jobs: readonly Job[]
}

export type EventDraft = { type: TaskEventType; task: Task } | { type: JobEventType; job: Job }

/** What is to be written, told and done, all in one transaction. */
export interface Change {
  tasks: readonly Task[]
  jobs: readonly Job[]
  removedTasks: readonly Task[]
  removedJobs: readonly Job[]
  events: readonly EventDraft[]
  /** Before `offer`: a task may leave one lane for another. */
  withdraw: readonly Task[]
  offer: readonly Task[]
}

/** A new job with its tasks, or tasks outside any job. `inputs` are earlier tasks that they take input from. */
export function begin(job: Job | null, tasks: readonly Task[], inputs: ReadonlyMap<string, Task>): Change {
  const born = tasks.map((task) => ({
    ...task,
    waitingFor: new Set(task.dependsOn.filter((id) => inputs.get(id)?.status !== 'completed')).size,
  }))
  const record = job && { ...job, open: born.length }
  return {
    tasks: born,
    jobs: record ? [record] : [],
    removedTasks: [],
    removedJobs: [],
    events: [
      ...(record ? [{ type: 'job_created' as const, job: record }] : []),
      ...born.map((task) => ({ type: 'task_created' as const, task })),
    ],
    offer: born.filter((task) => task.waitingFor === 0 && !task.waits),
    withdraw: [],
  }
}

/** Two changes as one: `next` was decided on what `first` left. What is done in `next` need not be offered any more. */
export function both(first: Change, next: Change): Change {
  const latest = <T extends { id: string }>(...lists: (readonly T[])[]): T[] => [
    ...new Map(lists.flat().map((record) => [record.id, record])).values(),
  ]
  const tasks = latest(first.tasks, next.tasks)
  const ended = new Set(tasks.filter((task) => hasEnded(task.status)).map((task) => task.id))
  return {
    tasks,
    jobs: latest(first.jobs, next.jobs),
    removedTasks: [...first.removedTasks, ...next.removedTasks],
    removedJobs: [...first.removedJobs, ...next.removedJobs],
    events: [...first.events, ...next.events],
    withdraw: [...first.withdraw, ...next.withdraw],
    offer: [...first.offer, ...next.offer].filter((task) => !ended.has(task.id)),
  }
}

/** The records as a change leaves them, seen from one of its tasks. */
export function sliceAfter(slice: Slice, change: Change, task: Task): Slice {
  const now = new Map([...change.tasks, ...change.jobs].map((record) => [record.id, record]))
  const current = <T extends Task | Job>(record: T): T => (now.get(record.id) as T | undefined) ?? record
  return {
    subjects: [current(task)],
    dependents: slice.dependents.filter(({ id }) => id !== task.id).map(current),
    jobs: slice.jobs.map(current),
  }
}
