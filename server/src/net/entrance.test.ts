import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createEntrance } from './entrance.ts'

test('who comes before the entrance is open waits, and is answered with what was sent', async (context) => {
  const entrance = createEntrance()
  const server = createServer(entrance.listener).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await once(server, 'listening')
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const arrived = once(server, 'request')
  const early = fetch(at, { method: 'POST', body: 'early' })
  await arrived
  const later: string[] = []
  server.on('request', (request) => later.push(request.method ?? ''))
  entrance.open(server, async (request, response) => response.end(`heard ${await text(request)}`))

  assert.equal(await (await early).text(), 'heard early')
  assert.deepEqual(later, ['POST'], 'who has begun to listen in between hears of it')
  assert.equal(await (await fetch(at, { method: 'PUT', body: 'late' })).text(), 'heard late')
  assert.deepEqual(later, ['POST', 'PUT'])
})
