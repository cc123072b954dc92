import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { serveFiles } from '../../test/support/file-server.ts'
import { parseCidrs } from './addresses.ts'
import { type Egress, type EgressLimits, openEgress } from './egress-proxy.ts'
import { createGuard } from './guard.ts'

const web = await serveFiles({
  '/': Buffer.from('hello'),
  '/big': Buffer.alloc(300_000, 'a'),
  '/moved': (_, response) => response.writeHead(302, { location: `${canary.url}/` }).end(),
  '/echo': (asked, response) => {
    response.writeHead(200, {
      'x-method': asked.method ?? '',
      'x-path': asked.url ?? '',
      'x-seen': Object.keys(asked.headers).join(),
    })
    asked.pipe(response)
  },
})
/** An address of this machine that nobody has allowed. */
const canary = await serveFiles({ '/': Buffer.from('secret') }, '127.0.0.2')
const guard = createGuard({ allow: parseCidrs('127.0.0.1/32') })
after(async () => {
  await guard.close()
  await web[Symbol.asyncDispose]()
  await canary[Symbol.asyncDispose]()
})

async function withProxy<T>(use: (proxy: Egress) => Promise<T>, limits: Partial<EgressLimits> = {}): Promise<T> {
  const proxy = await openEgress(guard, { bytes: 1e6, requests: 100, ...limits })
  try {
    return await use(proxy)
  } finally {
    await proxy.close()
    assert.equal(existsSync(proxy.socket), false)
  }
}

interface Got {
  status: number
  headers: Record<string, unknown>
  body: string
}

/** As a browser asks a proxy: the whole address in the first line. */
async function ask({ socket }: Egress, path: string, method = 'GET', body = ''): Promise<Got> {
  const asked = request({ socketPath: socket, path, method, headers: { 'proxy-connection': 'keep-alive', host: 'x' } })
  asked.end(body)
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

/** The first bytes of the answer to CONNECT, and the connection. */
async function tunnel({ socket }: Egress, to: string) {
  const client = connect(socket)
  client.on('error', () => {})
  client.write(`CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n\r\n`)
  const [answer] = await once(client, 'data')
  return { client, answer: String(answer) }
}

describe('the way out of a box', () => {
  it('passes requests on as they are', () =>
    withProxy(async (proxy) => {
      assert.deepEqual((await ask(proxy, `${web.url}/`)).body, 'hello')
      const { headers, body } = await ask(proxy, `${web.url}/echo?a=%2F+b`, 'POST', 'sent')
      assert.equal(body, 'sent')
      assert.equal(headers['x-method'], 'POST')
      assert.equal(headers['x-path'], '/echo?a=%2F+b')
      assert.doesNotMatch(String(headers['x-seen']), /proxy/)
    }))

  it('follows nothing itself: where a redirect leads is asked anew', () =>
    withProxy(async (proxy) => {
      assert.equal((await ask(proxy, `${web.url}/moved`)).status, 302)
    }))

  it('reaches no address that is not allowed, and answers nothing', () =>
    withProxy(async (proxy) => {
      const before = canary.hits.length
      for (const url of [
        `${canary.url}/`,
        `http://[::1]:${canary.port}/`,
        'http://0.0.0.0/',
        'http://169.254.169.254/',
        'http://10.0.0.1:80/',
        'http://2130706434/',
      ])
        await assert.rejects(ask(proxy, url), /socket hang up/, url)
      assert.equal(canary.hits.length, before)
      assert.equal(proxy.refusal('127.0.0.2')?.kind, 'blocked')
      assert.equal(proxy.refusal('example.org'), undefined)
    }))

  it('passes nothing on but http', () =>
    withProxy(async (proxy) => {
      for (const url of ['ftp://127.0.0.1/', 'file:///etc/passwd', 'https://127.0.0.1/', '/', 'gopher://127.0.0.1/'])
        await assert.rejects(ask(proxy, url), /socket hang up/, url)
    }))

  it('opens tunnels, for what is encrypted and for WebSockets', () =>
    withProxy(async (proxy) => {
      const { client, answer } = await tunnel(proxy, `127.0.0.1:${web.port}`)
      assert.match(answer, /^HTTP\/1\.1 200 /)
      client.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
      assert.match(await text(client), /hello$/)
    }))

  it('opens no tunnel to an address that is not allowed', () =>
    withProxy(async (proxy) => {
      const before = canary.hits.length
      for (const to of [
        `127.0.0.2:${canary.port}`,
        '[::ffff:127.0.0.2]:80',
        '10.1.2.3:443',
        '8.8.8.8:25',
        'nonsense',
        '127.0.0.1:99999',
      ]) {
        const { client, answer } = await tunnel(proxy, to)
        assert.match(answer, /^HTTP\/1\.1 403 /, to)
        client.destroy()
      }
      assert.equal(canary.hits.length, before)
    }))

  it('ends when more bytes come than allowed', () =>
    withProxy(
      async (proxy) => {
        await assert.rejects(ask(proxy, `${web.url}/big`))
        assert.equal(proxy.spent(), 'bytes')
        await assert.rejects(ask(proxy, `${web.url}/`))
      },
      { bytes: 100_000 },
    ))

  it('ends when more is asked for than allowed', () =>
    withProxy(
      async (proxy) => {
        await ask(proxy, `${web.url}/`)
        await ask(proxy, `${web.url}/`)
        await assert.rejects(ask(proxy, `${web.url}/`))
        assert.equal(proxy.spent(), 'requests')
      },
      { requests: 2 },
    ))

  it('leaves no connection behind when it closes', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const proxy = await openEgress(guard, { bytes: 1e6, requests: 10 })
    const arrived = once(silent, 'connection')
    const { client } = await tunnel(proxy, `127.0.0.1:${port}`)
    const [other] = await arrived
    const gone = [once(client, 'close'), once(other.on('error', () => {}).resume(), 'close')]
    await proxy.close()
    await Promise.all(gone)
    await new Promise((done) => silent.close(done))
  })

  it('lives through nonsense', () =>
    withProxy(async (proxy) => {
      const client = connect(proxy.socket)
      client.on('error', () => {}).end('\x16\x03\x01nonsense\r\n\r\n')
      await once(client.resume(), 'close')
      assert.equal((await ask(proxy, `${web.url}/`)).body, 'hello')
    }))
})
