/**
 * Hints between processes, by LISTEN and NOTIFY. A hint may be lost: with a connection, or with a process that died between
 * its commit and its word. So everybody who listens also looks at the events themselves, now and then and whenever the
 * connection was away: "pull is the truth, push is a hint".
 */
import { randomUUID } from 'node:crypto'
import { type Bus, DELIVERIES, type Hint } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Postgres } from '../ports/sql.ts'
import { createMemoryBus } from './memory-bus.ts'

export interface PostgresBusDeps {
  database: Postgres
  clock: Clock
  /** Streams in which something has happened since then. */
  recent(at: number): Promise<Hint[]>
  failed(error: unknown): void
  /** Milliseconds between two looks. */
  lookEvery?: number
}

const CHANNEL = 'reforge_bus'
/** Clocks of machines differ, and a transaction may commit a while after the time it wrote. */
const OVERLAP = 15_000
/** Streams that have been quiet longest are forgotten first, which costs a look at what was told already. */
const REMEMBERED = 50_000

export async function openPostgresBus(deps: PostgresBusDeps): Promise<Bus & { close(): Promise<void> }> {
  const { database, clock, recent, failed, lookEvery = 5000 } = deps
  const local = createMemoryBus()
  const me = randomUUID()
  const told = new Map<string, number>()
  let listeners = 0
  let looked = clock.now()

  const tell = (hint: Hint): void => {
    if (hint.to !== undefined) {
      told.delete(hint.stream)
      told.set(hint.stream, hint.to)
      if (told.size > REMEMBERED) told.delete(told.keys().next().value ?? '')
    }
    local.publish(hint)
  }

  const hear = (payload: string): void => {
    const [from, hint] = JSON.parse(payload) as [string, Hint]
    if (from !== me) tell(hint)
  }

  /** Whatever has happened since the last look and was not told. */
  async function look(): Promise<void> {
    const now = clock.now()
    if (listeners > 0)
      for (const { stream, from, to = 0 } of await recent(looked - OVERLAP)) {
        const known = told.get(stream)
        if (known === undefined || known < to) tell({ stream, from: known === undefined ? from : known + 1, to })
      }
    looked = now
  }
  let looking: Promise<void> | null = null
  const lookNow = (): void => {
    looking ??= look()
      .catch(failed)
      .finally(() => {
        looking = null
      })
  }

  const deaf = await database.listen(CHANNEL, hear, () => {
    lookNow()
    local.publish(DELIVERIES)
  })
  const timer = setInterval(lookNow, lookEvery).unref()

  return {
    publish(hint) {
      tell(hint)
      database.notify(CHANNEL, JSON.stringify([me, hint]))
    },
    subscribe(hear) {
      const end = local.subscribe(hear)
      listeners++
      return () => {
        end()
        listeners--
      }
    },
    async close() {
      clearInterval(timer)
      deaf()
      await looking
    },
  }
}
