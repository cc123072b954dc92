/** Records. `create`, `change` and `changeJob` are the only ways to write a status: lock, load, decide, write, then tell. */
import type { Change, Slice } from '../core/change.ts'
import type { Job, JobStatus, Lane, StreamEvent, Task, TaskStatus } from '../core/task.ts'
import type { Offer } from './queue.ts'
import type { Tx } from './sql.ts'

/** The first answer to a request with an Idempotency-Key. */
export interface Answer {
  /** Of the request that was answered. */
  fingerprint: string
  status: number
  body: string
}

export interface Creation {
  user: string
  /** Earlier tasks of the user that the new ones take input from; `decide` gets those that exist. */
  inputs: readonly string[]
  decide(inputs: ReadonlyMap<string, Task>): Change
  /** Kept in the same transaction, so that a request is answered once whatever happens in between. */
  answer?: { key: string; of(change: Change): Answer }
  now: number
}

/** What was written, and the blobs that no record names any more: the caller removes their bytes. */
export interface Written {
  change: Change
  freed: readonly string[]
}

export interface TaskFilter {
  user: string
  status?: TaskStatus
  operation?: string
  job?: string
}

export interface JobFilter {
  user: string
  status?: JobStatus
  tag?: string
  /** Of any of its tasks. */
  operation?: string
  /** Part of the tag or of a file's name, or the beginning of the id. */
  search?: string
}

export interface Found<T> {
  docs: T[]
  total: number
}

export interface Store {
  /** Throws AlreadyAnswered when the key was used before; nothing is written then. */
  create(creation: Creation): Promise<Change>
  /** null when the task is not there or `decide` answers null. `also` runs in the same transaction, before the commit. */
  change(
    task: string,
    decide: (slice: Slice) => Change | null,
    also?: (tx: Tx) => Promise<void>,
  ): Promise<Written | null>
  /** Writes that a worker has the task (see `taken`), and tells nobody; false when it has ended or gone. */
  take(task: Task): Promise<boolean>
  changeJob(job: string, decide: (job: Job, slice: Slice) => Change | null): Promise<Written | null>

  task(id: string): Promise<Task | null>
  tasks(ids: readonly string[]): Promise<Task[]>
  /** In the order they were written in the job. */
  tasksOf(job: string): Promise<Task[]>
  /** How many tasks wait for a worker in the task's lane since before it; null when it does not wait for one. */
  ahead(task: Task): Promise<number | null>
  job(id: string): Promise<Job | null>
  /** Newest first. */
  listTasks(filter: TaskFilter, page: number, limit: number): Promise<Found<Task>>
  listJobs(filter: JobFilter, page: number, limit: number): Promise<Found<Job>>
  answer(user: string, key: string): Promise<Answer | null>

  /** Events of a stream after `seq`, oldest first. */
  events(stream: string, after: number): Promise<StreamEvent[]>

  /** Tasks that are ready and not ended: what a queue that forgets everything must be offered at start. */
  ready(): Promise<Offer[]>
  /** Uploads that have not ended and of which nothing was heard since `before`. */
  staleUploads(before: number): Promise<string[]>
  /** Tasks that need something special, may run, and of which nothing was heard since `before`. */
  needing(before: number): Promise<{ id: string; lane: Lane; needs: string }[]>
  /** Lets go of files whose time is over and answers blobs no record names any more. */
  expireFiles(now: number): Promise<string[]>
  /** Removes records, events and answers whose time is over, silently, and answers freed blobs. */
  expireRecords(now: number): Promise<string[]>
  /** Removes everything of a user, silently, and answers freed blobs. */
  removeOf(user: string): Promise<string[]>
  /** Those of `blobs` that some record names. */
  blobsInUse(blobs: readonly string[]): Promise<Set<string>>
  /** Counts for `/health` and `/metrics`. */
  counts(): Promise<Partial<Record<TaskStatus, number>>>
  close(): Promise<void>
}

export class AlreadyAnswered extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super('answered before')
    this.name = 'AlreadyAnswered'
    this.answer = answer
  }
}
