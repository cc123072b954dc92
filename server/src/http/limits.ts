/** How many requests a minute a key, or an address without one, may send. A bucket that fills evenly; kept in memory. */
import { Problem } from '../core/errors.ts'

export interface Allowance {
  ok: boolean
  remaining: number
  /** Seconds until the bucket is full again; when refused, until the next request is taken. */
  wait: number
}

export interface Limiter {
  take(who: string, perMinute: number, now: number): Allowance
}

export interface SpendingLimiter extends Limiter {
  /** Takes out what was let through elsewhere. */
  spend(who: string, requests: number): void
}

const MOST_BUCKETS = 100_000

export function createLimiter(): SpendingLimiter {
  const buckets = new Map<string, { level: number; at: number }>()
  return {
    take(who, perMinute, now) {
      const perMs = perMinute / 60_000
      const bucket = buckets.get(who)
      const level = bucket ? Math.min(perMinute, bucket.level + (now - bucket.at) * perMs) : perMinute
      const ok = level >= 1
      const left = ok ? level - 1 : level
      buckets.delete(who)
      buckets.set(who, { level: left, at: now })
      // The map keeps the order of use, so the first is the one that has been quiet longest.
      if (buckets.size > MOST_BUCKETS) buckets.delete(buckets.keys().next().value ?? '')
      const wait = ok ? (perMinute - left) / perMs : (1 - level) / perMs
      return { ok, remaining: Math.max(0, Math.floor(left)), wait: Math.max(1, Math.ceil(wait / 1000)) }
    },
    spend(who, requests) {
      const bucket = buckets.get(who)
      if (bucket) bucket.level -= requests
    },
  }
}

/** The IETF fields: the policy, and what is left of it. */
export const limitHeaders = (perMinute: number, { remaining, wait }: Allowance): Record<string, string> => ({
  'RateLimit-Policy': `"default";q=${perMinute};w=60`,
  RateLimit: `"default";r=${remaining};t=${wait}`,
})

export const tooMany = (perMinute: number, wait: number): Problem =>
  new Problem(
    'too_many_requests',
    `More than ${perMinute} requests a minute. Try again in ${wait} second${wait === 1 ? '' : 's'}.`,
    { headers: { 'Retry-After': String(wait) } },
  )
