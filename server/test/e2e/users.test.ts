/** Users over HTTPS: what administrators do with them, what becomes of the suspended and the deleted, guests, the log. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { io } from 'socket.io-client'
import { picture } from '../support/pictures.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'
import { administrator, invited, PASSWORD, type Visitor, visitorOn } from '../support/visitor.ts'

let server: TestServer
let ada: Visitor
before(async () => {
  server = await startServer({ env: { REFORGE_GUESTS: '1', REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' } })
  ada = await administrator(server)
})
after(() => server[Symbol.asyncDispose]())

const USERS = '/v1/admin/users'
const idOf = async (visitor: Visitor): Promise<string> => (await visitor.call('GET', '/session')).json.user.id
const as = (key: string) => ({ authorization: `Bearer ${key}` })
const keyOf = async (visitor: Visitor): Promise<string> =>
  (await visitor.api('POST', '/v1/account/keys', { name: 'laptop' })).json.key

async function connected(key: string) {
  const socket = io(server.url, { ca: server.ca, auth: { token: `Bearer ${key}` }, reconnection: false })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  const closed = new Promise((resolve) => socket.once('disconnect', resolve))
  return { closed, close: () => socket.close() }
}

describe('administrators', () => {
  test('are the only ones who see users, by session and by key', async () => {
    const bob = await invited(server, ada, 'bob@example.org')
    assertRefused(await bob.api('GET', USERS), 'forbidden', /administrators/)
    assertRefused(await server.call('GET', USERS, undefined, as(await keyOf(bob))), 'forbidden', /administrators/)
    assert.equal((await server.call('GET', USERS)).status, 200, 'the first key is the first administrator’s')
    const { json } = await ada.api('GET', `${USERS}?search=BOB`)
    assert.deepEqual(
      json.docs.map(({ email, role, hasPassword }: Shown) => [email, role, hasPassword]),
      [['bob@example.org', 'user', true]],
    )
    assert.equal(json.totalDocs, 1)
  })

  test('are told what is wrong', async () => {
    const post = (body: object) => ada.api('POST', USERS, body)
    assertRefused(await post({}), 'invalid_parameter', undefined, 'email')
    assertRefused(await post({ email: 'no address' }), 'invalid_parameter', undefined, 'email')
    assertRefused(await post({ email: 'x@example.org', role: 'guest' }), 'invalid_parameter', /admin/, 'role')
    assertRefused(await post({ email: 'x@example.org', plan: 'none' }), 'invalid_parameter', /no plan "none"/, 'plan')
    assertRefused(await ada.api('PATCH', `${USERS}/${'0'.repeat(24)}`, {}), 'not_found')
    assertRefused(await ada.api('GET', `${USERS}/x`), 'not_found')
  })

  test('change role and plan; the last one stays an administrator', async () => {
    const carol = await invited(server, ada, 'carol@example.org')
    const path = `${USERS}/${await idOf(carol)}`
    const changed = await ada.api('PATCH', path, { role: 'admin', plan: 'guest' })
    assert.deepEqual([changed.status, changed.json.role, changed.json.plan], [200, 'admin', 'guest'])
    assert.equal((await carol.api('GET', USERS)).status, 200, 'at once')
    await ada.api('PATCH', path, { role: 'user' })
    assertRefused(await carol.api('GET', USERS), 'forbidden')
    const own = `${USERS}/${await idOf(ada)}`
    assertRefused(await ada.api('PATCH', own, { role: 'user' }), 'conflict', /last administrator/)
    assertRefused(await ada.api('PATCH', own, { suspended: true }), 'conflict', /last administrator/)
    assertRefused(await ada.api('DELETE', own), 'conflict', /last administrator/)
    assert.equal((await ada.api('GET', own)).json.suspendedAt, null)
  })
})

describe('a suspended user', () => {
  test('is refused by key and session, sent away, and their tasks are canceled; resumed, all is as before', async () => {
    const dan = await invited(server, ada, 'dan@example.org')
    const id = await idOf(dan)
    const key = await keyOf(dan)
    const token = await dan.token()
    const task = (await server.call('POST', '/v1/process/import/upload', undefined, as(key))).json
    const socket = await connected(key)
    const { json } = await ada.api('PATCH', `${USERS}/${id}`, { suspended: true })
    assert.ok(json.suspendedAt)
    assert.equal(await socket.closed, 'io server disconnect')
    socket.close()
    assertRefused(await server.call('GET', '/v1/account/me', undefined, as(key)), 'forbidden', /suspended/)
    assertRefused(await server.call('GET', '/v1/account/me', undefined, as(token)), 'unauthorized')
    assertRefused(await dan.call('POST', '/session/token'), 'unauthorized')
    assertRefused(await dan.signIn('dan@example.org', PASSWORD), 'forbidden', /suspended/)
    await assert.rejects(connected(key), /suspended/)
    assert.equal((await dan.call('GET', '/session')).json.user, null)

    assert.equal((await ada.api('PATCH', `${USERS}/${id}`, { suspended: false })).json.suspendedAt, null)
    const after = await server.call('GET', `/v1/process/tasks/${task.id}`, undefined, as(key))
    assert.equal(after.json.status, 'canceled')
    assert.equal((await dan.signIn('dan@example.org', PASSWORD)).status, 200)
  })
})

describe('a deleted user', () => {
  test('goes with files, records, keys, webhooks and sessions; the log remains', async () => {
    const eve = await invited(server, ada, 'eve@example.org')
    const id = await idOf(eve)
    const key = await keyOf(eve)
    const hers = stepsOn({
      ...server,
      call: (method, path, body, headers) => server.call(method, path, body, { ...as(key), ...headers }),
    })
    const done = await hers.imported(await picture('png', 16, 16))
    const job = await hers.create('jobs', { tasks: { a: { operation: 'import/upload' } } })
    const socket = await connected(key)
    const blobs = async () => (await server.inside.kept()).length
    const before = await blobs()
    assert.equal((await server.fetch(done.result.url)).status, 200)
    assert.equal((await ada.api('DELETE', `${USERS}/${id}`)).status, 200)
    assert.equal(await socket.closed, 'io server disconnect')
    socket.close()
    assert.notEqual((await server.fetch(done.result.url)).status, 200)
    assert.ok((await blobs()) < before)
    assertRefused(await server.call('GET', `/v1/process/jobs/${job.id}`, undefined, as(key)), 'unauthorized')
    assertRefused(await eve.signIn('eve@example.org', PASSWORD), 'unauthorized')
    assertRefused(await ada.api('GET', `${USERS}/${id}`), 'not_found')
    assertRefused(await ada.api('DELETE', `${USERS}/${id}`), 'not_found')
    const { docs } = (await ada.api('GET', `/v1/admin/audit?user=${id}`)).json
    assert.deepEqual([docs[0].action, docs[0].detail], ['user.deleted', { email: 'eve@example.org' }])
    assert.equal((await ada.api('POST', USERS, { email: 'eve@example.org' })).status, 201, 'the address is free again')
  })
})

describe('a guest', () => {
  test('comes in without an account, converts on the plan for guests, and makes nothing that lasts', async () => {
    const guest = visitorOn(server)
    assert.equal((await guest.call('GET', '/session')).json.guests, true)
    const { json } = await guest.call('POST', '/session/guest')
    assert.deepEqual([json.user.role, json.user.plan], ['guest', 'guest'])
    assert.equal((await guest.api('POST', '/v1/process/import/upload')).status, 201)
    assertRefused(await guest.api('POST', '/v1/account/keys', { name: 'mine' }), 'forbidden', /guest/i)
    assertRefused(await guest.api('GET', '/v1/webhooks'), 'forbidden')
    assertRefused(await guest.api('GET', USERS), 'forbidden')
    const listed = (await ada.api('GET', `${USERS}?search=guest.invalid`)).json
    assert.equal(listed.docs[0].role, 'guest')
    for (let n = 0; n < 12; n++) await visitorOn(server).call('POST', '/session/guest')
    assertRefused(await visitorOn(server).call('POST', '/session/guest'), 'too_many_requests')
  })
})

describe('the audit log', () => {
  test('tells who did what, by which key or session, from where', async () => {
    const made = await ada.api('POST', '/v1/account/keys', { name: 'audited' })
    const webhook = await server.call('POST', '/v1/webhooks', { url: 'https://127.0.0.1:9/hook' })
    assert.equal(webhook.status, 201, webhook.text)
    const { docs } = (await ada.api('GET', '/v1/admin/audit?action=key')).json
    const [entry] = docs
    assert.deepEqual(
      {
        action: entry.action,
        target: entry.target,
        detail: entry.detail.name,
        via: entry.by.via,
        email: entry.by.email,
      },
      {
        action: 'key.created',
        target: `key:${made.json.id}`,
        detail: 'audited',
        via: 'session',
        email: 'ada@example.org',
      },
    )
    assert.match(entry.address, /127\.0\.0\.1|::1/)
    assert.doesNotMatch(JSON.stringify(docs), /rf_live_|rf_session_|argon2/)
    await ada.api('DELETE', `/v1/account/keys/${made.json.id}`)
    assert.equal(
      (await ada.api('GET', '/v1/admin/audit?action=key.revoked')).json.docs[0].target,
      `key:${made.json.id}`,
    )

    assert.equal((await ada.api('GET', '/v1/admin/audit?action=webhook')).json.docs[0].by.via, 'key')
    const all = (await ada.api('GET', '/v1/admin/audit?per_page=200')).json.docs.map(({ action }: Shown) => action)
    for (const action of ['session.opened', 'ticket.redeemed', 'user.invited', 'user.suspended', 'user.resumed'])
      assert.ok(all.includes(action), action)
  })
})
