/** Webhooks over HTTPS: registered, told, looked at, tried, exchanged, deleted; and what is refused. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dataUri, picture } from '../support/pictures.ts'
import { type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'
import { until } from '../support/until.ts'

let server: TestServer
let receiver: Receiver
before(async () => {
  server = await startServer({ env: { REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.1/32' } })
  receiver = await startReceiver()
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const call = async (method: string, path: string, body?: unknown, status = 200): Promise<Shown> => {
  const answer = await server.call(method, `/v1/webhooks${path}`, body)
  assert.equal(answer.status, status, answer.text)
  return answer.json
}
const register = (body: object = {}): Promise<Shown> => call('POST', '', { url: receiver.url, ...body }, 201)
const eventsOf = (job: string): unknown[] =>
  receiver.got.filter(({ body }) => JSON.parse(body).id === job).map(({ headers }) => headers['webhook-event'])

async function job(more: object = {}): Promise<Shown> {
  const file = dataUri(await picture('png', 8, 8), 'image/png')
  const tasks = { import: { operation: 'import/base64', file, filename: 'a.png' } }
  const made = await stepsOn(server).create('jobs', { tasks, ...more })
  return stepsOn(server).ended('jobs', made.id)
}

describe('webhooks', () => {
  test('tell the job as the API shows it, with a signature that receivers verify', async () => {
    const hook = await register()
    assert.match(hook.secret, /^whsec_/)
    const { id } = await job()
    await until(() => eventsOf(id).length === 2, 'both events came')
    assert.deepEqual(eventsOf(id), ['job.created', 'job.success'])
    const success = receiver.got.findLast(({ body }) => JSON.parse(body).id === id)
    assert.ok(success)
    const told = verify(success, hook.secret) as Shown
    const shown = (await server.call('GET', `/v1/process/jobs/${id}`)).json
    assert.equal(told.status, 'completed')
    assert.deepEqual(Object.keys(told).sort(), Object.keys(shown).sort())
    assert.equal(told.tasks[0].result.filename, 'a.png')
    assert.doesNotMatch(JSON.stringify(await call('GET', `/${hook.id}`)), /whsec_/, 'the secret is shown once')
    await call('DELETE', `/${hook.id}`)
  })

  test('tell only the events that were asked for', async () => {
    const hook = await register({ events: ['job.failed'] })
    const { id } = await job()
    const task = { operation: 'convert', input: 'import', input_format: 'gif', output_format: 'jpg' }
    const file = dataUri(await picture('png', 8, 8), 'image/png')
    const tasks = { import: { operation: 'import/base64', file, filename: 'a.png' }, wrong: task }
    const failed = await stepsOn(server).create('jobs', { tasks })
    await until(() => eventsOf(failed.id).length === 1, 'the failure was told')
    assert.deepEqual([eventsOf(failed.id), eventsOf(id)], [['job.failed'], []])
    await call('DELETE', `/${hook.id}`)
  })

  test('the webhook_url of one job is told with the secret of the account, which can be exchanged', async () => {
    const { secret } = await call('GET', '/secret')
    const { secret: next } = await call('POST', '/secret/rotate')
    assert.notEqual(next, secret)
    const { id } = await job({ webhook_url: receiver.url })
    await until(() => eventsOf(id).length === 2, 'both events came')
    const [got] = receiver.got.filter(({ body }) => JSON.parse(body).id === id)
    assert.ok(got)
    verify(got, next)
    verify(got, secret)
    assert.equal((await call('GET', '/secret')).secret, next)
  })

  test('what was told is listed with every attempt, and can be sent again', async () => {
    const hook = await register()
    const test = await call('POST', `/${hook.id}/test`, undefined, 201)
    assert.equal(test.event, 'webhook.test')
    const delivered = async (times: number) =>
      until(async () => (await call('GET', `/deliveries/${test.id}`)).log.length === times, `${times} attempts`)
    await delivered(1)
    await call('POST', `/deliveries/${test.id}/resend`)
    await delivered(2)
    const { log, status } = await call('GET', `/deliveries/${test.id}`)
    assert.equal(status, 'delivered')
    assert.deepEqual(
      log.map((attempt: Shown) => [attempt.status, attempt.answer]),
      [
        [200, 'thanks'],
        [200, 'thanks'],
      ],
    )
    assert.deepEqual(
      (await call('GET', `/${hook.id}/deliveries`)).docs.map(({ id }: Shown) => id),
      [test.id],
    )
    assert.ok((await call('GET', '/deliveries')).totalDocs > 1)
    await call('DELETE', `/${hook.id}`)
    assertRefused(await server.call('GET', `/v1/webhooks/deliveries/${test.id}`), 'not_found', /delivery/)
  })

  test('can be changed, switched off and on, and given another secret', async () => {
    const hook = await register()
    const changed = await call('PATCH', `/${hook.id}`, { events: ['job.success'], enabled: false })
    assert.deepEqual([changed.events, changed.enabled], [['job.success'], false])
    const { id } = await job()
    assert.deepEqual(eventsOf(id), [])
    assertRefused(await server.call('POST', `/v1/webhooks/${hook.id}/test`), 'conflict', /switched off/)
    const { secret } = await call('POST', `/${hook.id}/rotate`)
    assert.notEqual(secret, hook.secret)
    await call('PATCH', `/${hook.id}`, { enabled: true })
    const { id: next } = await job()
    await until(() => eventsOf(next).length === 1, 'the success was told')
    const [got] = receiver.got.filter(({ body }) => JSON.parse(body).id === next)
    for (const each of [secret, hook.secret]) verify(got ?? assert.fail(), each)
    await call('DELETE', `/${hook.id}`)
  })

  test('are refused in words when the address is wrong or may not be reached', async () => {
    const cases: [unknown, string, RegExp][] = [
      [{}, 'url', /required/],
      [{ url: 'ftp://example.org/' }, 'url', /http/],
      [{ url: 'http://10.0.0.1/' }, 'url', /./],
      [{ url: 'http://[::1]/' }, 'url', /./],
      [{ url: receiver.url, events: ['job.eaten'] }, 'events', /job\.success/],
      [{ url: receiver.url, events: [] }, 'events', /./],
    ]
    for (const [body, at, says] of cases)
      assertRefused(await server.call('POST', '/v1/webhooks', body), 'invalid_parameter', says, at)
    const tasks = { a: { operation: 'import/upload' } }
    const own = await server.call('POST', '/v1/process/jobs', { tasks, webhook_url: 'http://169.254.169.254/' })
    assertRefused(own, 'invalid_parameter', /./, 'webhook_url')
  })

  test('are not found by others', async () => {
    const hook = await register()
    const key = await server.otherKey('other@example.org')
    const headers = { authorization: `Bearer ${key}` }
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate'],
      ['GET', '/deliveries'],
    ] as const)
      assert.equal(
        (await server.call(method, `/v1/webhooks/${hook.id}${path}`, method === 'PATCH' ? {} : undefined, headers))
          .status,
        404,
      )
    assert.equal((await server.call('GET', '/v1/webhooks', undefined, headers)).json.totalDocs, 0)
    await call('DELETE', `/${hook.id}`)
  })
})
