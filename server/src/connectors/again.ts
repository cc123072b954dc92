/** Tries again what may pass, and reads on where a connection broke. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Opened, Storage } from './storage.ts'
import { broken, changed, Passing } from './trouble.ts'

/** Milliseconds before each further try. */
const PAUSES = [250, 1000, 3000]

export async function again<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      await pause(error, tries, signal)
    }
  }
}

/** Throws what does not pass, or has not passed for long enough. */
async function pause(error: unknown, tries: number, signal: AbortSignal): Promise<void> {
  const most = PAUSES[tries]
  if (!(error instanceof Passing) || most === undefined) throw error
  // Spread, so that many tasks that failed together do not come back together.
  await sleep(most * (0.5 + Math.random() / 2), undefined, { signal })
}

export interface Steady {
  size: number | null
  body: AsyncIterable<Uint8Array>
}

/** An object as one stream of bytes, over as many connections as it takes. */
export async function openSteadily(storage: Storage, name: string, signal: AbortSignal): Promise<Steady> {
  const first = await again(() => storage.open(name, { start: 0, version: null }), signal)
  return { size: first.size, body: through(storage, name, first, signal) }
}

async function* through(storage: Storage, name: string, first: Opened, signal: AbortSignal) {
  const { size, version } = first
  let opened = first
  let seen = 0
  for (let tries = 0; ; tries++) {
    const before = seen
    try {
      let skip = seen - opened.start
      for await (const chunk of opened.body) {
        const fresh = skip > 0 ? chunk.subarray(skip) : chunk
        skip = Math.max(0, skip - chunk.length)
        seen += fresh.length
        if (fresh.length > 0) yield fresh
      }
      if (size === null || seen === size) return
      throw new Passing(`The connection to ${storage.host} broke off.`)
    } catch (error) {
      signal.throwIfAborted()
      // Whoever gets on is not stuck: the count begins anew.
      if (seen > before) tries = 0
      await pause(broken(error, storage.host), tries, signal)
    }
    opened = await again(() => storage.open(name, { start: seen, version }), signal)
    if (opened.size !== size) throw changed(`"${name}"`)
  }
}
