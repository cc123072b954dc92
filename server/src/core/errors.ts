/**
 * What can go wrong, in words for the caller. Every error a user may see is a `Problem` (an HTTP answer) or a `Failure`
 * (a task's end); anything else is a bug and is shown as a bare 500 or `processing_failed`, its details only logged.
 */

export const TASK_ERRORS = {
  upload_timeout: 'The file upload exceeded its time-out.',
  engine_timeout: 'The conversion took longer than allowed.',
  out_of_conversion_minutes: 'The conversion minutes of this account are used up.',
  out_of_conversion_minutes_per_task: 'The conversion minutes of this task are used up.',
  user_deleted_task: 'The task failed because a task it depends on was deleted.',
  insufficient_permission: 'The source or target refused access.',
  invalid_credentials: 'The source or target did not accept the credentials.',
  processing_failed: 'The file could not be processed.',
} as const

export const JOB_ERRORS = {
  task_failed: 'A task failed.',
  task_deleted: 'A task was deleted.',
  task_canceled: 'A task was canceled.',
} as const

export type TaskErrorCode = keyof typeof TASK_ERRORS
export type JobErrorCode = keyof typeof JOB_ERRORS

/** One thing wrong with a request, at a path like `tasks.a.options.quality`. */
export interface Issue {
  path: string
  message: string
}

const STATUS = {
  invalid_parameter: 400,
  unauthorized: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  gone: 410,
  too_large: 413,
  range_not_satisfiable: 416,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof STATUS

/** An answer other than success, safe to send as it is. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly issues: readonly Issue[]
  readonly errorCode: TaskErrorCode | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    message: string,
    more: { issues?: readonly Issue[]; errorCode?: TaskErrorCode; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.status = STATUS[code]
    this.issues = more.issues ?? []
    this.errorCode = more.errorCode
    this.headers = more.headers ?? {}
  }
}

export const invalid = (issues: readonly Issue[]): Problem =>
  new Problem('invalid_parameter', issues.map((i) => (i.path ? `${i.path}: ${i.message}` : i.message)).join(' '), {
    issues,
  })

export const notFound = (what: string): Problem => new Problem('not_found', `${what} was not found.`)

/** The end of a task that did not work: `message` is for the user, `detail` (an engine's own words) for the log. */
export class Failure extends Error {
  readonly errorCode: TaskErrorCode
  readonly detail: string | undefined

  constructor(errorCode: TaskErrorCode, message: string, detail?: string) {
    super(message)
    this.name = 'Failure'
    this.errorCode = errorCode
    this.detail = detail
  }
}

/** A source had more bytes than allowed; nothing of it was kept. */
export class TooLarge extends Error {
  constructor(most: number) {
    super(`larger than ${most} bytes`)
    this.name = 'TooLarge'
  }
}
