/**
 * Who may do what: every route of the committed description, with no key, a bad one, a revoked one, a narrow one, that of
 * somebody else and that of somebody who is no administrator. A route or an id that is new here fails until it is thought of.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { SCOPES, type Scope } from '../../src/ports/accounts.ts'
import { picture } from '../support/pictures.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'

const server = await startServer({ env: { REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' } })
after(() => server[Symbol.asyncDispose]())
const { create, imported, download } = stepsOn(server)
const bytes = await picture('png', 16, 16)
const done = await imported(bytes, 'mine.png')
const job = await create('jobs', { tag: 'mine', tasks: { a: { operation: 'import/upload' } } })
const waiting = job.tasks[0]
const made = async (path: string, body: unknown): Promise<Shown> => (await server.call('POST', path, body)).json
const key = await made('/v1/account/keys', { name: 'mine' })
const webhook = await made('/v1/webhooks', { url: 'https://127.0.0.1:9/hook' })
const delivery = await made(`/v1/webhooks/${webhook.id}/test`, {})
const somebody = await made('/v1/admin/users', { email: 'somebody@example.org' })
const plan = await made('/v1/admin/plans', { name: 'team' })
const revoked = await made('/v1/account/keys', { name: 'revoked' })
assert.equal((await server.call('DELETE', `/v1/account/keys/${revoked.id}`)).status, 200)

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

const { paths }: { paths: Record<string, Record<string, Shown>> } = JSON.parse(
  await readFile(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
)
/** Something of the owner's for every kind of id that a path may hold. */
const MINE: Record<string, string> = {
  taskId: waiting.id,
  jobId: job.id,
  keyId: key.id,
  webhookId: webhook.id,
  deliveryId: delivery.id,
  userId: somebody.id,
  name: plan.name,
  fileId: done.result.url.split('/').at(-2),
  filename: 'mine.png',
}
const idsIn = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
const routes = Object.entries<Shown>(paths).flatMap(([template, methods]) =>
  Object.entries<Shown>(methods).map(([method, { security }]) => ({
    name: `${method.toUpperCase()} ${template}`,
    method: method.toUpperCase(),
    path: template.replace(/\{(\w+)\}/g, (_, name) => MINE[name] ?? ''),
    ids: idsIn(template),
    takes: template.includes('{'),
    creates: method === 'post' && !template.includes('{'),
    isOpen: security.length === 0,
    isSession: security.some((one: Shown) => one.session),
    isAdmin: template.startsWith('/v1/admin/'),
    security,
    scope: scopeOf(method, template),
  })),
)

/** As people are told; whether the description says so too is a test of its own. */
function scopeOf(method: string, path: string): Scope {
  if (path.startsWith('/v1/account') || path.startsWith('/v1/admin')) return 'account'
  if (path.startsWith('/v1/webhooks')) return 'webhooks'
  return method === 'get' ? 'tasks:read' : 'tasks:write'
}

const call = (method: string, path: string, authorization?: string, body?: unknown) =>
  server.call(method, path, body ?? (method === 'POST' || method === 'PATCH' ? {} : undefined), {
    authorization: authorization ?? '',
  })

const protectedRoutes = routes.filter(({ isOpen, isSession }) => !isOpen && !isSession)
const openRoutes = routes.filter(({ isOpen }) => isOpen)

test('the description is the one that is served, and says which scope each route needs', async () => {
  const served = (await server.call('GET', '/openapi.json')).json.paths
  assert.deepEqual(Object.keys(served).sort(), Object.keys(paths).sort())
  for (const { name, security, scope, isAdmin } of protectedRoutes)
    assert.deepEqual(security, [{ key: isAdmin ? [scope, 'admin'] : [scope] }], name)
})

test('something of the owner is known for every id in a path', () => {
  for (const { name, ids } of routes) for (const id of ids) assert.ok(MINE[id], `${id} of ${name}`)
})

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
    test(`${name} needs a key that was not revoked`, async () => {
      assertRefused(await call(method, path, `Bearer ${revoked.key}`), 'unauthorized', /not valid/)
    })
    test(`${name} needs a key with the scope ${scope}`, async () => {
      assertRefused(await call(method, path, `Bearer ${without[scope]}`), 'forbidden', new RegExp(scope))
    })
  }

  for (const { name, method, path } of protectedRoutes.filter(({ isAdmin }) => isAdmin))
    test(`${name} needs an administrator, whatever the key may do`, async () => {
      assertRefused(await call(method, path, `Bearer ${eve}`), 'forbidden', /Only administrators/)
    })

  for (const { name, method, path } of protectedRoutes.filter(({ takes, isAdmin }) => takes && !isAdmin))
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

  for (const { name, method, path } of routes.filter(({ isSession }) => isSession))
    test(`${name} needs a signed-in session, and no key stands in for it`, async () => {
      const headers = { origin: server.url, cookie: `__Host-reforge=${server.key}` }
      const body = method === 'POST' ? {} : undefined
      assertRefused(await server.call(method, path, body, headers), 'unauthorized', /not signed in/)
    })

  test('a key in the query or in a cookie is no key', async () => {
    assertRefused(await call('GET', `/v1/process/tasks?access_token=${server.key}&key=${server.key}`), 'unauthorized')
    const headers = { authorization: '', cookie: `key=${server.key}; __Host-reforge=${server.key}` }
    assertRefused(await server.call('GET', '/v1/process/tasks', undefined, headers), 'unauthorized')
  })

  test('nothing of the owner has changed after all this', async () => {
    const shown = await server.call('GET', `/v1/process/jobs/${job.id}`)
    assert.equal(shown.json.status, 'created')
    assert.equal(shown.json.tasks[0].status, 'processing')
    for (const path of [`/v1/webhooks/${webhook.id}`, `/v1/webhooks/deliveries/${delivery.id}`])
      assert.equal((await server.call('GET', path)).status, 200, path)
    assert.equal((await server.call('GET', `/v1/admin/users/${somebody.id}`)).json.suspendedAt, null)
    const { keys } = (await server.call('GET', '/v1/account/keys')).json
    assert.ok(keys.some(({ id, name }: Shown) => id === key.id && name === 'mine'))
  })
})

describe('an open route', () => {
  for (const { name, method, path } of openRoutes.filter(({ takes, method: verb }) => !takes && verb === 'GET'))
    test(`${name} needs no key, and takes no offence at a bad one`, async () => {
      for (const authorization of [undefined, 'Bearer nonsense'])
        assert.notEqual((await call(method, path, authorization)).status, 401, name)
    })

  test('those that need none are the queries, the signed links, the system pages and the way to sign in', () => {
    const allowed =
      /^(GET \/v1\/query\/|GET \/v1\/files\/|POST \/v1\/upload\/|GET \/(health|metrics|openapi\.json|docs)|\w+ \/v1\/resumable\/|(GET|POST|DELETE) \/session(\/|$))/
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
