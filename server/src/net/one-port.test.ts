import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request as plainRequest, type RequestListener } from 'node:http'
import { createServer, type Server, request as secureRequest } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { Server as SocketServer } from 'socket.io'
import { parseCidrs } from './addresses.ts'
import { createOnePort, type OnePortOptions } from './one-port.ts'
import { ensureCertificates } from './tls.ts'

let dir = ''
let certificate: { key: string; cert: string }
let ca = ''
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reforge-port-'))
  const { caPath, ...pair } = await ensureCertificates(dir, [], Date.now())
  certificate = pair
  ca = await readFile(caPath, 'utf8')
})
after(() => rm(dir, { recursive: true }))

const loopback = parseCidrs('127.0.0.0/8')
const app: RequestListener = async (request, response) => response.end(`app got ${await text(request)}`)

async function listening(t: TestContext, options?: OnePortOptions, listener = app): Promise<[number, Server]> {
  const server = createOnePort(createServer(certificate, listener), options).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return [(server.address() as AddressInfo).port, server]
}

async function ask(port: number, scheme: 'http' | 'https', body = '', headers: Record<string, string | string[]> = {}) {
  const send = scheme === 'http' ? plainRequest : secureRequest
  const sent = send({ host: '127.0.0.1', port, method: 'POST', path: '/v1/x', headers, ca, agent: false })
  // The answer to a long body may come, and the connection go, before the body is out.
  sent.on('error', () => {})
  sent.end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

async function raw(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('error', () => {})
}

function isRefusal({ status, headers, text: body }: Awaited<ReturnType<typeof ask>>): void {
  assert.equal(status, 403)
  assert.equal(headers.location, undefined)
  assert.equal(headers.connection, 'close')
  const { message, requestId, ...rest } = JSON.parse(body)
  assert.deepEqual(rest, { code: 'https_required', errors: [] })
  assert.match(message, /HTTPS only.*key.*exposed/)
  assert.match(requestId, /^[0-9a-f]{24}$/)
}

test('https is served, also with bodies of many packets and many requests at once', async (t) => {
  const [port] = await listening(t)
  const long = 'x'.repeat(1_000_000)
  assert.equal((await ask(port, 'https', long)).text, `app got ${long}`)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(port, 'https', String(i))))
  assert.deepEqual(
    answers.map(({ text: body }) => body),
    answers.map((_, i) => `app got ${i}`),
  )
})

test('plain http is refused with the reason and never reaches the application', async (t) => {
  let reached = 0
  const [port] = await listening(t, {}, (_, response) => {
    reached++
    response.end()
  })
  isRefusal(await ask(port, 'http', '', { authorization: 'Bearer rf_live_x' }))
  isRefusal(await ask(port, 'http', '{}', { 'x-forwarded-proto': 'https' }))
  isRefusal(await ask(port, 'http', 'x'.repeat(5_000_000)))
  assert.equal(reached, 0)
})

test('a client that sends byte by byte, or closes its side at once, still gets the answer', async (t) => {
  const [port] = await listening(t)
  const slow = await raw(port)
  slow.write('G')
  assert.match(await text(slow), /^HTTP\/1\.1 403 /)
  const hasty = await raw(port)
  hasty.end('GET / HTTP/1.0\r\n\r\n')
  assert.match(await text(hasty), /https_required/)
})

test('who says nothing, stops in the middle of a handshake or of a head is cut off', async (t) => {
  const [port] = await listening(t, { helloMs: 100, trustedProxies: loopback })
  for (const start of ['', '\x16', '\x16\x03\x01\x02\x00\x01', 'GET / HTTP/1.1\r\nHost:']) {
    const socket = await raw(port)
    socket.write(start)
    socket.resume()
    await once(socket, 'close')
  }
})

test('a request that takes longer than the time for a hello is not cut off', async (t) => {
  const slowly: RequestListener = (_, response) => setTimeout(() => response.end('late'), 400)
  const [port] = await listening(t, { helloMs: 200, trustedProxies: loopback }, slowly)
  assert.equal((await ask(port, 'https')).text, 'late')
  assert.equal((await ask(port, 'http', '', { 'x-forwarded-proto': 'https' })).text, 'late')
})

test('a trusted proxy is served over plain http when it says https, and only then', async (t) => {
  const [port] = await listening(t, { trustedProxies: loopback })
  for (const proto of ['https', 'HTTPS', 'https, https'])
    assert.equal((await ask(port, 'http', 'x', { 'x-forwarded-proto': proto })).text, 'app got x', proto)
  for (const proto of ['http', '', 'https, http', 'http,https', 'httpsx'])
    isRefusal(await ask(port, 'http', 'x', { 'x-forwarded-proto': proto }))
  isRefusal(await ask(port, 'http', 'x'))
  assert.equal((await ask(port, 'https', 'x')).text, 'app got x')
  const [other] = await listening(t, { trustedProxies: parseCidrs('10.0.0.0/8') })
  isRefusal(await ask(other, 'http', 'x', { 'x-forwarded-proto': 'https' }))
})

test('closing ends silent and idle connections and lets a running request finish', async (t) => {
  const started = Promise.withResolvers<() => void>()
  const [port, server] = await listening(t, { trustedProxies: loopback }, (request, response) => {
    if (request.url === '/quick') response.end('quick')
    else started.resolve(() => response.end('done'))
  })
  const silent = await raw(port)
  silent.resume()
  const idle = await raw(port)
  idle.write('GET /quick HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n\r\n')
  await once(idle, 'data')
  idle.resume()
  const running = ask(port, 'https')
  const finish = await started.promise
  const closed = once(server, 'close')
  server.close()
  await Promise.all([once(silent, 'close'), once(idle, 'close')])
  finish()
  assert.equal((await running).text, 'done')
  await closed
})

test('closing with force ends everything', async (t) => {
  const [port, server] = await listening(t, { trustedProxies: loopback }, () => {})
  const hanging = [ask(port, 'https'), ask(port, 'http', '', { 'x-forwarded-proto': 'https' })]
  const cut = Promise.allSettled(hanging.map((one) => Promise.race([one, once(server, 'close')])))
  await Promise.all([once(server, 'request'), once(server, 'secureConnection')])
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  await cut
})

test('Fastify and socket.io live on it as on any https server', async (t) => {
  const fastify = Fastify({
    serverFactory: (handler) => createOnePort(createServer(certificate, handler), { trustedProxies: loopback }),
  })
  fastify.post('/v1/x', async () => ({ ok: true }))
  const sockets = new SocketServer(fastify.server)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => fastify.close())
  const { port } = fastify.server.address() as AddressInfo
  assert.equal((await ask(port, 'https')).text, '{"ok":true}')
  assert.equal((await ask(port, 'http', '', { 'x-forwarded-proto': 'https' })).text, '{"ok":true}')
  isRefusal(await ask(port, 'http'))

  const upgrade = async (extra: string) => {
    const socket = await raw(port)
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n'
    socket.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}${extra}\r\n`,
    )
    const [first] = await once(socket, 'data')
    socket.destroy()
    return String(first)
  }
  assert.match(await upgrade('X-Forwarded-Proto: https\r\n'), /^HTTP\/1\.1 101 /)
  assert.match(await upgrade(''), /^HTTP\/1\.1 403 .*https_required/s)
  await sockets.close()
})
