/** Who may do what: every route of the API's own description, with no key, a bad one, a narrow one and somebody else's. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { SCOPES, type Scope } from '../../src/ports/accounts.ts'
import { picture } from '../support/pictures.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'

const server = await startServer()
after(() => server[Symbol.asyncDispose]())
const { create, imported, download } = stepsOn(server)
const bytes = await picture('png', 16, 16)
const done = await imported(bytes, 'mine.png')
const job = await create('jobs', { tag: 'mine', tasks: { a: { operation: 'import/upload' } } })
const waiting = job.tasks[0]

const [eve, ...narrow] = await Promise.all([
  server.otherKey('eve@example.org'),
  ...SCOPES.map((lacking) =>
    server.otherKey(
      `without-${lacking.replace(':', '-')}@example.org`,
      SCOPES.filter((scope) => scope !== lacking).join(','),
    ),
  ),
])
const without = Object.fromEntries(SCOPES.map((scope, index) => [scope, narrow[index]])) as Record<Scope, string>

const { paths } = (await server.call('GET', '/openapi.json')).json
const MINE: Record<string, string> = { taskId: waiting.id, jobId: job.id }
const routes = Object.entries<Shown>(paths).flatMap(([template, methods]) =>
  Object.entries<Shown>(methods).map(([method, { security }]) => ({
    name: `${method.toUpperCase()} ${template}`,
    method: method.toUpperCase(),
    path: template.replace(/\{(\w+)\}/g, (_, name) => MINE[name] ?? waiting.id),
    takes: template.includes('{'),
    creates: method === 'post' && !template.includes('{'),
    isOpen: security.length === 0,
    scope: scopeOf(method, template),
  })),
)

function scopeOf(method: string, path: string): Scope {
  if (path.startsWith('/v1/account')) return 'account'
  if (path.startsWith('/v1/webhooks')) return 'webhooks'
  return method === 'get' ? 'tasks:read' : 'tasks:write'
}

const call = (method: string, path: string, authorization?: string, body?: unknown) =>
  server.call(method, path, body ?? (method === 'POST' ? {} : undefined), { authorization: authorization ?? '' })

const protectedRoutes = routes.filter(({ isOpen }) => !isOpen)
const openRoutes = routes.filter(({ isOpen }) => isOpen)

test('the description lists the routes of the specification', () => {
  const names = routes.map(({ name }) => name)
  for (const name of [
    'GET /v1/process/tasks',
    'GET /v1/process/tasks/{taskId}',
    'DELETE /v1/process/tasks/{taskId}',
    'POST /v1/process/tasks/{taskId}/cancel',
    'GET /v1/process/jobs',
    'POST /v1/process/jobs',
    'GET /v1/process/jobs/{jobId}',
    'DELETE /v1/process/jobs/{jobId}',
    ...['import/upload', 'import/url', 'import/base64', 'export/url'].map((name) => `POST /v1/process/${name}`),
    ...['objstore_a', 'objstore_b', 'blobstore', 'sftp'].flatMap((name) => [
      `POST /v1/process/import/${name}`,
      `POST /v1/process/export/${name}`,
    ]),
    ...['convert', 'compress', 'merge', 'crop', 'trim'].flatMap((name) => [
      `POST /v1/process/${name}`,
      `GET /v1/query/formats/${name}`,
      `GET /v1/query/options/${name}`,
    ]),
    'GET /v1/query/formats',
    'GET /v1/account/me',
  ])
    assert.ok(names.includes(name), name)
})

describe('a protected route', () => {
  for (const { name, method, path, scope } of protectedRoutes) {
    test(`${name} needs a key`, async () => {
      const answer = await call(method, path)
      assertRefused(answer, 'unauthorized', /access token is missing/)
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
    })
    test(`${name} needs a key that is valid`, async () => {
      for (const header of [
        'Bearer rf_live_nonsense',
        `Bearer ${server.key}x`,
        `Bearer ${server.key.slice(0, -1)}`,
        `Bearer ${server.key.toUpperCase()}`,
        `Basic ${Buffer.from(`user:${server.key}`).toString('base64')}`,
        server.key,
        'Bearer',
        'Bearer  ',
        `Bearer ${server.key} ${server.key}`,
        `Bearer ${'x'.repeat(5000)}`,
      ])
        assertRefused(await call(method, path, header), 'unauthorized')
    })
    test(`${name} needs a key with the scope ${scope}`, async () => {
      assertRefused(await call(method, path, `Bearer ${without[scope]}`), 'forbidden', new RegExp(scope))
    })
  }

  for (const { name, method, path } of protectedRoutes.filter(({ takes }) => takes))
    test(`${name} does not find what belongs to somebody else`, async () => {
      const answer = await call(method, path, `Bearer ${eve}`)
      assertRefused(answer, 'not_found', /was not found/)
      const nobody = await call(method, path.replace(/[0-9a-f]{24}/, '0'.repeat(24)), `Bearer ${eve}`)
      assert.equal(
        nobody.json.message.replace('0'.repeat(24), 'x'),
        answer.json.message.replace(/[0-9a-f]{24}/, 'x'),
        'nor does it tell that there is such a thing',
      )
    })

  test('a key in the query or in a cookie is no key', async () => {
    assertRefused(await call('GET', `/v1/process/tasks?access_token=${server.key}&key=${server.key}`), 'unauthorized')
    const headers = { authorization: '', cookie: `key=${server.key}; session=${server.key}` }
    assertRefused(await server.call('GET', '/v1/process/tasks', undefined, headers), 'unauthorized')
  })

  test('nothing of the owner has changed after all this', async () => {
    const shown = await server.call('GET', `/v1/process/jobs/${job.id}`)
    assert.equal(shown.json.status, 'created')
    assert.equal(shown.json.tasks[0].status, 'processing')
  })
})

describe('an open route', () => {
  for (const { name, method, path } of openRoutes.filter(({ takes, method: verb }) => !takes && verb === 'GET'))
    test(`${name} needs no key, and takes no offence at a bad one`, async () => {
      for (const authorization of [undefined, 'Bearer nonsense'])
        assert.notEqual((await call(method, path, authorization)).status, 401, name)
    })

  test('those that need none are the queries, the signed links and the system pages', () => {
    const allowed =
      /^(GET \/v1\/query\/|GET \/v1\/files\/|POST \/v1\/upload\/|GET \/(health|metrics|openapi\.json|docs)|\w+ \/v1\/resumable\/)/
    for (const { name } of openRoutes) assert.match(name, allowed)
  })
})

describe('another user', () => {
  const asEve = (method: string, path: string, body?: unknown) => call(method, path, `Bearer ${eve}`, body)

  test("sees none of the owner's tasks and jobs", async () => {
    const queries = [
      'tasks',
      'jobs',
      `tasks?job=${job.id}`,
      'jobs?tag=mine',
      'jobs?include=tasks',
      'tasks?status=completed',
    ]
    for (const query of queries) {
      const { json } = await asEve('GET', `/v1/process/${query}`)
      assert.deepEqual([json.docs, json.totalDocs], [[], 0], query)
    }
  })

  for (const operation of ['convert', 'compress', 'crop', 'trim', 'merge', 'export/url'])
    test(`cannot take the owner's files by ${operation}: 400, as for an unknown id`, async () => {
      const input = operation === 'merge' ? [done.id, done.id] : done.id
      const body = { input, output_format: operation === 'merge' ? 'gif' : 'png' }
      const single = await asEve('POST', `/v1/process/${operation}`, body)
      assertRefused(single, 'invalid_parameter', new RegExp(`"${done.id}" is not the id of a task of yours`), 'input')
      const inJob = await asEve('POST', '/v1/process/jobs', { tasks: { a: { operation, ...body } } })
      assertRefused(inJob, 'invalid_parameter', new RegExp(done.id), 'tasks.a.input')
      const unknown = await asEve('POST', `/v1/process/${operation}`, {
        ...body,
        input: [input].flat().map(() => '0'.repeat(24)),
      })
      assert.equal(
        unknown.json.errors[0].message.replace('0'.repeat(24), done.id),
        single.json.errors[0].message,
        'the two cannot be told apart',
      )
    })

  test('may use the same Idempotency-Key without seeing anything', async () => {
    const headers = { 'idempotency-key': 'shared' }
    const mine = await server.call('POST', '/v1/process/import/upload', undefined, headers)
    const hers = await server.call('POST', '/v1/process/import/upload', undefined, {
      ...headers,
      authorization: `Bearer ${eve}`,
    })
    assert.equal(hers.status, 201)
    assert.equal(hers.headers.get('idempotent-replayed'), null)
    assert.notEqual(hers.json.id, mine.json.id)
    assert.notEqual(hers.json.user, mine.json.user)
  })

  test('downloads with the link alone, which is the right', async () => {
    assert.deepEqual(await download(done.result.url), bytes)
  })
})
