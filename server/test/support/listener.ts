/** A socket.io client that writes down every event it is told. */
import { io, type Socket } from 'socket.io-client'
import { JOB_EVENTS, TASK_EVENTS } from '../../src/core/task.ts'
import type { TestServer } from './server.ts'
import type { Shown } from './steps.ts'
import { until } from './until.ts'

export interface Heard {
  event: string
  data: Shown
}

export interface Listener {
  heard: Heard[]
  /** `event name` for each event, in order. */
  lines(): string[]
  subscribe(channel: unknown): Promise<{ ok: boolean; error?: string }>
  unsubscribe(channel: unknown): Promise<{ ok: boolean; error?: string }>
  /** Waits until an event with this name (of this record) was told. */
  hear(event: string, id?: string): Promise<Shown>
  [Symbol.dispose](): void
}

/** Rejects when the handshake is refused. */
export async function listenTo(server: TestServer, token = `Bearer ${server.key}`): Promise<Listener> {
  const socket: Socket = io(server.url, {
    auth: { token },
    ca: server.ca,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  const heard: Heard[] = []
  for (const event of [...TASK_EVENTS, ...JOB_EVENTS]) socket.on(event, (data: Shown) => heard.push({ event, data }))
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('connect_error', reject)
    })
  } catch (error) {
    socket.disconnect()
    throw error
  }
  const find = (event: string, id?: string) =>
    heard.find((one) => one.event === event && (id === undefined || one.data.id === id))
  return {
    heard,
    lines: () => heard.map(({ event, data }) => `${event} ${data.name ?? 'job'}`),
    subscribe: (channel) => socket.timeout(10_000).emitWithAck('subscribe', channel),
    unsubscribe: (channel) => socket.timeout(10_000).emitWithAck('unsubscribe', channel),
    async hear(event, id) {
      await until(
        () => find(event, id) !== undefined,
        () => `${event} was told; heard ${heard.map((one) => `${one.event} ${one.data.name ?? 'job'}`)}`,
      )
      return find(event, id)?.data
    },
    [Symbol.dispose]: () => void socket.disconnect(),
  }
}
