/** Reads the events that hints point at, in order and each once, and hands them on. The rows are the truth. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamEvent } from '../core/task.ts'
import type { Bus, Hint } from '../ports/bus.ts'
import type { Store } from '../ports/store.ts'

export interface FeedDeps {
  store: Pick<Store, 'events'>
  bus: Bus
  /** Whether anybody listens at all: reading rows for nobody would cost every job. */
  isWanted(): boolean
  deliver(event: StreamEvent): void
  failed(error: unknown): void
}

/** Streams that have been quiet longest are forgotten first; a hint says where to go on from. */
const REMEMBERED = 10_000
const ATTEMPTS = 30
const AGAIN_AFTER = 1000

/** Answers a function that stops it. */
export function startFeed({ store, bus, isWanted, deliver, failed }: FeedDeps): () => void {
  const seen = new Map<string, number>()
  const reading = new Map<string, Promise<void>>()
  let stopped = false

  async function read({ stream, from }: Hint): Promise<void> {
    const after = seen.get(stream) ?? from - 1
    for (const event of await store.events(stream, after)) {
      if (event.seq <= (seen.get(stream) ?? from - 1)) continue
      seen.delete(stream)
      seen.set(stream, event.seq)
      deliver(event)
    }
    if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value ?? '')
  }

  /** A database that is away for a moment must not cost anybody an event: no other hint may come. */
  async function readSurely(hint: Hint): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(hint)
      } catch (error) {
        failed(error)
        if (stopped || attempt === ATTEMPTS) return
        await sleep(AGAIN_AFTER, undefined, { ref: false })
      }
    }
  }

  const unsubscribe = bus.subscribe((hint) => {
    if (!isWanted()) {
      // Whoever comes later is not told what happened before.
      seen.delete(hint.stream)
      return
    }
    // One reader for each stream at a time keeps the order.
    const next = (reading.get(hint.stream) ?? Promise.resolve()).then(() => readSurely(hint))
    reading.set(hint.stream, next)
    void next.then(() => {
      if (reading.get(hint.stream) === next) reading.delete(hint.stream)
    })
  })
  return () => {
    stopped = true
    unsubscribe()
  }
}
