/** A port is open a moment before everything behind it stands. Whoever calls in that moment waits, and is answered. */
import type { RequestListener, Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'

export interface Entrance {
  /** What the server is made with. */
  listener: RequestListener
  /** Those who waited are heard by all who listen to the server by now, as if they had just come. */
  open(server: Server | HttpsServer, answer: RequestListener): void
}

export function createEntrance(): Entrance {
  const waiting: Parameters<RequestListener>[] = []
  let answer: RequestListener = (...call) => void waiting.push(call)
  return {
    listener: (...call) => answer(...call),
    open(server, made) {
      answer = made
      for (const call of waiting.splice(0)) server.emit('request', ...call)
    },
  }
}
