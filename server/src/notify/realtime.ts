/**
 * socket.io: clients subscribe to channels and are told events as the API shows the records. A late subscriber is told
 * the final event at once. Never says more to a socket than its key may read.
 */
import type { Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { Server, type Socket } from 'socket.io'
import { isId } from '../core/ids.ts'
import { hasEnded, type JsonObject, type StreamEvent } from '../core/task.ts'
import { type Bus, goneUser, revokedKey } from '../ports/bus.ts'
import type { Store } from '../ports/store.ts'
import { startFeed } from './feed.ts'

export interface RealtimeDeps {
  server: HttpServer | HttpsServer
  store: Store
  bus: Bus
  /** The user behind `Bearer <key>` and the key's id; throws when there is none or the key may not read. */
  identify(authorization: string): Promise<{ user: string; key: string }>
  present(event: StreamEvent): JsonObject
  failed(error: unknown): void
}

type Answer = { ok: true } | { ok: false; error: string }

/** Where an event is told: "`user.{id}.jobs` carries job events only, `.tasks` task events only." */
function channelsOf(event: StreamEvent): string[] {
  if ('task' in event) {
    const { id, job } = event.task
    return [`task.${id}`, `user.${event.user}.tasks`, ...(job ? [`job.${job}`] : [])]
  }
  return [`job.${event.job.id}`, `user.${event.user}.jobs`]
}

const isFinal = ({ type }: StreamEvent): boolean => /_(completed|failed|canceled|deleted)$/.test(type)

/** More than one client would follow at a time; then the oldest is forgotten, which only risks telling it twice. */
const REMEMBERED = 5_000

export function createRealtime(deps: RealtimeDeps) {
  const { store, bus } = deps
  const io = new Server({ path: '/socket.io', serveClient: false, cors: { origin: '*' }, maxHttpBufferSize: 16_384 })
  io.attach(deps.server)
  const told = new WeakMap<Socket, Set<string>>()

  /** "Each once", also to one who follows a job, its tasks and everything of the user at the same time. */
  function tell(socket: Socket, event: StreamEvent): void {
    const known = told.get(socket)
    const key = `${event.stream} ${event.seq}`
    if (!known || known.has(key)) return
    known.add(key)
    if (known.size > REMEMBERED) known.delete(known.values().next().value ?? '')
    socket.emit(event.type, deps.present(event))
  }

  io.use((socket, next) => {
    const { token } = socket.handshake.auth as { token?: unknown }
    const header = typeof token === 'string' ? token : (socket.handshake.headers.authorization ?? '')
    deps.identify(header).then(
      ({ user, key }) => {
        socket.data = { user, key }
        next()
      },
      (error: Error) => next(error),
    )
  })

  async function subscribe(socket: Socket, channel: unknown): Promise<Answer> {
    if (typeof channel !== 'string') return { ok: false, error: 'A channel is one string, such as job.{id}.' }
    const user = socket.data.user as string
    const [kind, id = '', part] = channel.split('.')
    if (kind === 'user' && (part === 'jobs' || part === 'tasks') && channel === `user.${id}.${part}`) {
      if (id !== user) return { ok: false, error: `The channel ${channel} is not yours.` }
      await socket.join(channel)
      return { ok: true }
    }
    if ((kind !== 'job' && kind !== 'task') || !isId(id) || channel !== `${kind}.${id}`)
      return {
        ok: false,
        error: `There is no channel "${channel.slice(0, 100)}". There are job.{id}, task.{id}, user.{id}.jobs and user.{id}.tasks.`,
      }
    const found = kind === 'job' ? await store.job(id) : await store.task(id)
    if (found?.user !== user) return { ok: false, error: `The ${kind} ${id} was not found.` }
    // Joined before looking: what ends in between is told by the feed, and `tell` keeps it to once.
    await socket.join(channel)
    const now = kind === 'job' ? await store.job(id) : await store.task(id)
    if (now && hasEnded(now.status)) await tellFinal(socket, kind, id, 'job' in now ? (now.job ?? id) : id)
    return { ok: true }
  }

  /** "Who subscribes to something that has already ended is told its final event at once." */
  async function tellFinal(socket: Socket, kind: 'job' | 'task', id: string, stream: string): Promise<void> {
    const events = await store.events(stream, 0)
    const last = events.findLast(
      (event) => isFinal(event) && channelsOf(event).includes(`${kind}.${id}`) && subject(event) === id,
    )
    if (last) tell(socket, last)
  }

  io.on('connection', (socket) => {
    told.set(socket, new Set())
    const on = (name: string, act: (channel: unknown) => Promise<Answer>) =>
      socket.on(name, (channel: unknown, reply?: unknown) => {
        const answer = typeof reply === 'function' ? (reply as (answer: Answer) => void) : () => {}
        act(channel).then(answer, (error) => {
          deps.failed(error)
          answer({ ok: false, error: 'Something went wrong in the service. Try again later.' })
        })
      })
    on('subscribe', (channel) => subscribe(socket, channel))
    on('unsubscribe', async (channel) => {
      if (typeof channel !== 'string') return { ok: false, error: 'A channel is one string, such as job.{id}.' }
      await socket.leave(channel)
      return { ok: true }
    })
  })

  const stop = startFeed({
    store,
    bus,
    failed: deps.failed,
    isWanted: () => io.sockets.sockets.size > 0,
    deliver(event) {
      const sockets = new Set(
        channelsOf(event).flatMap((channel) => [...(io.sockets.adapter.rooms.get(channel) ?? [])]),
      )
      for (const id of sockets) {
        const socket = io.sockets.sockets.get(id)
        if (socket) tell(socket, event)
      }
    },
  })

  /** "Running sockets of it are closed." */
  const deaf = bus.subscribe((hint) => {
    const key = revokedKey(hint)
    const user = goneUser(hint)
    if (key === null && user === null) return
    for (const socket of io.sockets.sockets.values())
      if (socket.data.key === key || socket.data.user === user) socket.disconnect(true)
  })

  return {
    async close(): Promise<void> {
      deaf()
      stop()
      io.disconnectSockets(true)
      io.engine.close()
    },
    connections: () => io.engine.clientsCount,
  }
}

const subject = (event: StreamEvent): string => ('task' in event ? event.task.id : event.job.id)
