/** API keys over HTTPS: made, listed, used, revoked; and what they may not do. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { io } from 'socket.io-client'
import { assertRefused } from '../support/refusal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { Shown } from '../support/steps.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server[Symbol.asyncDispose]())

const KEYS = '/v1/account/keys'
async function make(body: object): Promise<Shown> {
  const answer = await server.call('POST', KEYS, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.json
}
const as = (key: string) => ({ authorization: `Bearer ${key}` })

describe('API keys', () => {
  test('are shown once, listed with their last use, and work', async () => {
    const made = await make({ name: 'laptop', scopes: ['tasks:read'] })
    assert.match(made.key, /^rf_live_/)
    assert.equal((await server.call('GET', '/v1/process/jobs', undefined, as(made.key))).status, 200)
    const { keys } = (await server.call('GET', KEYS)).json
    const listed = keys.find(({ id }: Shown) => id === made.id)
    assert.deepEqual([listed.name, listed.scopes, listed.current], ['laptop', ['tasks:read'], false])
    assert.equal(keys.filter(({ current }: Shown) => current).length, 1)
    assert.doesNotMatch(JSON.stringify(keys), /rf_live_/)
  })

  test('have the rights of the key that made them unless less is asked for, and never more', async () => {
    const narrow = await make({ name: 'narrow', scopes: ['account', 'tasks:read'] })
    const more = await server.call('POST', KEYS, { name: 'more', scopes: ['tasks:write'] }, as(narrow.key))
    assertRefused(more, 'forbidden', /tasks:write/)
    const same = await server.call('POST', KEYS, { name: 'same' }, as(narrow.key))
    assert.deepEqual(same.json.scopes, ['tasks:read', 'account'])
  })

  test('of one name are refused, and so is what is no key at all', async () => {
    await make({ name: 'twice' })
    assertRefused(await server.call('POST', KEYS, { name: 'twice' }), 'conflict', /twice/)
    assertRefused(await server.call('POST', KEYS, {}), 'invalid_parameter', /required/, 'name')
    assertRefused(await server.call('POST', KEYS, { name: ' ' }), 'invalid_parameter', /empty/, 'name')
    assertRefused(
      await server.call('POST', KEYS, { name: 'x', scopes: ['all'] }),
      'invalid_parameter',
      /tasks:read/,
      'scopes',
    )
  })

  test('end the streams that were opened with them', async () => {
    const { id, key } = await make({ name: 'listening' })
    const job = await server.call('POST', '/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    const stream = await server.fetch(`/v1/process/jobs/${job.json.id}/events`, {
      headers: { ...as(key), accept: 'text/event-stream' },
    })
    assert.equal(stream.status, 200)
    const read = stream.text()
    assert.equal((await server.call('DELETE', `${KEYS}/${id}`)).status, 200)
    assert.match(await read, /event: job_created/)
  })

  test('are worth nothing the moment they are revoked, and their live connections are closed', async () => {
    const { id, key } = await make({ name: 'leaked' })
    const socket = io(server.url, { ca: server.ca, auth: { token: `Bearer ${key}` }, reconnection: false })
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
      const closed = new Promise((resolve) => socket.once('disconnect', resolve))
      assert.equal((await server.call('DELETE', `${KEYS}/${id}`)).status, 200)
      assert.equal(await closed, 'io server disconnect')
    } finally {
      socket.close()
    }
    assert.equal((await server.call('GET', '/v1/process/jobs', undefined, as(key))).status, 401)
    assert.equal((await server.call('DELETE', `${KEYS}/${id}`)).status, 404)
  })

  test('of another user are not found', async () => {
    const other = await server.otherKey('other@example.org')
    const { id } = await make({ name: 'mine' })
    assert.equal((await server.call('DELETE', `${KEYS}/${id}`, undefined, as(other))).status, 404)
    assert.equal((await server.call('GET', KEYS, undefined, as(other))).json.keys.length, 1)
  })
})
