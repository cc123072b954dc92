/** Plans, and what was used. What is used is written by the store, in the transaction that ends a task. */
import type { Plan, Terms, Used } from '../core/quota.ts'
import type { Also } from './sql.ts'

export interface CountedPlan extends Plan {
  /** How many users have it. */
  users: number
}

export interface Plans {
  /** By name. */
  list(): Promise<CountedPlan[]>
  find(name: string): Promise<Plan | null>
  /** False when there is one of that name. `also` runs in the same transaction, here and below. */
  add(plan: Plan, also?: Also): Promise<boolean>
  /** null when there is none of that name. */
  change(name: string, to: Partial<Omit<Plan, 'name'>>, also?: Also): Promise<Plan | null>
  /** A plan that somebody has stays. */
  remove(name: string, also?: Also): Promise<'removed' | 'used' | 'unknown'>
}

export const USAGE_FIELDS = ['day', 'operation', 'from', 'format', 'key'] as const
export type UsageField = (typeof USAGE_FIELDS)[number]

export interface UsageQuery {
  /** First milliseconds of the first day and of the one after the last. */
  from: number
  to: number
  by: readonly UsageField[]
}

export interface UsageSums {
  tasks: number
  failed: number
  seconds: number
  bytesIn: number
  bytesOut: number
}

/** With a value for each field that was asked for; a day is its first millisecond, nothing is the empty string. */
export interface UsageRow extends UsageSums {
  day?: number
  operation?: string
  from?: string
  format?: string
  key?: string
}

export interface Metering {
  plans: Plans
  /** What holds for the tasks of a user, created with this key. Somebody unknown has no limits. */
  terms(user: string, key: string | null): Promise<Terms>
  /** Charged and running, as of now; of the key where it has a budget. */
  used(user: string, key: string | null, terms: Terms, now: number): Promise<Used>
  /** Seconds that a user, or a key, was charged since then, the day's first millisecond. */
  secondsSince(who: string, since: number): Promise<number>
  /** Of a user, or of all of them; in the order of `by`. */
  usage(user: string | null, query: UsageQuery): Promise<UsageRow[]>
}
