/** Any request: sent with the key or without, and answered as it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ground } from './support.ts'

const g = ground()

test('a request carries the key unless it is to be anonymous, and a refusal is an answer', async () => {
  const path = '/v1/process/jobs?per_page=1'
  assert.equal((await g.reforge.request({ method: 'GET', path })).status, 200)
  assert.equal((await g.reforge.request({ method: 'GET', path, anonymous: true })).status, 401)
})

test('a body is sent as it is given', async () => {
  const body = JSON.stringify({ tasks: { upload: { operation: 'import/upload' } } })
  const headers = { 'content-type': 'application/json' }
  const answer = await g.reforge.request({ method: 'POST', path: '/v1/process/jobs', headers, body })
  assert.equal(answer.status, 201)
})

test('a server that is not there is an error in words', async () => {
  const nobody = g.client({ url: 'https://localhost:1' })
  await assert.rejects(nobody.request({ method: 'GET', path: '/health' }), { code: 'network_error' })
})

test('the server describes itself', async () => {
  const { paths } = await g.reforge.document()
  assert.ok(paths && typeof paths === 'object' && '/v1/process/jobs' in paths)
})
