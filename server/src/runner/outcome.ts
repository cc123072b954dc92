/** What an error means for a task that was running. */
import { Failure } from '../core/errors.ts'
import type { Happening } from '../core/machine.ts'
import { codeOf, type Left, wordsFor } from '../core/quota.ts'
import type { Task } from '../core/task.ts'
import type { Log } from './log.ts'

/** What may have ended it before its time. */
export interface Ends {
  /** Whether nobody asks any more, or the task will run again. */
  unwanted(): boolean
  out(): Left | null
  timeout: AbortSignal
  /** Milliseconds. */
  taskTimeout: number
}

export const stoppedBy = (left: Left) => ({ type: 'failed' as const, errorCode: codeOf(left), msg: wordsFor(left) })

/** Null where it means nothing. */
export function outcomeOf(error: unknown, task: Task, ends: Ends, log: Log): Happening | null {
  if (ends.unwanted()) return null
  const limit = ends.out()
  if (limit) return stoppedBy(limit)
  if (ends.timeout.aborted)
    return {
      type: 'failed',
      errorCode: 'engine_timeout',
      msg: `The task took longer than ${ends.taskTimeout / 1000} s.`,
    }
  const { id, operation } = task
  if (error instanceof Failure) {
    log.info({ task: id, operation, code: error.errorCode, detail: error.detail }, error.message)
    return { type: 'failed', errorCode: error.errorCode, msg: error.message }
  }
  log.error({ task: id, operation, err: error }, 'task failed unexpectedly')
  return {
    type: 'failed',
    errorCode: 'processing_failed',
    msg: 'The task failed because of an error in the service.',
  }
}
