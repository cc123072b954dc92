/**
 * The limit of requests over all nodes. Each node has its own buckets, so no request waits for the database; once a second
 * it writes down what it let through, reads what the others did, and takes that out of its buckets as well.
 */
import type { Clock } from '../ports/clock.ts'
import type { Requests } from '../ports/requests.ts'
import type { Limiter, SpendingLimiter } from './limits.ts'

const MINUTE = 60_000
const EVERY = 1000
/** Minutes that are kept: clocks of nodes differ. */
const KEPT = 5

interface SharedLimiterDeps {
  local: SpendingLimiter
  requests: Requests
  clock: Clock
  failed(error: unknown): void
  /** Milliseconds. */
  every?: number
}

export function createSharedLimiter({ local, requests, clock, failed, every = EVERY }: SharedLimiterDeps) {
  /** Let through here and not written down yet. */
  let fresh = new Map<string, number>()
  /** Of each caller in this minute: what we know of all nodes, ours included. */
  let known = new Map<string, number>()
  let minute = 0

  async function share(): Promise<void> {
    const now = Math.floor(clock.now() / MINUTE)
    if (now !== minute) {
      minute = now
      known = new Map()
      await requests.expire(minute - KEPT)
    }
    const told = fresh
    fresh = new Map()
    // Those who were here in this minute may be elsewhere now, and come back.
    const asked = new Map([...[...known.keys()].map((who) => [who, 0] as const), ...told])
    if (asked.size === 0) return
    for (const [who, sum] of await requests.add(minute, asked)) {
      local.spend(who, sum - (known.get(who) ?? 0) - (told.get(who) ?? 0))
      known.set(who, sum)
    }
  }

  let sharing: Promise<void> | null = null
  const timer = setInterval(() => {
    sharing ??= share()
      .catch(failed)
      .finally(() => {
        sharing = null
      })
  }, every).unref()

  const limiter: Limiter = {
    take(who, perMinute, now) {
      const allowance = local.take(who, perMinute, now)
      if (allowance.ok) fresh.set(who, (fresh.get(who) ?? 0) + 1)
      return allowance
    },
  }
  return {
    ...limiter,
    async close(): Promise<void> {
      clearInterval(timer)
      await sharing
    },
  }
}
