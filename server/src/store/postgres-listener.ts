/**
 * One connection that hears what other processes notify. It is opened again whenever it is lost, with growing pauses, and
 * then says so: what was told in between is gone, and whoever listens must look for themselves.
 */
import pg from 'pg'

interface Ear {
  channel: string
  hear(payload: string): void
  again(): void
}

const FIRST_PAUSE = 100
const LONGEST_PAUSE = 5000
/** A connection can be dead without a word: a question now and then shows it. */
const ASK_EVERY = 10_000
const ANSWER_WITHIN = 5000

export function createListener(config: pg.ClientConfig) {
  const ears = new Set<Ear>()
  let client: pg.Client | null = null
  let opening: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let pause = FIRST_PAUSE
  let closed = false

  const channels = (): string[] => [...new Set([...ears].map(({ channel }) => channel))]

  async function open(): Promise<void> {
    const next = new pg.Client({ ...config, keepAlive: true, query_timeout: ANSWER_WITHIN })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ channel, payload = '' }) => {
      for (const ear of ears) if (ear.channel === channel) ear.hear(payload)
    })
    try {
      await next.connect()
      for (const channel of channels()) await next.query(`LISTEN "${channel}"`)
    } catch (error) {
      next.removeAllListeners().on('error', () => {})
      await next.end().catch(() => {})
      throw error
    }
    client = next
    pause = FIRST_PAUSE
    timer = setInterval(() => next.query('SELECT 1').catch(() => lost(next)), ASK_EVERY).unref()
  }

  function lost(which: pg.Client): void {
    if (client !== which) return
    client = null
    clearInterval(timer)
    which.removeAllListeners().on('error', () => {})
    which.end().catch(() => {})
    openLater()
  }

  function openLater(): void {
    if (closed || ears.size === 0) return
    timer = setTimeout(() => {
      opening = open()
        .then(() => {
          for (const ear of ears) ear.again()
        }, openLater)
        .finally(() => {
          opening = null
        })
    }, pause)
    pause = Math.min(2 * pause, LONGEST_PAUSE)
  }

  return {
    async listen(channel: string, hear: Ear['hear'], again: Ear['again']): Promise<() => void> {
      const ear = { channel, hear, again }
      ears.add(ear)
      try {
        await opening
        if (client) await client.query(`LISTEN "${channel}"`)
        else {
          opening = open()
          await opening.finally(() => {
            opening = null
          })
        }
      } catch (error) {
        ears.delete(ear)
        throw error
      }
      return () => void ears.delete(ear)
    },
    async close(): Promise<void> {
      closed = true
      clearTimeout(timer)
      clearInterval(timer)
      await opening?.catch(() => {})
      const last = client
      client = null
      last?.removeAllListeners().on('error', () => {})
      await last?.end().catch(() => {})
    },
  }
}
