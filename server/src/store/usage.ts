/**
 * What tasks used, written in the transaction that ends them. `meters` has a user's and a key's seconds of each day, which
 * is all that limits need; `usage` tells what they were used for.
 */
import type { Change } from '../core/change.ts'
import { DAY, startOf } from '../core/quota.ts'
import { hasEnded, isMetered, type Task } from '../core/task.ts'
import type { Row, Sql } from '../ports/sql.ts'
import { insertAll } from './statements.ts'

/** Longer than anybody looks back. */
export const USAGE_KEPT = 400 * DAY

export const USAGE_KEY = 'user_id, day, key_id, operation, source, format'
const SUMS = ['tasks', 'failed', 'seconds', 'bytes_in', 'bytes_out'] as const
const ADD_USAGE = `ON CONFLICT (${USAGE_KEY}) DO UPDATE SET ${SUMS.map((sum) => `${sum} = usage.${sum} + excluded.${sum}`).join(', ')}`
const ADD_METER = 'ON CONFLICT (who, day) DO UPDATE SET seconds = meters.seconds + excluded.seconds'

/** A task at its end, and when that was. */
interface Ended {
  task: Task
  at: number
}

/** "Metered in real seconds, never rounded up per task." However it ended, and however often it was tried before. */
export async function charge(sql: Sql, change: Change, before: ReadonlyMap<string, Task>): Promise<void> {
  const meters = new Map<string, Row>()
  const usage = new Map<string, Row>()
  for (const ended of endedIn(change, before)) {
    const seconds = secondsOf(ended)
    const { user, key } = ended.task
    const day = startOf('day', ended.at)
    if (seconds > 0) for (const who of key === null ? [user] : [user, key]) add(meters, { who, day }, { seconds })
    add(usage, ...usageOf(ended, day, seconds))
  }
  // Always in the same order, so that two transactions that lock these rows do not wait for each other.
  await insertAll(sql, 'meters', sorted(meters), ADD_METER)
  await insertAll(sql, 'usage', sorted(usage), ADD_USAGE)
}

/** Who deletes a task that runs has used it all the same. */
function endedIn(change: Change, before: ReadonlyMap<string, Task>): Ended[] {
  const open = (id: string): boolean => {
    const task = before.get(id)
    return task !== undefined && !hasEnded(task.status)
  }
  const removed = change.events.flatMap((event) => (event.type === 'task_deleted' ? [event.task] : []))
  return [
    ...change.tasks.flatMap((task) => (open(task.id) && task.endedAt !== null ? [{ task, at: task.endedAt }] : [])),
    ...removed.flatMap((task) => (open(task.id) && task.takenAt !== null ? [{ task, at: task.updatedAt }] : [])),
  ]
}

const secondsOf = ({ task, at }: Ended): number =>
  isMetered(task) && task.takenAt !== null ? Math.max(0, at - task.takenAt) / 1000 : 0

function usageOf({ task }: Ended, day: number, seconds: number): [Row, Row] {
  const { user, key, operation, source, status, bytesIn, result, payload } = task
  const files = result?.files ?? []
  // Others ignore this field, whatever is in it.
  const asked = isMetered(task) && typeof payload.output_format === 'string' ? payload.output_format : ''
  return [
    { user_id: user, day, key_id: key ?? '', operation, source: source ?? '', format: files[0]?.format ?? asked },
    {
      tasks: 1,
      failed: status === 'failed' ? 1 : 0,
      seconds,
      bytes_in: bytesIn,
      bytes_out: files.reduce((sum, { size }) => sum + size, 0),
    },
  ]
}

function add(rows: Map<string, Row>, about: Row, sums: Row): void {
  const name = JSON.stringify(Object.values(about))
  const known = rows.get(name)
  const total = Object.entries(sums).map(([column, n]) => [column, Number(known?.[column] ?? 0) + Number(n)])
  rows.set(name, { ...about, ...Object.fromEntries(total) })
}

const sorted = (rows: Map<string, Row>): Row[] => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
