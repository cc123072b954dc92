/** Handing out ready tasks. Offers and withdrawals happen with the transaction that records why. */
import { LANES, type Lane } from '../core/task.ts'
import type { Sql, Tx } from './sql.ts'

/** A task that is ready to run. */
export interface Offer {
  id: string
  lane: Lane
  /** Tasks of one owner share a limit over all lanes (`ShareOf`), and take turns with those of others. */
  owner: string
  /** Higher goes first. */
  priority: number
  /** How often it has been started before. */
  attempts: number
  /**
   * What a worker must have to run it: one word of the caller's making, such as an engine group (`office`) or several in
   * a fixed order (`office.video`); letters, digits, `.`, `-` and `_`. Any worker of the lane may run a task that needs
   * nothing. Each pair of lane and need is a line of its own, so there should be tens of different needs, not thousands.
   */
  needs?: string
}

/**
 * How many tasks of an owner may run at once, in all lanes together; null for any number. A queue asks in the transactions
 * that offer and settle tasks of the owner, so that a new answer holds from the next of them on.
 */
export type ShareOf = (sql: Sql, owner: string) => Promise<number | null>

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
  /** Gives the task back inside `tx`: it is on offer again at once, and this attempt does not count. Throws as `settle`. */
  release(tx: Tx): Promise<void>
}

export type Handle = (claim: Claim) => Promise<void>

export interface Consumer {
  /** Takes no more tasks and waits for the running ones. */
  close(): Promise<void>
}

export type Depths = Record<Lane, { waiting: number; running: number }>

export const noDepths = (): Depths =>
  Object.fromEntries(LANES.map((lane) => [lane, { waiting: 0, running: 0 }])) as Depths

export interface Queue {
  /** Makes tasks available once `tx` commits. */
  offer(tx: Tx, tasks: readonly Offer[]): Promise<void>
  /** Removes tasks, waiting or running, once `tx` commits. Running attempts are aborted and cannot settle. */
  withdraw(tx: Tx, tasks: readonly Ref[]): Promise<void>
  /**
   * Runs tasks of the lanes, at most `capacity` at a time in total. A handler that throws, or does not settle, is retried.
   * `covers` is asked whether this worker has what a task needs (never of tasks that need nothing); all needs by default.
   * Its answer for a word must not change while it consumes: close and consume again.
   */
  consume(lanes: readonly Lane[], capacity: number, handle: Handle, covers?: (needs: string) => boolean): Consumer
  /** Hands over tasks whose attempts are used up; settle them in the transaction that records the failure. */
  exhausted(handle: Handle): Consumer
  /** How many tasks wait and run in each lane. */
  depth(): Promise<Depths>
  close(): Promise<void>
}

export const MOST_ATTEMPTS = 3

export class ClaimLost extends Error {
  constructor(id: string) {
    super(`task ${id} is no longer held by this worker`)
    this.name = 'ClaimLost'
  }
}
