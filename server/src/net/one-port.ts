/**
 * One port for TLS and for those who forget it. "Plain HTTP to that port gets 403 with the JSON error, never a
 * redirect. Behind a proxy: only from configured proxy addresses is `X-Forwarded-Proto` believed."
 *
 * Takes an https server as the application made it and teaches it to look at the first byte of each connection. It
 * stays the listening server, so that listening, closing, time-outs and upgrades work as ever.
 */
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { newId } from '../core/ids.ts'

export interface OnePortOptions {
  /** Peers that end TLS for us: theirs is the only plain HTTP that is served, when they say it came in over https. */
  trustedProxies?: (ip: string) => boolean
  /** Time for the TLS handshake, or for the head of a first plain request. */
  helloMs?: number
}

const TLS_HANDSHAKE = 0x16
/** How long a refused client gets to read why, and how much of what it still sends is thrown away meanwhile. */
const LINGER_MS = 2000
const LINGER_BYTES = 65_536

export function createOnePort<S extends HttpsServer>(secure: S, options: OnePortOptions = {}): S {
  const { trustedProxies = () => false, helloMs = 10_000 } = options
  const plain = plainServer(secure)
  const open = new Set<Socket>()
  /** Those that have not yet said anything we understood. */
  const pending = new Map<string, Socket>()
  const settle = (socket: Socket) => void pending.delete(peerOf(socket))
  secure.on('secureConnection', settle)
  plain.on('request', (request: IncomingMessage) => settle(request.socket))
  plain.on('upgrade', (request: IncomingMessage) => settle(request.socket))

  const speakTls = secure.listeners('connection')
  secure.removeAllListeners('connection')
  secure.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    const giveUp = () => void (pending.get(peer) === socket && socket.destroy())
    const timer = setTimeout(giveUp, helloMs)
    open.add(socket)
    pending.set(peer, socket)
    socket.on('error', () => socket.destroy())
    socket.once('end', giveUp)
    socket.once('close', () => {
      clearTimeout(timer)
      open.delete(socket)
      if (pending.get(peer) === socket) pending.delete(peer)
    })
    socket.once('data', (first: Buffer) => {
      const tls = first[0] === TLS_HANDSHAKE
      if (!tls && !trustedProxies(socket.remoteAddress ?? '')) {
        settle(socket)
        return refuse(socket)
      }
      socket.pause()
      socket.unshift(first)
      if (tls) for (const listener of speakTls) listener.call(secure, socket)
      else plain.emit('connection', socket)
      process.nextTick(() => socket.resume())
    })
  })

  const { closeIdleConnections, closeAllConnections } = secure
  // `close()` begins with this one; who has not said anything yet is idle too.
  secure.closeIdleConnections = () => {
    closeIdleConnections.call(secure)
    plain.closeIdleConnections()
    for (const socket of pending.values()) socket.destroy()
  }
  secure.closeAllConnections = () => {
    closeAllConnections.call(secure)
    for (const socket of open) socket.destroy()
  }
  return secure
}

/** Two sockets, the bare one and TLS around it, have one peer. */
const peerOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`

/** Never listens: it parses what trusted proxies send and hands it to the application's own listeners. */
function plainServer(secure: HttpsServer): HttpServer {
  const plain = createServer()
  plain.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (cameOverHttps(request)) secure.emit('request', request, response)
    else refuseRequest(response)
  })
  plain.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!cameOverHttps(request)) refuse(socket)
    else if (!secure.emit('upgrade', request, socket, head)) socket.destroy()
  })
  plain.on('clientError', (error: Error, socket: Duplex) => {
    if (!secure.emit('clientError', error, socket)) socket.destroy()
  })
  secure.on('listening', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, maxRequestsPerSocket, timeout } = secure
    Object.assign(plain, { headersTimeout, requestTimeout, keepAliveTimeout, maxRequestsPerSocket, timeout })
    // Node starts to watch over slow requests with this event.
    plain.emit('listening')
  })
  return plain
}

/** Every proxy on the way must say https: a client can put its own word in front of the list. */
function cameOverHttps({ headers }: IncomingMessage): boolean {
  const said = [headers['x-forwarded-proto'] ?? []].flat().flatMap((value) => value.split(','))
  return said.length > 0 && said.every((value) => value.trim().toLowerCase() === 'https')
}

/** Answers without reading: what was asked does not matter, and a key in it must go no further. */
function refuse(socket: Duplex): void {
  const { headers, body } = refusal()
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 403 Forbidden\r\n${head.join('')}\r\n${body}`)
  // Closing with bytes unread would reset the connection, and the client might lose the answer.
  let thrownAway = 0
  socket.on('data', (chunk: Buffer) => {
    thrownAway += chunk.length
    if (thrownAway > LINGER_BYTES) socket.pause()
  })
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

function refuseRequest(response: ServerResponse): void {
  const { headers, body } = refusal()
  response.writeHead(403, headers).end(body)
}

function refusal(): { headers: Record<string, string | number>; body: string } {
  const requestId = newId(Date.now())
  const body = JSON.stringify({
    code: 'https_required',
    message:
      'This server answers over HTTPS only: use https:// with the same host and port. ' +
      'If you sent a key over plain HTTP, treat it as exposed and replace it.',
    errors: [],
    requestId,
  })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  }
  return { headers, body }
}
