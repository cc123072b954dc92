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
  /** Told when it is being settled in `tx`. */
  settling(tx: Tx): Promise<void>
  /** Told when the settling transaction has committed. */
  ended(): void
  /** Told when the transaction that gives it back has committed. */
  released(): void
  /** Why the last attempt ended, for those who are handed an exhausted task. */
  reason: unknown
}

export function createHeld({ id, lane, attempts }: Offer, holder: Holder): Held {
  const abort = new AbortController()
  /** Lets go of the claim when `tx` commits. */
  const letGo = async (tx: Tx, committed: () => void): Promise<void> => {
    if (!holder.isOurs(tx) || held.settling) throw new ClaimLost(id)
    const { promise, resolve } = Promise.withResolvers<void>()
    held.settling = promise
    tx.onCommit((done) => {
      held.settling = null
      if (done) committed()
      resolve()
    })
    await holder.settling(tx)
  }
  const held: Held = {
    abort,
    settling: null,
    claim: {
      id,
      lane,
      attempt: attempts,
      signal: abort.signal,
      reason: holder.reason,
      settle: (tx) => letGo(tx, holder.ended),
      release: (tx) => letGo(tx, holder.released),
    },
  }
  return held
}
