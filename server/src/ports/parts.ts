/**
 * Parts of running tasks that any worker may do. They are no tasks of anybody: nothing that lists, counts, tells or charges
 * tasks knows them. They go through the queue as tasks do, in a lane of their own.
 */
import type { JsonObject, TaskFile } from '../core/task.ts'
import type { Also } from './sql.ts'

/** What is to be done. */
export interface PartOrder {
  engine: string
  input: TaskFile
  /** In words that only the engine understands. */
  order: JsonObject
}

/** A file, or why there is none. */
export type PartEnd = { blob: string; size: number } | { msg: string }

/** How far it is. */
export interface PartState {
  id: string
  percent: number
  /** null while it waits or runs. */
  end: PartEnd | null
}

export interface Part extends PartOrder, PartState {
  task: string
  user: string
}

export interface Parts {
  /**
   * Offers the parts of a task. Where an earlier attempt at the task ordered just the same, its parts are kept as far as
   * they have come, unless one had failed; else they are withdrawn. Answers blobs that nobody needs any more.
   */
  order(task: { id: string; user: string }, orders: readonly PartOrder[], needs: string | null): Promise<string[]>
  /** In the order in which they were ordered. */
  of(task: string): Promise<PartState[]>
  find(id: string): Promise<Part | null>
  progress(id: string, percent: number): Promise<void>
  /** False when nobody waits for it any more. `also` runs in the same transaction. */
  end(id: string, end: PartEnd, also: Also): Promise<boolean>
  /** Withdraws the parts of a task that does not run any more, or of all such; answers blobs that nobody needs any more. */
  clear(task?: string): Promise<string[]>
}
