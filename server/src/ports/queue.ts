/** Handing out ready tasks. Offers and withdrawals happen with the transaction that records why. */
import type { Lane } from '../core/task.ts'
import type { Tx } from './sql.ts'

/** A task that is ready to run. */
export interface Offer {
  id: string
  lane: Lane
  /** Tasks of one owner share a limit in each lane, and take turns with those of others. */
  owner: string
  /** Higher goes first. */
  priority: number
  /** How often it has been started before. */
  attempts: number
}

export type Ref = Pick<Offer, 'id' | 'lane'>

/** One attempt at one task, held by one worker. */
export interface Claim extends Ref {
  /** 0 for the first attempt. */
  attempt: number
  /** Fires when the claim is withdrawn or lost: stop working. */
  signal: AbortSignal
  /** Why the last attempt ended; exhausted tasks only. */
  reason?: unknown
  /** Ends the claim inside `tx`, together with whatever else `tx` writes. Throws ClaimLost if it is no longer ours. */
  settle(tx: Tx): Promise<void>
}

export type Handle = (claim: Claim) => Promise<void>

export interface Consumer {
  /** Takes no more tasks and waits for the running ones. */
  close(): Promise<void>
}

export interface Queue {
  /** Makes tasks available once `tx` commits. */
  offer(tx: Tx, tasks: readonly Offer[]): Promise<void>
  /** Removes tasks, waiting or running, once `tx` commits. Running attempts are aborted and cannot settle. */
  withdraw(tx: Tx, tasks: readonly Ref[]): Promise<void>
  /** Runs tasks of the lanes, at most `capacity` at a time in total. A handler that throws, or does not settle, is retried. */
  consume(lanes: readonly Lane[], capacity: number, handle: Handle): Consumer
  /** Hands over tasks whose attempts are used up; settle them in the transaction that records the failure. */
  exhausted(handle: Handle): Consumer
  /** How many tasks wait and run in each lane. */
  depth(): Promise<Record<Lane, { waiting: number; running: number }>>
  close(): Promise<void>
}

export const MOST_ATTEMPTS = 3

export class ClaimLost extends Error {
  constructor(id: string) {
    super(`task ${id} is no longer held by this worker`)
    this.name = 'ClaimLost'
  }
}
