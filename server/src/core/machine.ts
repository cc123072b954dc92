/**
 * The one function that owns state: given the records something happened to, it decides what they become, which events
 * are told, which tasks may run now and which must stop. Pure: no clock, no store, no randomness. A late or double
 * happening returns null, which means "nothing changed".
 */
import type { Change, EventDraft, Slice } from './change.ts'
import type { JobErrorCode, TaskErrorCode } from './errors.ts'
import { hasEnded, type Job, type Lane, type Task, type TaskResult } from './task.ts'

/** What a task took in: known to whoever runs it. */
export interface Takes {
  bytes: number
  format: string | null
}

/** Milliseconds. What is over sooner is told as begun and ended together: nobody could have looked in between. */
export const AT_ONCE = 100

export type Happening =
  /** It is told that somebody works on it: whoever takes a task counts that before it begins (see `taken`). */
  | { type: 'started' }
  /** The worker gave it back unfinished, through no fault of the task: the attempt does not count. */
  | { type: 'released' }
  | { type: 'arrived' }
  /** Its inputs show that it belongs in another lane, or what it needs: it is offered there, and has not begun. */
  | { type: 'moved'; lane: Lane; needs: string | null }
  | { type: 'progressed'; percent: number }
  | { type: 'completed'; result: TaskResult; takes?: Takes }
  /** `lost`: whoever worked on it is gone, so nobody knows for how long. `unheld`: no worker reports it, nobody holds it. */
  | { type: 'failed'; errorCode: TaskErrorCode; msg: string; more?: TaskResult['more']; lost?: true; unheld?: true }
  | { type: 'canceled' }
  | { type: 'deleted' }

/** A task as a worker has it. Each attempt counts from here on, whether anybody is told of it or not. */
export const taken = (task: Task, takes: Takes, now: number): Task => ({
  ...task,
  attempts: task.attempts + 1,
  takenAt: now,
  bytesIn: takes.bytes,
  source: takes.format ?? task.source,
  percent: null,
  updatedAt: now,
})

/** What happens to one task, and to everything that hangs on it. */
export function transition(slice: Slice, happening: Happening, now: number): Change | null {
  const task = slice.subjects[0]
  if (!task) return null
  const draft = createDraft(slice, now)
  switch (happening.type) {
    case 'started':
      return draft.start(task) ? draft.change() : null
    case 'released':
      return draft.release(task) ? draft.change() : null
    case 'arrived':
      return task.waits && draft.start(task) ? draft.change() : null
    case 'moved':
      return draft.move(task, happening) ? draft.change() : null
    case 'progressed':
      return draft.progress(draft.begun(task), happening.percent) ? draft.change() : null
    case 'completed':
      return draft.complete(task, happening.result, happening.takes) ? draft.change() : null
    case 'failed': {
      const { errorCode, msg, more, lost, unheld } = happening
      const subject = lost ? { ...task, takenAt: null } : draft.begun(task)
      if (!draft.end(subject, 'failed', { errorCode, msg, ...(more && { more }) }, !unheld)) return null
      draft.fall([task], 'task_failed', msg)
      return draft.change()
    }
    case 'canceled':
      if (!draft.end(task, 'canceled', null)) return null
      draft.fall([task], 'task_canceled')
      return draft.change()
    case 'deleted':
      draft.remove([task])
      draft.fall([task], 'task_deleted')
      return draft.change()
  }
}

/** The deletion of a job: "All its tasks and files are deleted." What others took from it fails. */
export function erase(job: Job, slice: Slice, now: number): Change {
  const draft = createDraft(slice, now)
  draft.remove(slice.subjects)
  draft.drop(job)
  draft.fall(slice.subjects, 'task_deleted')
  draft.tell({ type: 'job_deleted', job })
  return draft.change()
}

const FATE = { task_failed: 'failed', task_canceled: 'was canceled', task_deleted: 'was deleted' } as const

function createDraft(slice: Slice, now: number) {
  const tasks = new Map([...slice.subjects, ...slice.dependents].map((task) => [task.id, task]))
  const jobs = new Map(slice.jobs.map((job) => [job.id, job]))
  const written = new Set<string>()
  const removedTasks: Task[] = []
  const removedJobs: Job[] = []
  const events: EventDraft[] = []
  const offer: Task[] = []
  const withdraw: Task[] = []

  const put = (task: Task): Task => {
    const next = { ...task, updatedAt: now }
    tasks.set(task.id, next)
    written.add(task.id)
    return next
  }
  const putJob = (job: Job): Job => {
    const next = { ...job, updatedAt: now }
    jobs.set(job.id, next)
    written.add(job.id)
    return next
  }
  /** The job as it stands, if it still can change. */
  const activeJob = (task: Task): Job | undefined => {
    const job = task.job ? jobs.get(task.job) : undefined
    return job && !hasEnded(job.status) ? job : undefined
  }
  /** A worker may hold it, or the queue may have it on offer. */
  const isOut = (task: Task): boolean => !task.waits && task.waitingFor === 0

  const draft = {
    tell: (event: EventDraft) => void events.push(event),

    start(task: Task, takes: Takes = { bytes: task.bytesIn, format: task.source }): boolean {
      if (hasEnded(task.status) || task.startedAt !== null) return false
      const held = task.waits || task.takenAt !== null ? task : taken(task, takes, now)
      const startedAt = held.takenAt ?? now
      const next = put({ ...held, status: 'processing', startedAt })
      const job = activeJob(task)
      if (job?.status === 'created')
        events.push({ type: 'job_started', job: putJob({ ...job, status: 'processing', startedAt }) })
      events.push({ type: 'task_started', task: next })
      return true
    },

    /** The task, told as begun where somebody has taken it. */
    begun(task: Task): Task {
      if (task.takenAt !== null) draft.start(task)
      return tasks.get(task.id) ?? task
    },

    release(task: Task): boolean {
      if (hasEnded(task.status) || task.takenAt === null) return false
      put({ ...task, attempts: task.attempts - 1, takenAt: null })
      return true
    },

    move(task: Task, { lane, needs }: { lane: Lane; needs: string | null }): boolean {
      if (hasEnded(task.status) || !isOut(task) || (task.lane === lane && task.needs === needs)) return false
      withdraw.push(task)
      offer.push(put({ ...task, lane, needs }))
      return true
    },

    progress(task: Task, percent: number): boolean {
      const whole = Math.min(100, Math.max(0, Math.floor(percent)))
      if (task.status !== 'processing' || whole <= (task.percent ?? -1)) return false
      events.push({ type: 'task_min_update', task: put({ ...task, percent: whole }) })
      return true
    },

    /** `reported`: by the worker that holds it, which gives its claim back itself. */
    end(
      task: Task,
      status: 'completed' | 'failed' | 'canceled',
      result: TaskResult | null,
      reported = false,
    ): Task | null {
      if (hasEnded(task.status)) return null
      if (status !== 'completed' && isOut(task) && !reported) withdraw.push(task)
      const next = put({ ...task, status, result, endedAt: now, percent: null, sealed: null })
      events.push({ type: `task_${status}`, task: next })
      return next
    },

    complete(task: Task, result: TaskResult, takes?: Takes): boolean {
      if (hasEnded(task.status)) return false
      // What took no time to do was never reported as begun: it begins and ends at once.
      draft.start(task, takes)
      draft.end(tasks.get(task.id) ?? task, 'completed', result)
      for (const dependent of slice.dependents) {
        if (!dependent.dependsOn.includes(task.id) || hasEnded(dependent.status)) continue
        const next = put({ ...dependent, waitingFor: dependent.waitingFor - 1 })
        if (next.waitingFor === 0) offer.push(next)
      }
      const job = activeJob(task)
      if (!job) return true
      const open = job.open - 1
      if (open > 0) putJob({ ...job, open })
      else {
        const started = job.startedAt ?? now
        const ended = putJob({ ...job, open, status: 'completed', startedAt: started, endedAt: now })
        events.push({ type: 'job_completed', job: ended })
      }
      return true
    },

    /** "All tasks that depend on it fail", at once and transitively; their jobs fail with the root cause. */
    fall(roots: readonly Task[], cause: JobErrorCode, why = ''): void {
      const fallen = new Map(roots.map((task) => [task.id, task]))
      const errorCode: TaskErrorCode = cause === 'task_deleted' ? 'user_deleted_task' : 'processing_failed'
      for (let grew = true; grew; ) {
        grew = false
        for (const dependent of slice.dependents) {
          if (fallen.has(dependent.id) || hasEnded(dependent.status)) continue
          const input = dependent.dependsOn.map((id) => fallen.get(id)).find((found) => found !== undefined)
          if (!input) continue
          const root = roots.includes(input) ? input : roots[0]!
          const msg = reason(input, root, cause, why)
          draft.end(dependent, 'failed', { errorCode, msg })
          fallen.set(dependent.id, dependent)
          grew = true
        }
      }
      for (const task of fallen.values()) {
        const job = activeJob(task)
        if (!job) continue
        const msg = `The task "${task.name}" ${roots.includes(task) ? fateOf(cause, why) : `failed: ${reasonOf(tasks.get(task.id))}`}`
        const ended = putJob({ ...job, status: 'failed', endedAt: now, result: { errorCode: cause, msg } })
        events.push({ type: 'job_failed', job: ended })
      }
    },

    remove(subjects: readonly Task[]): void {
      for (const task of subjects) {
        if (!hasEnded(task.status) && isOut(task)) withdraw.push(task)
        removedTasks.push(task)
        events.push({ type: 'task_deleted', task: { ...task, status: 'deleted', sealed: null, updatedAt: now } })
      }
    },

    drop(job: Job): void {
      removedJobs.push(job)
      jobs.delete(job.id)
    },

    change(): Change {
      const gone = new Set(removedTasks.map((task) => task.id))
      return {
        tasks: [...tasks.values()].filter((task) => written.has(task.id) && !gone.has(task.id)),
        jobs: [...jobs.values()].filter((job) => written.has(job.id)),
        removedTasks,
        removedJobs,
        events,
        offer,
        withdraw,
      }
    },
  }
  return draft
}

const fateOf = (cause: JobErrorCode, why: string): string =>
  cause === 'task_failed' ? `failed: ${why}` : `${FATE[cause]}.`

function reason(input: Task, root: Task, cause: JobErrorCode, why: string): string {
  const told = fateOf(cause, why)
  return input === root
    ? `The input task "${root.name}" ${told}`
    : `The input task "${input.name}" did not complete, because "${root.name}" ${told}`
}

const reasonOf = (task: Task | undefined): string => task?.result?.msg ?? 'its input did not complete.'
