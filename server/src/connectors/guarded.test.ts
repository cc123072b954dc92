/** No connector has a way around the guard: not by an address, not by a redirect. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { createGuard } from '../net/guard.ts'
import { openBlobs } from './azure-blob.ts'
import { openGcs } from './gcs.ts'
import { openS3 } from './s3.ts'
import { openSftp } from './sftp.ts'
import type { Storage } from './storage.ts'
import { ask } from './web.ts'

const signal = new AbortController().signal
const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(
  host: string,
  handle: Parameters<typeof createServer>[1],
): Promise<{ port: number; hits: number[] }> {
  const hits: number[] = []
  const server = createServer(handle)
  servers.push(server)
  server.on('connection', () => hits.push(1))
  server.listen(0, host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, hits }
}

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const KEY = pem.toString()

type Open = (port: number, guard: ReturnType<typeof createGuard>) => Storage | Promise<Storage>
const overWeb: Record<string, Open> = {
  s3: (port, guard) => {
    const keys = { access_key_id: 'a', secret_access_key: 'b' }
    return openS3({ bucket: 'b', region: 'r', endpoint: `http://127.0.0.1:${port}`, ...keys }, guard, signal)
  },
  'blobs with a key': (port, guard) => {
    const account = { container: 'c', storage_account: 'abc', storage_access_key: 'AAAA' }
    return openBlobs({ ...account, url: `http://127.0.0.1:${port}/{account}` }, guard, signal)
  },
  gcs: (port, guard) => {
    const places = { url: `http://127.0.0.1:${port}`, tokenUrl: `http://127.0.0.1:${port}/token` }
    return openGcs({ bucket: 'b', client_email: 'e', private_key: KEY, ...places }, guard, signal)
  },
}
const all: Record<string, Open> = {
  ...overWeb,
  sftp: (port, guard) => openSftp({ host: '127.0.0.1', port, username: 'u', password: 'p' }, guard, signal),
}

const parcel = { name: 'x', size: 1, type: 'a/b', read: () => Readable.from([Buffer.from('x')]), progress: () => {} }

describe('an address that is not public', () => {
  for (const [name, open] of Object.entries(all))
    test(`is reached neither for reading nor for writing: ${name}`, async () => {
      const canary = await serve('127.0.0.1', (_, response) => response.end('secret of the house'))
      const guard = createGuard({ allow: () => false })
      const storage = await open(canary.port, guard)
      await assert.rejects(storage.open('x', { start: 0, version: null }), /is not at a public address/)
      await assert.rejects(storage.put(parcel), /is not at a public address/)
      assert.deepEqual(canary.hits, [])
      await guard.close()
    })
})

describe('a redirect', () => {
  for (const [name, open] of Object.entries(overWeb))
    test(`leads to no address that is out of bounds: ${name}`, async () => {
      const canary = await serve('127.0.0.2', (_, response) => response.end('secret of the house'))
      const location = `http://127.0.0.2:${canary.port}/`
      const lure = await serve('127.0.0.1', (_, response) => response.writeHead(307, { location }).end())
      const guard = createGuard({ allow: (ip) => ip === '127.0.0.1' })
      const storage = await open(lure.port, guard)
      await assert.rejects(storage.open('x', { start: 0, version: null }), { errorCode: 'processing_failed' })
      assert.ok(lure.hits.length > 0)
      assert.deepEqual(canary.hits, [])
      await guard.close()
    })
})

test('a server that never answers ends in words, and is not asked again', async () => {
  const silent = await serve('127.0.0.1', () => {})
  const guard = createGuard({ allow: () => true })
  const request = { method: 'GET', origin: `http://127.0.0.1:${silent.port}`, path: '/', headers: {}, patience: 50 }
  await assert.rejects(ask(guard, request), { name: 'Failure', message: /127\.0\.0\.1 did not answer in time/ })
  await guard.close()
})
