/** Server-sent events of one job: replays from where the client was, follows, and ends with the job's final event. */
import { Readable } from 'node:stream'
import type { JsonObject, StreamEvent } from '../core/task.ts'
import type { Bus } from '../ports/bus.ts'
import type { Store } from '../ports/store.ts'

const FINAL = new Set(['job_completed', 'job_failed', 'job_deleted'])
/** Keeps proxies from closing a quiet connection, and looks again in case a hint was lost. */
const HEARTBEAT = 15_000

interface StreamDeps {
  store: Pick<Store, 'events'>
  bus: Bus
  present(event: StreamEvent): JsonObject
}

export function jobStream(deps: StreamDeps, job: string, after: number, signal: AbortSignal): Readable {
  return Readable.from(frames(deps, job, after, signal), { objectMode: false })
}

async function* frames({ store, bus, present }: StreamDeps, job: string, after: number, signal: AbortSignal) {
  let seen = after
  let wake = () => {}
  let stale = true
  const unsubscribe = bus.subscribe((hint) => {
    if (hint.stream !== job) return
    stale = true
    wake()
  })
  const stop = () => wake()
  signal.addEventListener('abort', stop)
  try {
    yield 'retry: 2000\n\n'
    while (!signal.aborted) {
      stale = false
      for (const event of await store.events(job, seen)) {
        seen = event.seq
        yield `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(present(event))}\n\n`
        if (FINAL.has(event.type)) return
      }
      if (stale) continue
      const quiet = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, HEARTBEAT, true)
        wake = () => {
          clearTimeout(timer)
          resolve(false)
        }
      })
      if (quiet) yield ': still here\n\n'
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', stop)
  }
}
