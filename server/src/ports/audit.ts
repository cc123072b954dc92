/** Who did what, on what, when. Entries are only ever added; the janitor removes those whose time is over. */
import type { JsonObject } from '../core/task.ts'
import type { Also } from './sql.ts'
import type { Found } from './store.ts'

export const ACTIONS = [
  'session.opened',
  'session.failed',
  'session.ended',
  'password.changed',
  'ticket.redeemed',
  'identity.linked',
  'key.created',
  'key.changed',
  'key.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.rotated',
  'webhook.deleted',
  'user.created',
  'user.invited',
  'user.changed',
  'user.suspended',
  'user.resumed',
  'user.reset',
  'user.deleted',
  'plan.created',
  'plan.changed',
  'plan.deleted',
] as const
export type Action = (typeof ACTIONS)[number]

export interface AuditEntry {
  id: string
  at: number
  /** null when nobody was recognised. */
  user: string | null
  /** As it was then; of a sign-in that failed, as it was typed. */
  email: string | null
  /** `server`: the machine's operator, or the service itself. */
  via: 'key' | 'session' | 'server' | 'none'
  viaId: string | null
  address: string | null
  action: Action
  /** What it was done to: `user:{id}`, `key:{id}`, `webhook:{id}`, `plan:{name}`. */
  target: string | null
  /** Never a secret. */
  detail: JsonObject
}

export interface AuditFilter {
  /** Who did it, or whom it was done to. */
  user?: string | undefined
  /** One action, or a family such as `key`. */
  action?: string | undefined
}

export interface Audit {
  write(entry: AuditEntry): Promise<void>
  /** To be written together with what it tells of. */
  within(entry: AuditEntry): Also
  /** Newest first. */
  list(filter: AuditFilter, page: number, limit: number): Promise<Found<AuditEntry>>
  expire(before: number): Promise<void>
}
