/**
 * The queue of one process. It forgets everything when the process ends: what was waiting or running is in the store,
 * and is offered again at the next start. Claims are fenced all the same, so that an attempt that was withdrawn cannot
 * end the task.
 */
import { ClaimLost, type Handle, MOST_ATTEMPTS, type Offer, type Queue, type ShareOf } from '../ports/queue.ts'
import type { Tx } from '../ports/sql.ts'
import { createConsumers } from './consumers.ts'
import { createHeld, type Held } from './held.ts'
import { type Candidate, isNext, type LaneLine, type Standing } from './lane-line.ts'
import { createLines } from './lines.ts'
import { createShares } from './shares.ts'

export interface MemoryQueueOptions {
  /** No owner has a limit unless given. */
  shareOf?: ShareOf
  /** Milliseconds before a failed attempt is repeated; what failed at once would most likely fail at once again. */
  retryDelay?: number
}

interface Entry extends Offer, Standing {
  /** The attempt that holds it now. */
  held: Held | null
  /** Of the pause before it is tried again. */
  timer: NodeJS.Timeout | undefined
  reason: unknown
  /** The transaction, still open, that withdraws it. */
  leaving: Tx | null
}

const noLimit: ShareOf = async () => null

export function createMemoryQueue({ shareOf = noLimit, retryDelay = 1000 }: MemoryQueueOptions = {}): Queue {
  const shares = createShares((owner) => lines.review(owner))
  const lines = createLines<Entry>(shares.mayRun)
  const entries = new Map<string, Entry>()
  const offering = new Set<string>()
  const exhausted = new Set<Entry>()
  const resting = new Set<Entry>()
  const { serve, wake, ...consumers } = createConsumers()
  let seq = 0
  let closed = false

  /** What the owner may have running holds with what is written in `tx`. */
  const learn = async (tx: Tx, owner: string): Promise<void> => {
    const most = await shareOf(tx, owner)
    tx.onCommit((committed) => {
      if (committed) shares.allow(owner, most)
    })
  }

  const stand = (entry: Entry): void => {
    if (entry.attempts >= MOST_ATTEMPTS) exhausted.add(entry)
    else lines.of(entry).add(entry)
    wake()
  }

  const standLater = (entry: Entry): void => {
    if (closed) return
    resting.add(entry)
    entry.timer = setTimeout(() => {
      wakeUp(entry)
      stand(entry)
    }, retryDelay).unref()
  }
  const wakeUp = (entry: Entry): void => {
    resting.delete(entry)
    clearTimeout(entry.timer)
  }

  const drop = (entry: Entry): void => {
    entries.delete(entry.id)
    exhausted.delete(entry)
    if (entry.at >= 0) lines.of(entry).remove(entry)
    wakeUp(entry)
    release(entry)
  }
  /** The worker that holds it, if any, is told to stop and cannot settle it any more, unless it is just doing so. */
  const release = (entry: Entry): void => {
    const { held } = entry
    if (held?.settling) return
    entry.held = null
    held?.abort.abort(new ClaimLost(entry.id))
  }

  /** One attempt. `spent` tells whether it counts: handing over an exhausted task does not. */
  const run = async (entry: Entry, handle: Handle, spent: 0 | 1): Promise<void> => {
    const held = createHeld(entry, {
      // Recording a failure withdraws the task, and the worker that reports it settles in the same transaction.
      isOurs: (tx) => entry.held === held && (entry.leaving === null || entry.leaving === tx),
      settling: (tx) => learn(tx, entry.owner),
      ended: () => {
        entry.held = null
        if (entries.get(entry.id) === entry) entries.delete(entry.id)
      },
      released: () => {
        entry.held = null
        if (entries.get(entry.id) === entry && !closed) stand(entry)
      },
      reason: spent ? undefined : entry.reason,
    })
    entry.held = held
    try {
      await handle(held.claim)
      entry.reason = new Error('the attempt ended without settling')
    } catch (error) {
      entry.reason = error
    }
    // A handler need not wait for the transaction in which it settled.
    await held.settling
    if (entry.held !== held) return
    entry.held = null
    entry.attempts += spent
    standLater(entry)
  }

  return {
    async offer(tx, tasks) {
      const ids = new Set(tasks.map((task) => task.id))
      const twice = tasks.find(({ id }) => offering.has(id) || entries.get(id)?.leaving === null)
      if (twice || ids.size < tasks.length) throw new Error(`task ${twice?.id ?? ''} is already on offer`)
      tx.onCommit((committed) => {
        for (const id of ids) offering.delete(id)
        if (!committed) return
        for (const task of tasks) {
          const entry = entryOf(task, seq++)
          entries.set(entry.id, entry)
          stand(entry)
        }
      })
      for (const id of ids) offering.add(id)
      for (const owner of new Set(tasks.map((task) => task.owner))) await learn(tx, owner)
    },

    async withdraw(tx, tasks) {
      const leaving = tasks.flatMap(({ id }) => entries.get(id) ?? [])
      for (const entry of leaving) entry.leaving = tx
      tx.onCommit((committed) => {
        for (const entry of leaving) entry.leaving = null
        if (!committed) return
        // Looked up again: a transaction that ended together with this one may have offered it.
        for (const { id } of tasks) {
          const entry = entries.get(id)
          if (entry) drop(entry)
        }
        wake()
      })
    },

    consume: (lanes, capacity, handle, covers = () => true) =>
      serve(capacity, () => {
        const entry = nextOf(lines.covered(lanes, covers))
        if (!entry) return undefined
        const line = lines.of(entry)
        line.start(entry)
        shares.start(entry.owner)
        return () =>
          run(entry, handle, 1).finally(() => {
            line.done(entry.owner)
            shares.done(entry.owner)
          })
      }),

    exhausted: (handle) =>
      serve(1, () => {
        const [entry] = exhausted
        if (!entry) return undefined
        exhausted.delete(entry)
        return () => run(entry, handle, 0)
      }),

    async depth() {
      const depths = lines.depth()
      for (const entry of resting) depths[entry.lane].waiting++
      return depths
    },

    /** Attempts that still run are told to stop and lose their claim: the store has them as `processing`. */
    async close() {
      closed = true
      consumers.stop()
      for (const entry of entries.values()) {
        wakeUp(entry)
        release(entry)
      }
      await consumers.idle()
    },
  }
}

function entryOf({ id, lane, needs, owner, priority, attempts }: Offer, seq: number): Entry {
  const reason = attempts < MOST_ATTEMPTS ? null : new Error(`it was started ${attempts} times and never ended`)
  const offer = { id, lane, needs, owner, priority, attempts }
  return { ...offer, seq, at: -1, held: null, timer: undefined, reason, leaving: null }
}

function nextOf(lines: readonly LaneLine<Entry>[]): Entry | undefined {
  let best: Candidate<Entry> | undefined
  for (const line of lines) {
    const candidate = line.next()
    if (candidate && (!best || isNext(candidate, best))) best = candidate
  }
  return best?.entry
}
