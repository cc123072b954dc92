/** Lets a few in at a time, the others wait in line. Pure of everything but promises. */
export interface Gate {
  /** Runs it when there is room. Whoever gives up while waiting leaves the line. */
  through<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createGate(room: number): Gate {
  const line: (() => void)[] = []
  let inside = 0

  function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (inside < room) {
      inside++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        line.splice(line.indexOf(begin), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      line.push(begin)
    })
  }

  return {
    async through(work, signal) {
      await enter(signal)
      try {
        return await work()
      } finally {
        // Whoever is next takes the place over; only without one it becomes free.
        const next = line.shift()
        if (next) next()
        else inside--
      }
    },
  }
}
