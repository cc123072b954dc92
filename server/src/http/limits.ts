/** How many requests a minute a key, or an address without one, may send. A bucket that fills evenly; kept in memory. */
import { Problem } from '../core/errors.ts'

export interface Allowance {
  ok: boolean
  remaining: number
  /** Seconds until the bucket is full again; when refused, until the next request is taken. */
  wait: number
}

export interface Limiter {
  perMinute: number
  take(who: string, now: number): Allowance
}

const MOST_BUCKETS = 100_000

export function createLimiter(perMinute: number): Limiter {
  const buckets = new Map<string, { level: number; at: number }>()
  const perMs = perMinute / 60_000
  return {
    perMinute,
    take(who, now) {
      const bucket = buckets.get(who)
      const level = bucket ? Math.min(perMinute, bucket.level + (now - bucket.at) * perMs) : perMinute
      const ok = level >= 1
      const left = ok ? level - 1 : level
      buckets.delete(who)
      buckets.set(who, { level: left, at: now })
      // The map keeps the order of use, so the first is the one that has been quiet longest.
      if (buckets.size > MOST_BUCKETS) buckets.delete(buckets.keys().next().value ?? '')
      const wait = ok ? (perMinute - left) / perMs : (1 - level) / perMs
      return { ok, remaining: Math.floor(left), wait: Math.max(1, Math.ceil(wait / 1000)) }
    },
  }
}

/** The IETF fields: the policy, and what is left of it. */
export const limitHeaders = (limiter: Limiter, { remaining, wait }: Allowance): Record<string, string> => ({
  'RateLimit-Policy': `"default";q=${limiter.perMinute};w=60`,
  RateLimit: `"default";r=${remaining};t=${wait}`,
})

export const tooMany = (limiter: Limiter, wait: number): Problem =>
  new Problem(
    'too_many_requests',
    `More than ${limiter.perMinute} requests a minute. Try again in ${wait} second${wait === 1 ? '' : 's'}.`,
    { headers: { 'Retry-After': String(wait) } },
  )
