/** What holds for the service as a whole: HTTPS only, limits, replays, events as a stream, health, and what logs say. */
import assert from 'node:assert/strict'
import { request as plainRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { serveFiles } from '../support/file-server.ts'
import { listenTo } from '../support/listener.ts'
import { dataUri, picture } from '../support/pictures.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'
import { until } from '../support/until.ts'

const photo = await picture('png', 16, 16)
const files = await serveFiles({ '/a.png': photo })
const server = await startServer({
  env: {
    REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8',
    REFORGE_LOG_LEVEL: 'debug',
    REFORGE_METRICS_TOKEN: 'metrics-secret-1',
  },
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
})
const { create, ended, send, done, run } = stepsOn(server)
const source = { operation: 'import/base64', file: dataUri(photo), filename: 'a.png' }

describe('plain HTTP', () => {
  for (const method of ['GET', 'POST'])
    test(`${method} on the same port is refused in words, never redirected`, async () => {
      const { port } = new URL(server.url)
      const headers = { authorization: `Bearer ${server.key}` }
      const asked = plainRequest({ host: '127.0.0.1', port, method, path: '/v1/process/tasks', headers })
      const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
        asked.once('response', resolve).once('error', reject).end()
      })
      const body = JSON.parse(await text(answer))
      assert.equal(answer.statusCode, 403)
      assert.equal(answer.headers.location, undefined)
      assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
      assert.match(body.message, /HTTPS/)
      assert.deepEqual(body.errors, [])
      assert.equal(typeof body.requestId, 'string')
    })
})

describe('every answer', () => {
  test('carries an id and is not sniffed', async () => {
    for (const path of ['/health', '/nothing', '/v1/process/tasks']) {
      const { headers } = await server.call('GET', path)
      assert.ok(headers.get('x-request-id'))
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('x-powered-by'), null)
    }
  })

  test('keeps the id a proxy gave, if it is a plain one', async () => {
    const id = async (given: string) =>
      (await server.call('GET', '/nothing', undefined, { 'x-request-id': given })).json.requestId
    assert.equal(await id('proxy-12345678'), 'proxy-12345678')
    assert.match(await id('<script>alert(1)</script>'), /^req_/)
  })

  test('has no rate headers when there is no limit', async () => {
    assert.equal((await server.call('GET', '/v1/process/tasks')).headers.get('ratelimit'), null)
  })
})

describe('pages of other origins', () => {
  const headers = { origin: 'https://example.org', 'access-control-request-method': 'GET' }
  for (const path of ['/v1/query/formats', '/v1/query/formats/convert', '/v1/query/options/convert', '/openapi.json'])
    test(`may ask ${path}`, async () => {
      const preflight = await server.fetch(path, { method: 'OPTIONS', headers })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /GET/)
      const answer = await server.fetch(path, { headers })
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    })
  for (const path of ['/v1/process/tasks', '/v1/process/jobs', '/v1/account/me'])
    test(`may not use ${path}`, async () => {
      const preflight = await server.fetch(path, { method: 'OPTIONS', headers })
      assert.equal(preflight.headers.get('access-control-allow-origin'), null)
      const answer = await server.call('GET', path, undefined, { origin: 'https://example.org' })
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    })
})

describe('the same Idempotency-Key', () => {
  const again = (body: unknown, key: string) =>
    server.call('POST', '/v1/process/jobs', body, { 'idempotency-key': key })
  const body = { tag: 'once', tasks: { a: source } }

  test('gets the first answer again, byte for byte', async () => {
    const first = await again(body, 'replay-1')
    assert.equal(first.status, 201)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    await ended('jobs', first.json.id)
    const second = await again(body, 'replay-1')
    assert.equal(second.status, 201)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('content-type'), first.headers.get('content-type'))
  })

  test('makes one job of many requests at once', async () => {
    const tag = 'race'
    const answers = await Promise.all(Array.from({ length: 8 }, () => again({ ...body, tag }, 'replay-2')))
    assert.equal(new Set(answers.map(({ text: said }) => said)).size, 1)
    assert.ok(answers.every(({ status }) => status === 201))
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    assert.equal((await server.call('GET', `/v1/process/jobs?tag=${tag}`)).json.totalDocs, 1)
  })

  test('is not spent on a request that was refused', async () => {
    assert.equal((await again({ tasks: {} }, 'replay-3')).status, 400)
    assert.equal((await again(body, 'replay-3')).status, 201)
  })

  test('works on every POST that creates', async () => {
    const { id } = await done('import/base64', { file: source.file, filename: 'a.png' })
    const headers = { 'idempotency-key': 'replay-4' }
    const call = () => server.call('POST', '/v1/process/convert', { input: id, output_format: 'jpg' }, headers)
    assert.equal((await call()).json.id, (await call()).json.id)
  })
})

describe('events as a stream', () => {
  interface Frame {
    id: number
    event: string
    data: Shown
  }
  const ask = (job: string, headers: Record<string, string> = {}) =>
    server.fetch(`/v1/process/jobs/${job}/events`, {
      headers: { authorization: `Bearer ${server.key}`, accept: 'text/event-stream', ...headers },
    })
  const framesOf = (said: string): Frame[] =>
    said
      .split('\n\n')
      .filter((block) => block.includes('event:'))
      .map((block) => {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
        return { id: Number(field('id')), event: field('event'), data: JSON.parse(field('data')) }
      })

  const finished = async () => {
    const job = await create('jobs', { tasks: { a: source, b: { operation: 'compress', input: 'a' } } })
    await ended('jobs', job.id)
    return job
  }

  test('tells everything from the start, in order, and closes after the end', async () => {
    const job = await finished()
    const answer = await ask(job.id)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
    const frames = framesOf(await answer.text())
    assert.deepEqual(
      frames.map(({ id }) => id),
      frames.map((_, index) => index + 1),
    )
    assert.deepEqual(
      frames.map(({ event, data }) => `${event} ${data.name ?? 'job'}`).filter((line) => !line.startsWith('task_min')),
      [
        'job_created job',
        'task_created a',
        'task_created b',
        'job_started job',
        'task_started a',
        'task_completed a',
        'task_started b',
        'task_completed b',
        'job_completed job',
      ],
    )
    assert.deepEqual(frames.at(-1)?.data, (await server.call('GET', `/v1/process/jobs/${job.id}`)).json)
  })

  test('goes on after Last-Event-ID', async () => {
    const job = await finished()
    const all = framesOf(await (await ask(job.id)).text())
    const rest = framesOf(await (await ask(job.id, { 'last-event-id': '4' })).text())
    assert.deepEqual(rest, all.slice(4))
    const wrong = await server.call('GET', `/v1/process/jobs/${job.id}/events`, undefined, {
      accept: '*/*',
      'last-event-id': 'x',
    })
    assertRefused(wrong, 'invalid_parameter', /Last-Event-ID/)
  })

  test('follows a running job', async () => {
    const job = await create('jobs', { tasks: { a: { operation: 'import/upload' } } })
    const answer = await ask(job.id)
    const said = answer.text()
    await send(job.tasks[0], photo)
    const events = framesOf(await said).map(({ event }) => event)
    assert.deepEqual(events.slice(0, 2), ['job_created', 'task_created'])
    assert.equal(events.at(-1), 'job_completed')
  })

  test('ends when the job is deleted', async () => {
    const job = await create('jobs', { tasks: { a: { operation: 'import/upload' } } })
    const answer = await ask(job.id)
    const said = answer.text()
    await server.call('DELETE', `/v1/process/jobs/${job.id}`)
    assert.equal(framesOf(await said).at(-1)?.event, 'job_deleted')
  })
})

describe('for operators', () => {
  test('health tells of engines, sandbox, disk and queue', async () => {
    const { status, json } = await server.call('GET', '/health', undefined, { authorization: '' })
    assert.equal(status, 200)
    assert.equal(json.status, 'ok')
    assert.notEqual(json.sandbox.kind, 'none')
    assert.ok(json.engines.some(({ id, ready }: Shown) => id === 'sharp' && ready))
    assert.ok(json.disk.free > 0)
    assert.ok(json.queue)
    assert.doesNotMatch(JSON.stringify(json), new RegExp(server.data))
  })

  test('metrics are shown to loopback', async () => {
    await done('import/base64', { file: source.file, filename: 'a.png' })
    const answer = await server.call('GET', '/metrics', undefined, { authorization: '' })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(answer.text, /reforge_\w+\{[^}]*operation="import\/base64"/)
  })

  test('secrets are in no answer, no event and no log', async () => {
    using socket = await listenTo(server)
    const { user } = await create('import/upload')
    await socket.subscribe(`user.${user}.tasks`)
    const url = files.url.replace('://', '://hidden-user:hidden%20pass@')
    const task = await run('import/url', { url: `${url}/a.png?token=kept` })
    assert.equal(task.status, 'completed', task.result.msg)
    const shown = (await server.call('GET', `/v1/process/tasks/${task.id}?include=payload`)).json
    assert.equal(shown.payload.url, `${files.url.replace('://', '://***:***@')}/a.png?token=kept`)
    await run('import/url', { url: `${url}/missing.png` })
    await run('import/url', { url: url.replace('127.0.0.1', '10.0.0.1') })
    await server.call('POST', '/v1/process/import/url', { url: `${url}/a.png`, filename: 5 })
    await server.fetch(task.result.url)
    await server.fetch(`${task.result.url}x`)
    await server.fetch('/v1/process/tasks', { headers: { authorization: 'Bearer hidden-wrong-key' } })
    const list = (await server.call('GET', '/v1/process/tasks?operation=import/url')).text
    await until(() => socket.heard.filter(({ event }) => event === 'task_failed').length >= 2, 'the failures are told')
    const said = [list, JSON.stringify(socket.heard), server.printed()].join('\n')
    assert.match(server.printed(), /"method":"GET"/, 'the log is there')
    assert.doesNotMatch(said, /hidden/)
    assert.equal(server.printed().includes(server.key), false)
    const signature = new URL(task.result.url).searchParams.get('signature') ?? ''
    assert.equal(server.printed().includes(signature), false)
  })
})

describe('the rate limit', () => {
  test('counts by key, says what is left on every answer, and when to come again', async () => {
    await using limited = await startServer({ env: { REFORGE_RATE_LIMIT: '30' } })
    const other = await limited.otherKey('other@example.org')
    const first = await limited.call('GET', '/v1/process/tasks')
    assert.equal(first.headers.get('ratelimit-policy'), '"default";q=30;w=60')
    assert.match(first.headers.get('ratelimit') ?? '', /^"default";r=29;t=\d+$/)
    let last = first
    for (let n = 0; n < 40 && last.status !== 429; n++) last = await limited.call('GET', '/v1/process/tasks')
    assertRefused(last, 'too_many_requests', /30 requests a minute/)
    assert.match(last.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.match(last.headers.get('ratelimit') ?? '', /^"default";r=0;t=\d+$/)
    assert.ok(last.headers.get('ratelimit-policy'))

    const theirs = await limited.call('GET', '/v1/process/tasks', undefined, { authorization: `Bearer ${other}` })
    assert.equal(theirs.status, 200, 'another key has its own count')
    const open = await limited.call('GET', '/v1/query/formats', undefined, { authorization: '' })
    assert.equal(open.status, 200, 'so has an address without a key')
    assert.match(open.headers.get('ratelimit') ?? '', /r=29/)
    const missing = await limited.call('GET', '/nothing')
    assert.match(missing.headers.get('ratelimit') ?? '', /r=28/)
    const me = await limited.call('GET', '/v1/account/me', undefined, { authorization: `Bearer ${other}` })
    assert.equal(me.json.limits.ratePerMinute, 30)
  })

  test('counts guesses of keys against the address', async () => {
    await using limited = await startServer({ env: { REFORGE_RATE_LIMIT: '5' } })
    const guess = (n: number) =>
      limited.call('GET', '/v1/process/tasks', undefined, { authorization: `Bearer guess-${n}` })
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) statuses.push((await guess(n)).status)
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429])
  })
})
