/** Rows to records and back. Runs no SQL. */
import {
  JOB_EVENTS,
  JOB_STATUSES,
  type Job,
  type JobEventType,
  LANES,
  type StreamEvent,
  TASK_EVENTS,
  TASK_STATUSES,
  type Task,
} from '../core/task.ts'
import type { Offer } from '../ports/queue.ts'
import type { Row, SqlValue } from '../ports/sql.ts'
import type { Answer } from '../ports/store.ts'

const text = (value: SqlValue | undefined): string => String(value)
const textOrNull = (value: SqlValue | undefined): string | null => (value == null ? null : String(value))
/** PostgreSQL hands out bigint as text. */
const number = (value: SqlValue | undefined): number => Number(value)
const numberOrNull = (value: SqlValue | undefined): number | null => (value == null ? null : Number(value))
const jsonOrNull = (value: SqlValue | undefined) => (value == null ? null : JSON.parse(String(value)))

function word<T extends string>(value: SqlValue | undefined, words: readonly T[]): T {
  const found = words.find((known) => known === value)
  if (found === undefined) throw new Error(`the database holds "${value}" where one of ${words.join(', ')} must be`)
  return found
}

export function taskOf(row: Row): Task {
  return {
    id: text(row.id),
    user: text(row.user_id),
    key: textOrNull(row.key_id),
    job: textOrNull(row.job_id),
    name: text(row.name),
    operation: text(row.operation),
    lane: word(row.lane, LANES),
    needs: textOrNull(row.needs),
    waits: number(row.waits) === 1,
    status: word(row.status, TASK_STATUSES),
    payload: JSON.parse(text(row.payload)),
    sealed: textOrNull(row.sealed),
    dependsOn: JSON.parse(text(row.depends_on)),
    waitingFor: number(row.waiting_for),
    priority: number(row.priority),
    attempts: number(row.attempts),
    takenAt: numberOrNull(row.taken_at),
    bytesIn: number(row.bytes_in),
    source: textOrNull(row.source),
    percent: numberOrNull(row.percent),
    result: jsonOrNull(row.result),
    createdAt: number(row.created_at),
    startedAt: numberOrNull(row.started_at),
    endedAt: numberOrNull(row.ended_at),
    updatedAt: number(row.updated_at),
    expiresAt: number(row.expires_at),
    keptUntil: number(row.kept_until),
  }
}

export function jobOf(row: Row): Job {
  return {
    id: text(row.id),
    user: text(row.user_id),
    tag: textOrNull(row.tag),
    webhookUrl: textOrNull(row.webhook_url),
    status: word(row.status, JOB_STATUSES),
    open: number(row.open),
    result: jsonOrNull(row.result),
    createdAt: number(row.created_at),
    startedAt: numberOrNull(row.started_at),
    endedAt: numberOrNull(row.ended_at),
    updatedAt: number(row.updated_at),
    expiresAt: number(row.expires_at),
  }
}

/** What never changes in a task; `place` is where it stands in its job. */
export const taskBirth = (task: Task, place: number): Row => ({
  id: task.id,
  user_id: task.user,
  key_id: task.key,
  job_id: task.job,
  place,
  name: task.name,
  operation: task.operation,
  waits: task.waits ? 1 : 0,
  payload: JSON.stringify(task.payload),
  depends_on: JSON.stringify(task.dependsOn),
  priority: task.priority,
  created_at: task.createdAt,
  expires_at: task.expiresAt,
  kept_until: task.keptUntil,
})

export const taskState = (task: Task): Row => ({
  lane: task.lane,
  needs: task.needs,
  status: task.status,
  sealed: task.sealed,
  waiting_for: task.waitingFor,
  attempts: task.attempts,
  taken_at: task.takenAt,
  bytes_in: task.bytesIn,
  source: task.source,
  percent: task.percent,
  result: task.result && JSON.stringify(task.result),
  started_at: task.startedAt,
  ended_at: task.endedAt,
  updated_at: task.updatedAt,
})

export const jobBirth = (job: Job): Row => ({
  id: job.id,
  user_id: job.user,
  tag: job.tag,
  webhook_url: job.webhookUrl,
  created_at: job.createdAt,
  expires_at: job.expiresAt,
})

export const jobState = (job: Job): Row => ({
  status: job.status,
  open: job.open,
  result: job.result && JSON.stringify(job.result),
  started_at: job.startedAt,
  ended_at: job.endedAt,
  updated_at: job.updatedAt,
})

export function eventOf(row: Row): StreamEvent {
  const at = { stream: text(row.stream), seq: number(row.seq), user: text(row.user_id), at: number(row.at) }
  const isOfJob = JOB_EVENTS.some((type: JobEventType) => type === row.type)
  const { task, job, tasks } = JSON.parse(text(row.data))
  return isOfJob
    ? { ...at, type: word(row.type, JOB_EVENTS), job, tasks }
    : { ...at, type: word(row.type, TASK_EVENTS), task }
}

export const answerOf = (row: Row): Answer => ({
  fingerprint: text(row.fingerprint),
  status: number(row.status),
  body: text(row.body),
})

export const offerOfRow = (row: Row): Offer => ({
  id: text(row.id),
  lane: word(row.lane, LANES),
  owner: text(row.user_id),
  priority: number(row.priority),
  attempts: number(row.attempts),
  ...(row.needs !== null && { needs: text(row.needs) }),
})

export const needOf = (row: Row) => ({ id: text(row.id), lane: word(row.lane, LANES), needs: text(row.needs) })

export const offerOf = (task: Task): Offer => ({
  id: task.id,
  lane: task.lane,
  owner: task.user,
  priority: task.priority,
  attempts: task.attempts,
  ...(task.needs !== null && { needs: task.needs }),
})
