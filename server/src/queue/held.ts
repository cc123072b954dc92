/** A claim in this process: the worker's side of it, and what the queue needs to take it away. */
import { type Claim, ClaimLost, type Offer } from '../ports/queue.ts'
import type { Tx } from '../ports/sql.ts'

export interface Held {
  claim: Claim
  abort: AbortController
  /** Pending while a transaction that settles the claim is open. */
  settling: Promise<void> | null
}

interface Holder {
  /** Asked before settling in `tx`. */
  isOurs(tx: Tx): boolean
  /** Told when the settling transaction has committed. */
  ended(): void
  /** Why the last attempt ended, for those who are handed an exhausted task. */
  reason: unknown
}

export function createHeld({ id, lane, attempts }: Offer, { isOurs, ended, reason }: Holder): Held {
  const abort = new AbortController()
  const held: Held = {
    abort,
    settling: null,
    claim: {
      id,
      lane,
      attempt: attempts,
      signal: abort.signal,
      reason,
      async settle(tx) {
        if (!isOurs(tx) || held.settling) throw new ClaimLost(id)
        const { promise, resolve } = Promise.withResolvers<void>()
        held.settling = promise
        tx.onEnd((committed) => {
          held.settling = null
          if (committed) ended()
          resolve()
        })
      },
    },
  }
  return held
}
