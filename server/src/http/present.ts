/** Records as the API shows them. The only place that knows both; events and webhooks show the same. */
import type { Job, JsonObject, StreamEvent, Task, TaskFile } from '../core/task.ts'
import type { Links } from './links.ts'

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

export interface Presenter {
  task(task: Task, show?: { payload?: boolean; job?: Job | null; ahead?: number | null | undefined }): JsonObject
  /** `ahead` by the task's id. */
  job(job: Job, tasks?: readonly Task[], ahead?: ReadonlyMap<string, number>): JsonObject
  event(event: StreamEvent): JsonObject
}

export function createPresenter(links: Links): Presenter {
  const file = (task: Task, { filename, size, format, ...rest }: TaskFile): JsonObject => ({
    url: links.download(task, { filename, size, format, ...rest }),
    filename,
    size,
    format,
  })

  function result(task: Task): JsonObject {
    if (task.waits && task.status === 'processing') return { form: links.form(task) }
    if (!task.result) return {}
    const { files, errorCode, msg, more } = task.result
    // What was written elsewhere is told by the operation itself, and has no link.
    const shown = more?.files ? [] : (files?.map((each) => file(task, each)) ?? [])
    return {
      ...shown[0],
      ...(files && { files: shown }),
      ...(errorCode && { errorCode, msg: msg ?? '' }),
      ...more,
    }
  }

  const presenter: Presenter = {
    task: (task, { payload = true, job, ahead = null } = {}) => ({
      id: task.id,
      name: task.name,
      operation: task.operation,
      status: task.status,
      ...(task.status === 'processing' && task.percent !== null && { percent: task.percent }),
      ...(ahead !== null && { ahead }),
      ...(payload && { payload: task.payload }),
      dependsOn: task.dependsOn,
      job: job ? presenter.job(job) : task.job,
      user: task.user,
      result: result(task),
      createdAt: iso(task.createdAt),
      startedAt: isoOrNull(task.startedAt),
      endedAt: isoOrNull(task.endedAt),
      updatedAt: iso(task.updatedAt),
      expiresAt: iso(task.expiresAt),
    }),

    job: (job, tasks, ahead) => ({
      id: job.id,
      tag: job.tag,
      status: job.status,
      user: job.user,
      ...(tasks && { tasks: tasks.map((task) => presenter.task(task, { ahead: ahead?.get(task.id) })) }),
      result: job.result ? { ...job.result } : {},
      createdAt: iso(job.createdAt),
      startedAt: isoOrNull(job.startedAt),
      endedAt: isoOrNull(job.endedAt),
      updatedAt: iso(job.updatedAt),
      expiresAt: iso(job.expiresAt),
      links: { self: links.self(`/v1/process/jobs/${job.id}`) },
    }),

    event: (event) => ('task' in event ? presenter.task(event.task) : presenter.job(event.job, event.tasks)),
  }
  return presenter
}
