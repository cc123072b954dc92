/** Jobs and tasks: create, get, list, wait, follow, cancel, delete. One endpoint a line. */
import { type FollowOptions, follow } from './follow.ts'
import type { CallOptions, Http } from './http.ts'
import type {
  Job,
  JobBody,
  JobPage,
  JobsQuery,
  Operation,
  Task,
  TaskBody,
  TaskPage,
  TaskQuery,
  TasksQuery,
} from './schema.ts'

export interface CreateOptions {
  /** The same key with the same body gives the first answer again for 24 hours; by default a fresh one. */
  idempotencyKey?: string
  /** The answer is still waited for a moment: what was made must be known to be canceled. */
  signal?: AbortSignal
}

export interface WaitOptions {
  /** Seconds; when they are over, the answer is the record as it is. By default until it has ended. */
  timeout?: number
  signal?: AbortSignal
}

interface Cancelable {
  signal?: AbortSignal
}

/** "`timeout` in seconds … at most 120"; less, because proxies dislike quiet connections. */
const ONE_WAIT = 30

/** Milliseconds for an answer that is on its way. */
const MOMENT = 3_000

function shortlyAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  signal.throwIfAborted()
  signal.addEventListener('abort', () => {
    const timer: unknown = setTimeout(() => late.abort(signal.reason), MOMENT)
    // Where there are processes, none is kept alive by this.
    if (typeof timer === 'object' && timer && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
  })
  return late.signal
}

/** Every creation carries a key, so that it can be sent again when its answer was lost. */
const once = ({ idempotencyKey = crypto.randomUUID(), signal }: CreateOptions): CallOptions => ({
  headers: { 'idempotency-key': idempotencyKey },
  idempotent: true,
  signal: signal && shortlyAfter(signal),
})

const at = (kind: 'jobs' | 'tasks', id: string): string => `/v1/process/${kind}/${encodeURIComponent(id)}`
const UNENDED = new Set(['created', 'processing'])

async function wait<T extends { status: string }>(
  http: Http,
  path: string,
  { timeout = Infinity, signal }: WaitOptions,
): Promise<T> {
  const until = Date.now() + timeout * 1000
  for (;;) {
    const left = Math.max(0, (until - Date.now()) / 1000)
    const now = await http.call<T>('GET', `${path}/wait`, { query: { timeout: Math.min(ONE_WAIT, left) }, signal })
    if (!UNENDED.has(now.status) || Date.now() >= until) return now
  }
}

const erase = (http: Http, path: string, { signal }: Cancelable): Promise<void> =>
  http.call('DELETE', path, { removes: true, signal })

export function createJobs(http: Http) {
  const cancelTask = (id: string, signal: AbortSignal | undefined) =>
    http.call<Task>('POST', `${at('tasks', id)}/cancel`, { idempotent: true, signal })
  return {
    create: async (body: JobBody, options: CreateOptions = {}) =>
      http.call<Job>('POST', '/v1/process/jobs', { body, ...once(options) }),
    get: (id: string, { signal }: Cancelable = {}) => http.call<Job>('GET', at('jobs', id), { signal }),
    list: (query: JobsQuery = {}, { signal }: Cancelable = {}) =>
      http.call<JobPage>('GET', '/v1/process/jobs', { query, signal }),
    delete: (id: string, options: Cancelable = {}) => erase(http, at('jobs', id), options),
    /** Cancels every task that has not ended; answers the job as it is then. */
    async cancel(id: string, { signal }: Cancelable = {}) {
      const { tasks = [] } = await http.call<Job>('GET', at('jobs', id), { signal })
      const open = tasks.filter(({ status }) => UNENDED.has(status))
      // All at once: canceling the first makes the others fail, which is just as well.
      await Promise.allSettled(open.map((task) => cancelTask(task.id, signal)))
      return http.call<Job>('GET', at('jobs', id), { signal })
    },
    /** Until the job has ended, well or not: look at `status`. */
    wait: (id: string, options: WaitOptions = {}) => wait<Job>(http, at('jobs', id), options),
    /** Every event of the job from its creation to its end. */
    follow: (id: string, options?: FollowOptions) => follow(http, id, options),
  }
}

export function createTasks(http: Http) {
  return {
    create: async <O extends Operation>(operation: O, body: TaskBody<O>, options: CreateOptions = {}) =>
      http.call<Task>('POST', `/v1/process/${operation}`, { body, ...once(options) }),
    get: (id: string, query: TaskQuery = {}, { signal }: Cancelable = {}) =>
      http.call<Task>('GET', at('tasks', id), { query, signal }),
    list: (query: TasksQuery = {}, { signal }: Cancelable = {}) =>
      http.call<TaskPage>('GET', '/v1/process/tasks', { query, signal }),
    /** "Already canceled: 200, same task", so it may be sent twice. */
    cancel: (id: string, { signal }: Cancelable = {}) =>
      http.call<Task>('POST', `${at('tasks', id)}/cancel`, { idempotent: true, signal }),
    delete: (id: string, options: Cancelable = {}) => erase(http, at('tasks', id), options),
    wait: (id: string, options: WaitOptions = {}) => wait<Task>(http, at('tasks', id), options),
  }
}
