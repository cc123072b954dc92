/** Tries to get past the guard to a canary that listens on every address of this machine. It must never be reached. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { request } from 'undici'
import { parseCidrs } from './addresses.ts'
import { createGuard, GuardError, type GuardErrorKind } from './guard.ts'
import { ensureCertificates } from './tls.ts'

let hits = 0
let port = 0
const canary: Server = createServer((_, answer) => {
  hits++
  answer.end('canary')
})
const closing: (() => unknown)[] = [() => canary.close(), () => canary.closeAllConnections()]
const options = { maxBytes: 1000 }

before(async () => {
  canary.listen(0, '::')
  canary.once('error', () => canary.listen(0, '0.0.0.0'))
  await once(canary, 'listening')
  port = (canary.address() as AddressInfo).port
})
after(() => Promise.all(closing.map((close) => close())))

function made(allow: (ip: string) => boolean, more: Partial<Parameters<typeof createGuard>[0]> = {}) {
  const one = createGuard({ allow, ...more })
  closing.push(() => one.close())
  return one
}

/** A resolver may not know `localhost.`; then there is nothing to block. */
const refused = (error: unknown) => {
  assert.ok(error instanceof GuardError, String(error))
  assert.ok(error.kind === 'blocked' || (error.kind === 'dns' && /^localhost/.test(error.message)), error.message)
  return true
}

const failsAs = (kind: GuardErrorKind) => (error: unknown) => {
  assert.ok(error instanceof GuardError, String(error))
  assert.equal(error.kind, kind, error.message)
  return true
}

/** Every spelling of this machine that a URL parser or a resolver turns into one of its loopback addresses. */
const LOOPBACK =
  `127.0.0.1 127.0.0.2 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 0X7F.0x0.0x0.0x1
  0177.0.0.1 0177.1 017700000001 00000177.0.0.1 127.0.0.1. 0 0.0.0.0 0x0 [::1] [0:0:0:0:0:0:0:1] [::0001] [::] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] localhost LOCALHOST localhost. LocalHost. 127%2e0%2e0%2e1
  １２７.０.０.１ 127。0。0。1 ⓛocalhost user@127.0.0.1 user:pass@127.0.0.1 example.com@127.0.0.1 example.com:80@127.0.0.1
  1.1.1.1%2f@127.0.0.1 1.1.1.1%23@127.0.0.1`.split(/\s+/)

/** Others that must not even be tried: private, link-local, cloud-internal, carrying an IPv4 address. */
const PRIVATE =
  `10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 169.254.169.254 0xa9fea9fe 2852039166 168.63.129.16 192.0.0.192
  198.18.0.1 224.0.0.1 255.255.255.255 [fe80::1] [fd00:ec2::254] [fc00::1] [ff02::1] [::127.0.0.1] [64:ff9b::7f00:1]
  [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [2001:0:7f00:1::] [2001:db8::1] [::ffff:0:7f00:1] [::ffff:8.8.8.8]`.split(/\s+/)

const urls = () =>
  LOOPBACK.flatMap((host) => [`http://${host}:${port}/`]).concat(
    [
      `HTTP://127.0.0.1:${port}/`,
      `http:\\\\127.0.0.1:${port}\\`,
      `http:127.0.0.1:${port}`,
      ` \thttp://127.0.0.1:${port}/ `,
    ],
    [
      `ht\ntp://127.0.0.1:${port}/`,
      `http:///127.0.0.1:${port}/`,
      `http://127.0.0.1\\@example.com:${port}/`.replace('\\', `:${port}\\`),
    ],
  )

test('no spelling of this machine or of a private network gets through', async () => {
  const shut = made(() => false)
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const interfaces = own.map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address))
  // The addresses of this machine may be public; those are not the guard's to refuse.
  const mine = interfaces.filter((host) => /^(10|127|172|192|169)\.|^\[(fe80|f[cd]|::1)/.test(host))
  const all = [...urls(), ...[...PRIVATE, ...mine].map((host) => `http://${host}:${port}/`)]
  for (const url of all) {
    await assert.rejects(shut.fetchFile(url, options), refused, url)
    await assert.rejects(shut.check(url), refused, url)
    await assert.rejects(shut.fetchFile(url.replace(/^(\s*)ht(\n?)tp/i, '$1ht$2tps'), options), refused, url)
  }
  assert.ok(all.length > 60)
  assert.equal(hits, 0)
})

test('with loopback allowed the same spellings do reach it, so the test above can fail', async () => {
  const open = made(parseCidrs('127.0.0.0/8,::1,0.0.0.0,::'))
  let reached = 0
  for (const url of urls()) {
    const file = await open.fetchFile(url, options).catch((error) => {
      // Without IPv6, or where a name has no IPv6 loopback, there is nothing to connect to.
      assert.ok(error instanceof GuardError && ['connect', 'dns'].includes(error.kind), `${url}: ${error}`)
    })
    if (file && (await text(file.body)) === 'canary') reached++
  }
  assert.ok(reached > 25, `${reached} reached`)
  assert.equal(hits, reached)
  hits = 0
})

test('the agent itself refuses, whoever uses it', async () => {
  const shut = made(() => false)
  for (const url of [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, `http://[::1]:${port}/`])
    await assert.rejects(request(url, { dispatcher: shut.agent }), failsAs('blocked'), url)
  assert.equal(hits, 0)
})

test('a name with one private answer among public ones is refused', async () => {
  for (const answers of [
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['2606:4700::1', '::ffff:127.0.0.1'],
    ['::1'],
  ]) {
    const mixed = made(() => false, { resolve: async () => answers })
    await assert.rejects(mixed.fetchFile(`http://mixed.test:${port}/`, options), failsAs('blocked'))
  }
  assert.equal(hits, 0)
})

test('a name that was public when it was registered and is private when it is dialled is refused', async () => {
  const answers = [['8.8.8.8'], ['127.0.0.1']]
  const rebinding = made(() => false, { resolve: async () => answers.shift() ?? ['127.0.0.1'] })
  await rebinding.check(`http://rebind.test:${port}/`)
  await assert.rejects(rebinding.fetchFile(`http://rebind.test:${port}/`, options), failsAs('blocked'))
  assert.equal(hits, 0)
})

test('the answer that was checked is the one that is dialled: a name is asked for once', async () => {
  const allowed = createServer((_, answer) => answer.end('allowed')).listen(0, '127.0.0.9')
  closing.push(
    () => allowed.close(),
    () => allowed.closeAllConnections(),
  )
  await once(allowed, 'listening')
  let asked = 0
  const rebinding = made(parseCidrs('127.0.0.9'), {
    resolve: async () => (asked++ === 0 ? ['127.0.0.9'] : ['127.0.0.1']),
  })
  const url = `http://rebind.test:${(allowed.address() as AddressInfo).port}/`
  assert.equal(await text((await rebinding.fetchFile(url, options)).body), 'allowed')
  assert.equal(asked, 1)
  await assert.rejects(rebinding.fetchFile(url, options), failsAs('blocked'))
})

test('a redirect to a private address is refused and does not tell where it pointed', async () => {
  let location = ''
  const outside = createServer((_, answer) => answer.writeHead(302, { location }).end()).listen(0, '127.0.0.9')
  closing.push(
    () => outside.close(),
    () => outside.closeAllConnections(),
  )
  await once(outside, 'listening')
  const url = `http://outside.test:${(outside.address() as AddressInfo).port}/`
  const resolve = async (host: string) => (host === 'outside.test' ? ['127.0.0.9'] : ['127.0.0.1'])
  const careful = made(parseCidrs('127.0.0.9'), { resolve })
  for (const host of [
    '127.0.0.1',
    '0x7f.1',
    'secret.internal',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'x@2130706433',
    '10.1.2.3',
  ])
    for (const start of ['http://', '//', 'HTTP:\\\\']) {
      location = `${start}${host}:${port}/`
      await assert.rejects(careful.fetchFile(url, options), (error: unknown) => {
        assert.match(
          String(error),
          /^GuardError: outside\.test redirects to an address that may not be reached from here\.$/,
        )
        return failsAs('blocked')(error)
      })
    }
  assert.equal(hits, 0)
})

test('ports of other protocols are refused on public addresses only', async () => {
  const outside = made(parseCidrs('127.0.0.0/8'), { resolve: async () => ['8.8.8.8'] })
  for (const bad of [22, 25, 110, 3306, 5432, 6379, 11211])
    await assert.rejects(outside.check(`http://mail.test:${bad}/`), failsAs('blocked'), String(bad))
  for (const good of [80, 443, 8080, 8443, 9000]) await outside.check(`http://web.test:${good}/`)
  await outside.check('http://127.0.0.1:6379/')
})

test('https is verified, and never goes on over plain http', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-guard-'))
  closing.push(() => rm(dir, { recursive: true }))
  const { key, cert, caPath } = await ensureCertificates(dir, [], Date.now())
  const secure = createSecure({ key, cert }, (asked, answer) => {
    if (asked.url === '/down') answer.writeHead(301, { location: `http://127.0.0.1:${port}/` }).end()
    else answer.end('secure')
  }).listen(0, '127.0.0.1')
  closing.push(
    () => secure.close(),
    () => secure.closeAllConnections(),
  )
  await once(secure, 'listening')
  const at = (host: string, path = '/') => `https://${host}:${(secure.address() as AddressInfo).port}${path}`
  const loopback = parseCidrs('127.0.0.0/8')
  const trusting = made(loopback, { ca: await readFile(caPath, 'utf8'), resolve: async () => ['127.0.0.1'] })
  for (const host of ['localhost', '127.0.0.1'])
    assert.equal(await text((await trusting.fetchFile(at(host), options)).body), 'secure')
  await assert.rejects(trusting.fetchFile(at('other.test'), options), failsAs('tls'))
  await assert.rejects(made(loopback).fetchFile(at('127.0.0.1'), options), failsAs('tls'))
  await assert.rejects(trusting.fetchFile(`https://127.0.0.1:${port}/`, options), failsAs('tls'))
  await assert.rejects(trusting.fetchFile(at('127.0.0.1', '/down'), options), failsAs('redirects'))
  assert.equal(hits, 0)
})
