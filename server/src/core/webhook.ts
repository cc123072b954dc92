/**
 * Webhooks: which events there are, when a failed delivery is tried again, and how a body is signed. Only computes:
 * sending is notify/webhooks.ts, keeping is the store.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { JobEventType } from './task.ts'

export const WEBHOOK_EVENTS = ['job.created', 'job.success', 'job.failed'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
/** Sent on request, to see that a receiver works. */
export const TEST_EVENT = 'webhook.test'

const TOLD: Partial<Record<JobEventType, WebhookEvent>> = {
  job_created: 'job.created',
  job_completed: 'job.success',
  job_failed: 'job.failed',
}

/** What a webhook is told of this, if anything. */
export const webhookEventOf = (type: string): WebhookEvent | null => TOLD[type as JobEventType] ?? null

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses before the second, third … attempt: "retries with growing delays over a day". */
const PAUSES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  10 * HOUR,
]

/** Milliseconds until the next attempt after so many failed ones; null when there is none. */
export const pauseAfter = (attempts: number): number | null => PAUSES[attempts - 1] ?? null

/** After a rotation both secrets sign for this long, so that receivers can change over without losing anything. */
export const OVERLAP = 24 * HOUR

const PREFIX = 'whsec_'

export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

export interface Signing {
  id: string
  /** Whole seconds since 1970. */
  timestamp: number
  body: string
}

/**
 * The headers that prove where a body comes from: Standard Webhooks, one signature for each secret, the newest first; and
 * "a plain hex HMAC-SHA-256 of the body … in `X-Signature`, for existing receivers", by the newest.
 */
export function signatureHeaders({ id, timestamp, body }: Signing, secrets: readonly string[]): Record<string, string> {
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
    'X-Signature': createHmac('sha256', secrets[0] ?? '')
      .update(body)
      .digest('hex'),
  }
}
