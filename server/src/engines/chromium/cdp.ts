/**
 * Speaks the Chrome DevTools Protocol over a pipe, inside the box: JSON messages with a NUL after each. It imports
 * nothing of ours and must never be imported by the server. What a page says is data, never an instruction.
 */
import type { Readable, Writable } from 'node:stream'

export type Params = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: the protocol's answers are many; each reader takes what it knows
export type Answer = any

export interface Session {
  send(method: string, params?: Params): Promise<Answer>
  /** Hears an event until the session ends. */
  on(method: string, hear: (params: Answer) => void): void
  /** The next event of this name that fits. */
  once(method: string, fits?: (params: Answer) => boolean): Promise<Answer>
}

export interface Connection extends Session {
  /** The session of a target that was attached to, flat on the same pipe. */
  session(id: string): Session
  forget(id: string): void
}

interface Message {
  id?: number
  method?: string
  params?: Answer
  result?: Answer
  error?: { message: string }
  sessionId?: string
}

export class Disconnected extends Error {}

export function connect(output: Readable, input: Writable): Connection {
  const waiting = new Map<number, { resolve(value: Answer): void; reject(error: Error): void }>()
  const listeners = new Map<string, Map<string, Set<(params: Answer) => void>>>()
  let last = 0
  let over: Disconnected | null = null
  let parts: Buffer[] = []

  function take(message: Message): void {
    if (message.id !== undefined) {
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error) asked?.reject(new Error(message.error.message))
      else asked?.resolve(message.result)
      return
    }
    const heard = listeners.get(message.sessionId ?? '')?.get(message.method ?? '')
    for (const hear of heard ?? []) hear(message.params)
  }

  output.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const text = Buffer.concat([...parts, chunk.subarray(start, end)]).toString()
      parts = []
      start = end + 1
      take(JSON.parse(text))
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
  const end = (): void => {
    over ??= new Disconnected('the browser has gone')
    for (const { reject } of waiting.values()) reject(over)
    waiting.clear()
  }
  output.on('close', end)
  input.on('error', end)

  function session(sessionId: string): Session {
    const own = listeners.get(sessionId) ?? new Map<string, Set<(params: Answer) => void>>()
    listeners.set(sessionId, own)
    const on: Session['on'] = (method, hear) => {
      own.set(method, (own.get(method) ?? new Set()).add(hear))
    }
    return {
      on,
      send(method, params = {}) {
        if (over) return Promise.reject(over)
        last += 1
        const { promise, resolve, reject } = Promise.withResolvers<Answer>()
        waiting.set(last, { resolve, reject })
        input.write(`${JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) })}\0`)
        return promise
      },
      once(method, fits = () => true) {
        const { promise, resolve } = Promise.withResolvers<Answer>()
        const hear = (params: Answer): void => {
          if (!fits(params)) return
          own.get(method)?.delete(hear)
          resolve(params)
        }
        on(method, hear)
        return promise
      },
    }
  }

  return { ...session(''), session, forget: (id) => void listeners.delete(id) }
}
