/** What belongs to the account, and how the installation is. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createReforge } from '../src/node.ts'
import { ground, toJpg } from './support.ts'

const on = ground({ REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8,::1/128' })

test('keys are made with less, listed and revoked', async () => {
  const { keys } = on.reforge.account
  const made = await keys.create({ name: 'reader', scopes: ['tasks:read'] })
  assert.ok((await keys.list()).some(({ id, name }) => id === made.id && name === 'reader'))
  const reader = on.client({ key: made.key })
  assert.ok((await reader.jobs.list()).docs)
  await assert.rejects(reader.account.keys.list(), { status: 403 })
  await keys.revoke(made.id)
  await assert.rejects(reader.jobs.list(), { status: 401 })
})

test('webhooks are registered, switched, tried and deleted', async (t) => {
  const hook = createServer((_request, answer) => void answer.end('ok')).listen(0, '127.0.0.1')
  t.after(() => hook.close())
  await once(hook, 'listening')
  const { webhooks } = on.reforge
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
  const made = await webhooks.create({ url, events: ['job.failed'] })
  assert.match(made.secret, /^whsec_/)
  assert.deepEqual((await webhooks.get(made.id)).events, ['job.failed'])
  assert.equal((await webhooks.update(made.id, { enabled: false })).enabled, false)
  await webhooks.update(made.id, { enabled: true })
  const sent = await webhooks.test(made.id)
  assert.equal((await webhooks.delivery(sent.id)).event, 'webhook.test')
  assert.equal((await webhooks.deliveries(made.id)).totalDocs, 1)
  assert.notEqual((await webhooks.rotate(made.id)).secret, made.secret)
  assert.equal((await webhooks.resend(sent.id)).id, sent.id)
  assert.match((await webhooks.secret()).secret, /^whsec_/)
  await webhooks.delete(made.id)
  assert.equal((await webhooks.list()).totalDocs, 0)
})

test('a job is canceled with all its tasks', async () => {
  const { jobs } = on.reforge
  const { id } = await jobs.create(toJpg)
  const { status, tasks = [] } = await jobs.cancel(id)
  assert.equal(status, 'failed')
  assert.ok(tasks.every((task) => task.status === 'canceled' || task.status === 'failed'))
})

test('health is told without a key, also by an installation in trouble', async (t) => {
  const { status, engines } = await on.client({ key: undefined }).health()
  assert.notEqual(status, 'failing')
  assert.ok(engines.some(({ ready }) => ready))
  const ailing = createServer((_request, answer) => void answer.writeHead(503).end('{"status":"failing"}')).listen(0)
  t.after(() => ailing.close())
  await once(ailing, 'listening')
  const url = `http://127.0.0.1:${(ailing.address() as AddressInfo).port}`
  assert.equal((await createReforge({ url }).health()).status, 'failing')
})
