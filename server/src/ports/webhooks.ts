/** Who wants to be told of jobs, and what was told. A delivery is written in the transaction that caused it. */
import type { Job, Task } from '../core/task.ts'
import type { WebhookEvent } from '../core/webhook.ts'
import type { Also } from './sql.ts'
import type { Found } from './store.ts'

/** One or two sealed secrets: the current one, and after a rotation the one before. */
export interface SealedSecrets {
  current: string
  previous: { sealed: string; until: number } | null
}

export interface Webhook {
  id: string
  user: string
  url: string
  events: readonly WebhookEvent[]
  enabled: boolean
  /** Why we switched it off; null when the user did, or when it is on. */
  reason: string | null
  secrets: SealedSecrets
  createdAt: number
  updatedAt: number
}

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** What the body shows. */
export type Told = { job: Job; tasks: readonly Task[] } | { test: true }

export interface Delivery {
  /** Also its `webhook-id`: the same on every attempt. */
  id: string
  user: string
  /** null for the `webhook_url` of a job. */
  webhook: string | null
  url: string
  event: string
  job: string | null
  told: Told
  status: DeliveryStatus
  attempts: number
  /** When the next attempt is due; null when there is none. */
  nextAt: number | null
  createdAt: number
}

export interface Attempt {
  at: number
  /** How long it took. */
  milliseconds: number
  /** What was answered; null when no answer came. */
  status: number | null
  /** The beginning of the answer, or why there was none. */
  answer: string
}

export interface Outcome {
  status: DeliveryStatus
  nextAt: number | null
}

export interface Webhooks {
  add(webhook: Webhook, also?: Also): Promise<void>
  list(user: string, page: number, limit: number): Promise<Found<Webhook>>
  find(id: string): Promise<Webhook | null>
  /** Switching it off also ends its waiting deliveries. */
  change(
    id: string,
    to: Partial<Pick<Webhook, 'url' | 'events' | 'enabled' | 'reason' | 'secrets'>>,
    now: number,
    also?: Also,
  ): Promise<Webhook | null>
  /** Its deliveries go with it. */
  remove(id: string, also?: Also): Promise<boolean>

  /** The secrets that sign for the `webhook_url` of jobs; made by `make` when there are none. */
  accountSecrets(user: string, make: () => SealedSecrets): Promise<SealedSecrets>
  setAccountSecrets(user: string, secrets: SealedSecrets, also?: Also): Promise<void>

  /** Newest first; of one webhook where given. */
  deliveries(user: string, webhook: string | null, page: number, limit: number): Promise<Found<Delivery>>
  delivery(id: string): Promise<Delivery | null>
  attempts(delivery: string): Promise<Attempt[]>
  /** A delivery that no job caused. */
  addDelivery(delivery: Delivery): Promise<void>
  /** Makes it due now, whatever became of it. */
  resend(id: string, now: number): Promise<Delivery | null>

  /**
   * Takes deliveries that are due, oldest first, and puts them off until `until`: whoever takes them and dies leaves them
   * to the next.
   */
  take(now: number, until: number, most: number): Promise<Delivery[]>
  /** What became of an attempt. */
  record(id: string, attempt: Attempt, outcome: Outcome): Promise<void>
  /** When the next delivery is due. */
  nextDue(): Promise<number | null>
  /** Removes deliveries older than that. */
  expire(before: number): Promise<void>
}
