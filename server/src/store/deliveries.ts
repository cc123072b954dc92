/** Deliveries to webhooks, written in the transaction that caused them: what is committed is told, whatever happens next. */
import type { EventDraft } from '../core/change.ts'
import { newId } from '../core/ids.ts'
import type { Task } from '../core/task.ts'
import { type WebhookEvent, webhookEventOf } from '../core/webhook.ts'
import type { Sql } from '../ports/sql.ts'
import type { Delivery } from '../ports/webhooks.ts'
import { insert } from './statements.ts'

export const insertDelivery = (sql: Sql, delivery: Delivery): Promise<number> =>
  insert(sql, 'deliveries', {
    id: delivery.id,
    user_id: delivery.user,
    webhook_id: delivery.webhook,
    url: delivery.url,
    event: delivery.event,
    job_id: delivery.job,
    told: JSON.stringify(delivery.told),
    status: delivery.status,
    attempts: delivery.attempts,
    next_at: delivery.nextAt,
    created_at: delivery.createdAt,
  })

/** Answers how many were written. */
export async function writeDeliveries(
  sql: Sql,
  drafts: readonly EventDraft[],
  snapshots: ReadonlyMap<string, Task[]>,
): Promise<number> {
  let written = 0
  for (const draft of drafts) {
    const event = webhookEventOf(draft.type)
    if (!event || !('job' in draft)) continue
    const { job } = draft
    const told = { job, tasks: snapshots.get(job.id) ?? [] }
    const own = job.webhookUrl === null ? [] : [{ id: null, url: job.webhookUrl }]
    for (const { id, url } of [...own, ...(await hooksOf(sql, job.user, event))]) {
      const fresh = { status: 'waiting', attempts: 0, nextAt: job.updatedAt, createdAt: job.updatedAt } as const
      const about = { user: job.user, webhook: id, url, event, job: job.id, told }
      await insertDelivery(sql, { id: newId(job.updatedAt), ...about, ...fresh })
      written++
    }
  }
  return written
}

async function hooksOf(sql: Sql, user: string, event: WebhookEvent): Promise<{ id: string; url: string }[]> {
  const rows = await sql.all('SELECT id, url, events FROM webhooks WHERE user_id = ? AND enabled = 1 ORDER BY id', user)
  return rows
    .filter((row) => (JSON.parse(String(row.events)) as string[]).includes(event))
    .map((row) => ({ id: String(row.id), url: String(row.url) }))
}
