/** Events as rows: written in the transaction that caused them, numbered without gaps within their stream. */
import type { EventDraft } from '../core/change.ts'
import { type Job, type StreamEvent, streamOf, type Task } from '../core/task.ts'
import type { Hint } from '../ports/bus.ts'
import type { Sql } from '../ports/sql.ts'
import { eventOf, taskOf } from './rows.ts'
import { insertAll } from './statements.ts'

/** Secrets are sealed for the worker alone: a snapshot never carries them. */
const open = (task: Task): Task => ({ ...task, sealed: null })

/** Tasks of jobs as they are now, to be told with an event of the job; `born` are all tasks of those that are new. */
export async function snapshotsOf(
  sql: Sql,
  drafts: readonly EventDraft[],
  born: readonly Task[],
): Promise<Map<string, Task[]>> {
  const snapshots = new Map<string, Task[]>()
  for (const draft of drafts) {
    if (!('job' in draft) || snapshots.has(draft.job.id)) continue
    const { id } = draft.job
    const tasks = isBirth(draft) ? born.filter((task) => task.job === id) : await tasksOfJob(sql, id)
    snapshots.set(id, tasks.map(open))
  }
  return snapshots
}

export async function tasksOfJob(sql: Sql, job: string): Promise<Task[]> {
  return (await sql.all('SELECT * FROM tasks WHERE job_id = ? ORDER BY place', job)).map(taskOf)
}

/** Answers where each stream goes on, for those who listen. */
export async function appendEvents(
  sql: Sql,
  drafts: readonly EventDraft[],
  snapshots: ReadonlyMap<string, Task[]>,
): Promise<Hint[]> {
  // All events of a change happen at once; the record of a deleted job still has the time of its last change.
  const at = Math.max(...drafts.map((draft) => recordOf(draft).updatedAt))
  const hints: Hint[] = []
  for (const [stream, own] of Map.groupBy(drafts, streamOfDraft)) {
    const from = own.some(isBirth) ? 1 : (await lastSeq(sql, stream)) + 1
    hints.push({ stream, from, to: from + own.length - 1 })
    const rows = own.map((draft, index) => {
      const data = 'task' in draft ? { task: open(draft.task) } : { job: draft.job, tasks: snapshots.get(stream) ?? [] }
      const about = { stream, seq: from + index, user_id: recordOf(draft).user, at, type: draft.type }
      return { ...about, data: JSON.stringify(data) }
    })
    await insertAll(sql, 'events', rows)
  }
  return hints
}

export async function eventsAfter(sql: Sql, stream: string, after: number): Promise<StreamEvent[]> {
  const rows = await sql.all('SELECT * FROM events WHERE stream = ? AND seq > ? ORDER BY seq', stream, after)
  return rows.map(eventOf)
}

/** Streams in which something has happened since, for those who may have missed the hint. */
export async function streamsSince(sql: Sql, at: number): Promise<Hint[]> {
  const rows = await sql.all(
    'SELECT stream, min(seq) AS first, max(seq) AS last FROM events WHERE at >= ? GROUP BY stream',
    at,
  )
  return rows.map((row) => ({ stream: String(row.stream), from: Number(row.first), to: Number(row.last) }))
}

/** The first event of its stream. */
const isBirth = (draft: EventDraft): boolean =>
  draft.type === 'job_created' || (draft.type === 'task_created' && draft.task.job === null)
const recordOf = (draft: EventDraft): Task | Job => ('task' in draft ? draft.task : draft.job)
const streamOfDraft = (draft: EventDraft): string => ('task' in draft ? streamOf(draft.task) : draft.job.id)

async function lastSeq(sql: Sql, stream: string): Promise<number> {
  const [row] = await sql.all('SELECT max(seq) AS seq FROM events WHERE stream = ?', stream)
  return Number(row?.seq ?? 0)
}
