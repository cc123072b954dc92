/** Places for so many at once, given out in the order of asking. */

export interface Turns {
  /** Waits for a place; whoever got one must `leave` it. Throws the signal's reason when the caller goes first. */
  enter(signal: AbortSignal): Promise<void>
  leave(): void
}

export function createTurns(places: number): Turns {
  const queue: (() => void)[] = []
  let taken = 0
  return {
    async enter(signal) {
      signal.throwIfAborted()
      if (taken < places) {
        taken += 1
        return
      }
      await new Promise<void>((resolve, reject) => {
        const turn = (): void => {
          signal.removeEventListener('abort', quit)
          resolve()
        }
        const quit = (): void => {
          queue.splice(queue.indexOf(turn), 1)
          reject(signal.reason)
        }
        queue.push(turn)
        signal.addEventListener('abort', quit, { once: true })
      })
    },
    leave() {
      const next = queue.shift()
      if (next) next()
      else taken -= 1
    },
  }
}
