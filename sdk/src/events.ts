/**
 * Live events over socket.io. Pull is the truth: after a lost connection the channels are joined again and the server
 * tells how things ended, but steps in between may be missing. For every single step of a job use `jobs.follow`.
 */
import type { Socket } from 'socket.io-client'
import { ReforgeError } from './errors.ts'
import { type Key, keyOf } from './http.ts'
import type { Job, JobEventType, ReforgeEvent, Task, TaskEventType } from './schema.ts'

export type Channel = `job.${string}` | `task.${string}` | `user.${string}.jobs` | `user.${string}.tasks`

export type Handlers = { [T in TaskEventType]?: (task: Task) => void } & {
  [T in JobEventType]?: (job: Job) => void
} & {
  /** Every event of the channel. */
  any?: (event: ReforgeEvent) => void
}

export interface EventSettings {
  url: string
  key?: Key | undefined
  ca?: string | undefined
}

export interface EventsOptions {
  /** Told whenever the connection begins or ends to stand. */
  onConnection?: (stands: boolean) => void
}

export interface Events {
  /** Settles when the server has agreed; answers how to leave the channel. */
  subscribe(channel: Channel, handlers: Handlers): Promise<() => Promise<void>>
  close(): void
}

interface Subscription {
  channel: Channel
  handlers: Handlers
  joined: boolean
  /** Ends it was told: a new connection is told them again. */
  heard: Set<string>
}

type Answer = { ok: true } | { ok: false; error: string }

/** Long enough for a slow first connection. */
const PATIENCE = 20_000
const REMEMBERED = 1_000

/** The server tells each event once to a connection, whichever of its channels asked for it; so it is sorted out here. */
export function concerns(channel: string, { type, data }: ReforgeEvent): boolean {
  const [kind, id, part] = channel.split('.')
  const isTask = type.startsWith('task_')
  if (kind === 'user') return data.user === id && part === (isTask ? 'tasks' : 'jobs')
  if (kind === 'task') return isTask && data.id === id
  return isTask ? 'job' in data && data.job === id : data.id === id
}

const endOf = ({ type, data }: ReforgeEvent): string | null =>
  /_(completed|failed|canceled|deleted)$/.test(type) ? `${type} ${data.id}` : null

export function createEvents({ url, key, ca }: EventSettings, { onConnection }: EventsOptions = {}): Events {
  const subscriptions = new Set<Subscription>()
  /** How things ended, for those who subscribe a second time: the server tells an end once to a connection. */
  const ends = new Map<string, ReforgeEvent>()
  let opening: Promise<Socket> | undefined
  let closed = false

  function deliver({ channel, handlers, heard }: Subscription, event: ReforgeEvent): void {
    if (!concerns(channel, event)) return
    const end = endOf(event)
    if (end && heard.has(end)) return
    if (end && !channel.startsWith('user.')) heard.add(end)
    const handler: ((data: never) => void) | undefined = handlers[event.type]
    handler?.(event.data as never)
    handlers.any?.(event)
  }

  function hear(event: ReforgeEvent): void {
    const end = endOf(event)
    if (end) ends.set(end, event)
    if (ends.size > REMEMBERED) ends.delete(ends.keys().next().value ?? '')
    for (const subscription of subscriptions) deliver(subscription, event)
  }

  async function open(): Promise<Socket> {
    // Loaded on first use: who only calls the API does not pay for it.
    const { io } = await import('socket.io-client')
    const socket = io(url, {
      // Asked at each connection: a key may have got old while it stood.
      auth: (tell: (data: object) => void) => {
        const send = (secret = '') => tell({ token: `Bearer ${secret}` })
        keyOf(key).then(send, () => send())
      },
      transports: ['websocket', 'polling'],
      forceNew: true,
      ...(ca !== undefined && { ca }),
    })
    socket.onAny((type: string, data: unknown) => hear({ type, data } as ReforgeEvent))
    socket.on('disconnect', (reason) => {
      if (closed) return
      onConnection?.(false)
      // A server that stops says goodbye, after which socket.io would not come back by itself; it may be up again soon.
      if (reason === 'io server disconnect') socket.connect()
    })
    socket.on('connect_error', () => closed || onConnection?.(false))
    socket.on('connect', () => {
      onConnection?.(true)
      for (const { channel, joined } of subscriptions) if (joined) socket.emit('subscribe', channel)
    })
    if (closed) socket.disconnect()
    return socket
  }

  /** A refused key is final and said at once; a server that cannot be reached is tried again until patience ends. */
  function ask(socket: Socket, verb: 'subscribe' | 'unsubscribe', channel: Channel): Promise<void> {
    return new Promise((resolve, reject) => {
      let reason = 'no answer'
      const refused = (error: Error) => {
        reason = error.message
        if (!socket.active) finish(new ReforgeError(error.message, { status: 401, code: 'unauthorized' }))
      }
      const finish = (error?: ReforgeError) => {
        socket.off('connect_error', refused)
        if (error) reject(error)
        else resolve()
      }
      socket.on('connect_error', refused)
      socket.timeout(PATIENCE).emit(verb, channel, (late: Error | null, answer?: Answer) => {
        if (late)
          finish(new ReforgeError(`${url} cannot be reached (${reason}).`, { code: 'network_error', cause: late }))
        else if (answer?.ok === false) finish(new ReforgeError(answer.error, { code: 'refused' }))
        else finish()
      })
      if (!socket.active) socket.connect()
    })
  }

  return {
    async subscribe(channel, handlers) {
      if (closed) throw new ReforgeError('The events are closed.', { code: 'closed' })
      opening ??= open()
      const socket = await opening
      const subscription: Subscription = { channel, handlers, joined: false, heard: new Set() }
      // Before asking: the end of something that is over is told before the answer.
      subscriptions.add(subscription)
      try {
        await ask(socket, 'subscribe', channel)
      } catch (error) {
        subscriptions.delete(subscription)
        throw error
      }
      subscription.joined = true
      for (const event of ends.values()) if (channel.endsWith(event.data.id)) deliver(subscription, event)
      return async () => {
        subscriptions.delete(subscription)
        const isShared = [...subscriptions].some((other) => other.channel === channel)
        if (!isShared && socket.connected) await ask(socket, 'unsubscribe', channel)
      }
    },
    close() {
      closed = true
      subscriptions.clear()
      void opening?.then((socket) => socket.disconnect())
    },
  }
}
