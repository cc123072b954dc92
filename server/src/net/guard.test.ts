import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { parseCidrs } from './addresses.ts'
import { createGuard, type FetchOptions, GuardError, type GuardErrorKind } from './guard.ts'

const closing: (() => unknown)[] = []
after(() => Promise.all(closing.map((close) => close())))

const loopback = parseCidrs('127.0.0.0/8,::1')
const guard = made(loopback)
const options: FetchOptions = { maxBytes: 1_000_000 }

function made(allow: (ip: string) => boolean, more: Partial<Parameters<typeof createGuard>[0]> = {}) {
  const one = createGuard({ allow, ...more })
  closing.push(() => one.close())
  return one
}

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server: Server = createServer(listener).listen(0, host)
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const failsAs =
  (kind: GuardErrorKind, words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof GuardError, String(error))
    assert.equal(error.kind, kind, error.message)
    assert.match(error.message, words)
    return true
  }

test('a file comes with its status, name and size', async () => {
  const port = await serve((_, answer) => {
    answer.writeHead(200, { 'content-disposition': 'attachment; filename="a b.txt"', 'content-length': 5 }).end('hello')
  })
  const file = await guard.fetchFile(`http://127.0.0.1:${port}/x?y`, options)
  const { status, filename, size, finalUrl } = file
  assert.deepEqual({ status, filename, size }, { status: 200, filename: 'a b.txt', size: 5 })
  assert.equal(finalUrl, `http://127.0.0.1:${port}/x?y`)
  assert.equal(await text(file.body), 'hello')
})

test('the request line is the address as given, and no encoding is asked for', async () => {
  let seen: IncomingMessage | undefined
  const port = await serve((request, answer) => {
    seen = request
    answer.end()
  })
  const path = `/a/../%7E?sig=a%2Fb+c%20d&q='"<>{}|^`
  const { body } = await guard.fetchFile(`http://127.0.0.1:${port}${path}#f`, { ...options, headers: { 'x-y': 'z' } })
  await text(body)
  assert.equal(seen?.url, path)
  assert.equal(seen?.headers['accept-encoding'], 'identity')
  assert.equal(seen?.headers['x-y'], 'z')
  assert.equal(seen?.headers.authorization, undefined)
})

test('any status is an answer, with its body', async () => {
  const port = await serve((_, answer) => answer.writeHead(403, { 'content-length': 9 }).end('forbidden'))
  const file = await guard.fetchFile(`http://127.0.0.1:${port}/`, { maxBytes: 20 })
  assert.equal(file.status, 403)
  assert.equal(await text(file.body), 'forbidden')
})

test('credentials of the address become a header and stay with their origin', async () => {
  const heard: (string | undefined)[] = []
  const other = await serve((request, answer) => {
    heard.push(request.headers.authorization, request.headers['x-token'] as string | undefined)
    answer.end('end')
  })
  const port = await serve((request, answer) => {
    heard.push(request.headers.authorization)
    const location = request.url === '/1' ? '/2' : `http://127.0.0.1:${other}/3`
    answer.writeHead(302, { location }).end()
  })
  const url = `http://us%20er:p%40ss@127.0.0.1:${port}/1`
  const file = await guard.fetchFile(url, { ...options, headers: { 'x-token': 'T' } })
  assert.equal(await text(file.body), 'end')
  const basic = `Basic ${Buffer.from('us er:p@ss').toString('base64')}`
  assert.deepEqual(heard, [basic, basic, undefined, undefined])
  assert.equal(file.finalUrl, `http://127.0.0.1:${other}/3`)
})

test('five redirects are followed and a sixth is not', async () => {
  const port = await serve((request, answer) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) answer.end('there')
    else answer.writeHead(307, { location: `/${left - 1}` }).end('x'.repeat(100_000))
  })
  assert.equal(await text((await guard.fetchFile(`http://127.0.0.1:${port}/5`, options)).body), 'there')
  await assert.rejects(
    guard.fetchFile(`http://127.0.0.1:${port}/6`, options),
    failsAs('redirects', /more than 5 times/),
  )
})

test('a redirect to another scheme is refused', async () => {
  for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://[', 'javascript:0']) {
    const port = await serve((_, answer) => answer.writeHead(301, { location }).end())
    await assert.rejects(
      guard.fetchFile(`http://127.0.0.1:${port}/`, options),
      failsAs('protocol', /127\.0\.0\.1 redirects/),
    )
  }
})

test('a file that is too large is refused by its announced size, and cut off when it lied or said nothing', async () => {
  const port = await serve((request, answer) => {
    if (request.url === '/said') answer.writeHead(200, { 'content-length': 2_000_000 })
    for (let i = 0; i < 20; i++) answer.write(Buffer.alloc(100_000))
    answer.end()
  })
  await assert.rejects(guard.fetchFile(`http://127.0.0.1:${port}/said`, options), failsAs('too_large', /1000000 bytes/))
  const { body, size } = await guard.fetchFile(`http://127.0.0.1:${port}/silent`, options)
  assert.equal(size, null)
  await assert.rejects(buffer(body), failsAs('too_large'))
})

test('a file stored compressed comes out plain and counts plain; an archive stays an archive', async () => {
  const packed = gzipSync(Buffer.alloc(500_000))
  const port = await serve((request, answer) => {
    const type = request.url === '/a.tar.gz' ? 'application/gzip' : 'image/svg+xml'
    const encoding = request.url === '/odd' ? 'rot13' : 'gzip'
    answer.writeHead(200, { 'content-encoding': encoding, 'content-type': type, 'content-length': packed.length })
    answer.end(packed)
  })
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  const plain = await guard.fetchFile(at('/a.svg'), options)
  assert.equal(plain.size, null)
  assert.equal((await buffer(plain.body)).length, 500_000)
  await assert.rejects(buffer((await guard.fetchFile(at('/a.svg'), { maxBytes: 400_000 })).body), failsAs('too_large'))
  assert.deepEqual(await buffer((await guard.fetchFile(at('/a.tar.gz'), options)).body), packed)
  await assert.rejects(guard.fetchFile(at('/odd'), options), failsAs('protocol'))
})

test('a server that falls silent is given up, before its answer and in the middle of it', async () => {
  const port = await serve((request, answer) => {
    if (request.url === '/half') answer.writeHead(200, { 'content-length': 10 }).write('half')
  })
  const hasty = { ...options, timeoutMs: 200 }
  await assert.rejects(guard.fetchFile(`http://127.0.0.1:${port}/never`, hasty), failsAs('timeout', /127\.0\.0\.1/))
  const { body } = await guard.fetchFile(`http://127.0.0.1:${port}/half`, hasty)
  await assert.rejects(text(body), failsAs('timeout'))
})

test('a connection that breaks off is a failure, not a short file', async () => {
  const port = await serve((_, answer) => {
    answer.writeHead(200, { 'content-length': 10 }).write('half', () => answer.destroy())
  })
  const { body } = await guard.fetchFile(`http://127.0.0.1:${port}/`, options)
  await assert.rejects(text(body), failsAs('connect', /broke off/))
})

test('a signal ends the download at any point, with its own reason', async () => {
  const port = await serve((request, answer) => {
    if (request.url === '/half') answer.writeHead(200).write('half')
  })
  for (const path of ['/never', '/half']) {
    const stop = new AbortController()
    const reason = new Error('canceled')
    const asked = guard.fetchFile(`http://127.0.0.1:${port}${path}`, { ...options, signal: stop.signal })
    const read = asked.then((file) => text(file.body))
    setTimeout(() => stop.abort(reason), 50)
    await assert.rejects(read, (error) => error === reason)
  }
})

test('a body that nobody wants lets go of the connection', async () => {
  const gone = Promise.withResolvers<void>()
  const port = await serve((request, answer) => {
    request.socket.once('close', () => gone.resolve())
    answer.writeHead(200).write('x')
  })
  const { body } = await guard.fetchFile(`http://127.0.0.1:${port}/`, options)
  body.on('error', () => {}).destroy()
  await gone.promise
})

test('what is not HTTP, not there or not resolvable says so in its own kind', async () => {
  const odd = createTcp((socket) => socket.end('SSH-2.0-x\r\n')).listen(0, '127.0.0.1')
  closing.push(() => odd.close())
  await once(odd, 'listening')
  const { port } = odd.address() as AddressInfo
  await assert.rejects(
    guard.fetchFile(`http://127.0.0.1:${port}/`, options),
    failsAs('protocol', /cannot be understood/),
  )
  await assert.rejects(guard.fetchFile('http://127.0.0.1:1/', options), failsAs('connect', /127\.0\.0\.1/))
  const lost = made(loopback, { resolve: () => Promise.reject(new Error('ENOTFOUND 10.0.0.53')) })
  await assert.rejects(
    lost.fetchFile('http://u:pw@name.test/', options),
    failsAs('dns', /^name\.test could not be found/),
  )
  const empty = made(loopback, { resolve: async () => [] })
  await assert.rejects(empty.check('http://name.test/'), failsAs('dns'))
  const silent = made(loopback, { resolve: () => new Promise(() => {}), connectMs: 50 })
  await assert.rejects(silent.fetchFile('http://name.test/', options), failsAs('timeout', /name\.test/))
})

test('several addresses of a name are tried until one answers', async () => {
  const port = await serve((_, answer) => answer.end('second'), '127.0.0.3')
  const two = made(loopback, { resolve: async () => ['127.0.0.2', '127.0.0.3'] })
  assert.equal(await text((await two.fetchFile(`http://two.test:${port}/`, options)).body), 'second')
})

test('a bare connection is checked as well and may go to any port', async () => {
  const port = await serve((_, answer) => answer.end())
  const socket = await guard.connect({ host: '127.0.0.1', port })
  assert.equal(socket.remotePort, port)
  socket.destroy()
  const shut = made(() => false)
  for (const host of ['127.0.0.1', 'localhost', '127.1', '0x7f.1', '2130706433', '[::1]', '::ffff:127.0.0.1'])
    await assert.rejects(shut.connect({ host, port }), failsAs('blocked'), host)
  const stop = AbortSignal.abort(new Error('canceled'))
  await assert.rejects(guard.connect({ host: '127.0.0.1', port, signal: stop }), /canceled/)
})
