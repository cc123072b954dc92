/**
 * Opens sockets, and only to addresses that are public or allowed. The check happens where the dialling happens: a name
 * is resolved once, every answer is looked at, and exactly those answers are dialled, so a name that answers
 * differently the next time (rebinding) gains nothing. Nothing else in the house may open an outgoing socket.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, getCACertificates, type TLSSocket } from 'node:tls'
import { isPublic } from './addresses.ts'
import { GuardError } from './guard-error.ts'
import { NOT_WEB_PORTS } from './ports.ts'

type Resolve = (host: string) => Promise<readonly string[]>

export interface DialerDeps {
  /** Addresses that may be reached although they are not public. */
  allow: (ip: string) => boolean
  resolve?: Resolve
  /** A further certificate authority (PEM) to trust, besides Node's own. */
  ca?: string
  /** For name, connection and handshake together. */
  connectMs?: number
}

export interface Dialer {
  /** The addresses behind a name, or a GuardError when one of them is out of bounds. */
  vet(host: string, port: number, use: 'web' | 'any'): Promise<readonly string[]>
  open(host: string, port: number, use: 'web' | 'any', signal?: AbortSignal): Promise<Socket>
  openTls(host: string, port: number): Promise<TLSSocket>
}

export function createDialer({ allow, resolve = resolveBySystem, ca, connectMs = 10_000 }: DialerDeps): Dialer {
  const inBounds = (ip: string | undefined) => ip !== undefined && (isPublic(ip) || allow(ip))
  const trusted = ca === undefined ? undefined : [...getCACertificates('default'), ca]

  async function vet(host: string, port: number, use: 'web' | 'any', signal?: AbortSignal): Promise<readonly string[]> {
    // A literal is never looked up, so it must be checked here too.
    const addresses = isIP(host) ? [host] : await inTime(resolve(host), signal).catch(notFound(host, signal))
    if (addresses.length === 0) return notFound(host)(undefined)
    // One bad answer spoils all: a name that is half inside is a trick or a mistake.
    if (!addresses.every(inBounds)) throw blocked(host)
    if (use === 'web' && NOT_WEB_PORTS.has(port) && !addresses.every(allow))
      throw new GuardError(
        'blocked',
        `Port ${port} of ${host} does not belong to a web server and is not reached from here.`,
      )
    return addresses
  }

  async function tcp(host: string, port: number, use: 'web' | 'any', signal: AbortSignal): Promise<Socket> {
    const addresses = await vet(host, port, use, signal)
    signal.throwIfAborted()
    const socket = connect({ host: addresses[0], port, noDelay: true, keepAlive: true, ...onlyTo(host, addresses) })
    await established(socket, 'connect', signal)
    // Belt and braces: what answered must be in bounds as well.
    if (inBounds(socket.remoteAddress)) return socket
    socket.destroy()
    throw blocked(host)
  }

  async function tls(host: string, port: number, signal: AbortSignal): Promise<TLSSocket> {
    const socket = await tcp(host, port, 'web', signal)
    const servername = isIP(host) ? undefined : host.replace(/\.$/, '')
    const secure = connectTls({
      socket,
      host: servername ?? host,
      servername,
      ca: trusted,
      ALPNProtocols: ['http/1.1'],
    })
    await established(secure, 'secureConnect', signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new GuardError(
        'tls',
        `No secure connection to ${host}: its certificate is not valid or not trusted.`,
        error,
      )
    })
    return secure
  }

  /** One limit for everything up to an open connection. */
  async function limited<T>(host: string, outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>) {
    const limit = AbortSignal.timeout(connectMs)
    try {
      return await work(outer ? AbortSignal.any([limit, outer]) : limit)
    } catch (error) {
      if (error instanceof GuardError) throw error
      outer?.throwIfAborted()
      if (limit.aborted) throw new GuardError('timeout', `${host} did not answer in time.`, error)
      throw new GuardError('connect', `${host} could not be reached.`, error)
    }
  }

  return {
    vet: (host, port, use) => limited(host, undefined, (signal) => vet(bare(host), port, use, signal)),
    open: (host, port, use, outer) => limited(host, outer, (signal) => tcp(bare(host), port, use, signal)),
    openTls: (host, port) => limited(host, undefined, (signal) => tls(bare(host), port, signal)),
  }
}

async function resolveBySystem(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}

/** Several addresses are tried in turn by Node itself; its look-up gets the checked answers and asks nobody. */
function onlyTo(host: string, addresses: readonly string[]): { host?: string; lookup?: LookupFunction } {
  if (addresses.length === 1) return {}
  const checked = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first] = checked
  return {
    host,
    lookup: (_host, { all }, callback) =>
      all ? callback(null, checked) : callback(null, first?.address ?? '', first?.family),
  }
}

async function established(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  // An error may come between this listener and the next owner's: it must not end the process.
  socket.on('error', () => {})
  try {
    await once(socket, event, { signal })
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function inTime<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}

/** An IPv6 address without the brackets it wears in a URL. */
const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

const notFound =
  (host: string, signal?: AbortSignal) =>
  (error: unknown): never => {
    if (signal?.aborted) throw error
    throw new GuardError('dns', `${host} could not be found. Is the name right?`, error)
  }

const blocked = (host: string) =>
  new GuardError(
    'blocked',
    `${host} is not at a public address, and only those are reached from here. ` +
      'The operator of this server can allow private networks with REFORGE_ALLOW_PRIVATE_CIDRS.',
  )
