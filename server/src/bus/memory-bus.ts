/** Hints within one process. */
import type { Bus, Hint } from '../ports/bus.ts'

export function createMemoryBus(): Bus {
  const listeners = new Set<{ hear(hint: Hint): void }>()
  return {
    publish(hint) {
      for (const { hear } of listeners) {
        try {
          hear(hint)
        } catch (error) {
          // A listener that fails must not keep the others, or the one who publishes, from going on.
          process.emitWarning(error instanceof Error ? error : String(error))
        }
      }
    },
    subscribe(hear) {
      const listener = { hear }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
