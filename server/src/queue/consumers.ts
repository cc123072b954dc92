/** Those who take tasks, each as many at a time as it can hold. What a task is, and which is next, is not known here. */
import type { Consumer } from '../ports/queue.ts'

/** Answers what runs the next attempt, or nothing when there is none to be had now. */
export type Take = () => (() => Promise<void>) | undefined

export function createConsumers() {
  const pumps = new Set<() => void>()
  const runs = new Set<Promise<void>>()
  let waking = false
  let stopped = false

  /** Later in this turn: the transactions that end together have all had their effects by then. */
  const wake = (): void => {
    if (waking) return
    waking = true
    queueMicrotask(() => {
      waking = false
      for (const pump of pumps) pump()
    })
  }

  const serve = (capacity: number, take: Take): Consumer => {
    const own = new Set<Promise<void>>()
    const pump = (): void => {
      while (own.size < capacity) {
        const start = take()
        if (!start) return
        const attempt = start().finally(() => {
          own.delete(attempt)
          runs.delete(attempt)
          wake()
        })
        own.add(attempt)
        runs.add(attempt)
      }
    }
    if (!stopped) pumps.add(pump)
    wake()
    return {
      async close() {
        pumps.delete(pump)
        await Promise.all(own)
      },
    }
  }

  return {
    serve,
    wake,
    /** Nobody takes anything any more. */
    stop(): void {
      stopped = true
      pumps.clear()
    },
    /** When what runs has ended. */
    async idle(): Promise<void> {
      await Promise.all(runs)
    },
  }
}
