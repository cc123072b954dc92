/**
 * The only way out of a browser's box: a proxy on a unix socket that is bound into it. Every connection the page wants,
 * for a picture, a redirect or a WebSocket, is opened by the guard or not at all, and all of them together may only be
 * so many and so much. One proxy serves one page: what is spent cannot be hidden among others.
 */
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Guard } from './guard.ts'
import { GuardError } from './guard-error.ts'

export interface EgressLimits {
  /** Bytes in both directions. */
  bytes: number
  /** Requests in the clear, and tunnels for all others. */
  requests: number
}

export interface Egress {
  /** Where it listens, on the host. */
  socket: string
  /** Why a host was not reached. */
  refusal(host: string): GuardError | undefined
  /** Which limit was met. */
  spent(): keyof EgressLimits | null
  close(): Promise<void>
}

/** Between two neighbours only; the next one has its own. */
const HOP_BY_HOP = ['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'trailer', 'upgrade']
const REMEMBERED = 200

export async function openEgress(guard: Pick<Guard, 'connect'>, limits: EgressLimits): Promise<Egress> {
  // Not in the data folder: the path of a socket may only have about a hundred letters.
  const folder = await mkdtemp(join(tmpdir(), 'reforge-out-'))
  const socket = join(folder, 'proxy')
  const refusals = new Map<string, GuardError>()
  const open = new Set<Duplex>()
  const over = new AbortController()
  let spent: keyof EgressLimits | null = null
  let left = limits.bytes
  let requests = 0

  function keep<T extends Duplex>(stream: T): T {
    open.add(stream)
    stream.on('error', () => stream.destroy())
    stream.on('close', () => open.delete(stream))
    return stream
  }

  function overspent(what: keyof EgressLimits): void {
    spent ??= what
    for (const stream of open) stream.destroy()
  }

  const count = (bytes: Buffer): void => {
    left -= bytes.length
    if (left < 0) overspent('bytes')
  }

  async function dial(host: string, port: number): Promise<Socket> {
    requests += 1
    if (requests > limits.requests) overspent('requests')
    if (spent) throw new GuardError('too_large', 'The page asks for more than is allowed.')
    try {
      const other = keep(await guard.connect({ host, port, use: 'web', signal: over.signal }))
      return other.on('data', count)
    } catch (error) {
      if (error instanceof GuardError && refusals.size < REMEMBERED) refusals.set(bare(host), error)
      throw error
    }
  }

  /** In the clear: one request, one connection. What is refused gets no answer, so that no page can read one. */
  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = URL.parse(asked.url ?? '')
    if (url?.protocol !== 'http:') throw new GuardError('protocol', 'Only http is passed on in the clear.')
    const other = await dial(url.hostname, Number(url.port || 80))
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !HOP_BY_HOP.includes(name)))
    const onward = request({
      createConnection: () => other,
      method: asked.method,
      path: asked.url?.replace(/^http:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/'),
      headers: { ...headers, connection: 'close' },
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => other.destroy())
    onward.on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders.filter(isEndToEnd))
      reply.on('error', () => answer.destroy())
      reply.pipe(answer)
    })
    asked.on('data', count).pipe(onward)
  }

  async function tunnel(asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(asked.url ?? '') ?? []
    if (host === undefined) throw new GuardError('protocol', 'Not an address to connect to.')
    const other = await dial(host, Number(port))
    client.on('close', () => other.destroy())
    other.on('close', () => client.destroy())
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) other.write(head)
    other.pipe(client).on('data', count).pipe(other)
  }

  const server = createServer({ keepAliveTimeout: 5000 }, (asked, answer) => {
    pass(asked, answer).catch(() => answer.destroy())
  })
  server.on('connection', keep)
  server.on('connect', (asked, client, head) => {
    tunnel(asked, client, head).catch(() => client.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n'))
  })
  server.on('clientError', (_error, client) => client.destroy())
  try {
    server.listen(socket)
    await once(server, 'listening')
    // Whoever is in the box is not who we are.
    await Promise.all([chmod(folder, 0o711), chmod(socket, 0o666)])
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }

  return {
    socket,
    refusal: (host) => refusals.get(bare(host)),
    spent: () => spent,
    async close() {
      over.abort()
      for (const stream of open) stream.destroy()
      await new Promise((done) => server.close(done))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const bare = (host: string): string => host.toLowerCase().replace(/^\[(.*)\]$/, '$1')

/** Raw headers are names and values in turn. */
const isEndToEnd = (_: string, index: number, all: readonly string[]): boolean =>
  !HOP_BY_HOP.includes((all[index - (index % 2)] ?? '').toLowerCase())
