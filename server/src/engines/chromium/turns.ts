/** So many at once, the others in the order of asking. */

export interface Turns {
  /** Resolves with what ends the turn; rejects with the signal's reason when its caller gives up waiting. */
  take(signal: AbortSignal): Promise<() => void>
}

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  let free = atOnce

  const end = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return end
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const quit = (): void => {
        waiting.splice(waiting.indexOf(resolve), 1)
        reject(signal.reason)
      }
      waiting.push(resolve)
      signal.addEventListener('abort', quit, { once: true })
      await promise.finally(() => signal.removeEventListener('abort', quit))
      return end
    },
  }
}
