/** Signing in over HTTPS: the first start, passwords, cookies, links; and what others may not do with them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { io } from 'socket.io-client'
import { assertRefused } from '../support/refusal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { firstTicket, invited, PASSWORD, ticketOf, type Visitor, visitorOn } from '../support/visitor.ts'

let server: TestServer
let ada: Visitor
const EMAIL = 'ada@example.org'

before(async () => {
  server = await startServer({ env: { REFORGE_LOG_LEVEL: 'debug', REFORGE_TRUSTED_PROXIES: '127.0.0.1/32' } })
})
after(() => server[Symbol.asyncDispose]())

test('the first start prints a link; it sets the password and e-mail of the first administrator, once', async () => {
  const ticket = firstTicket(server)
  const visitor = visitorOn(server)
  const nobody = { user: null, firstStart: true, guests: false, oidc: null }
  assert.deepEqual((await visitor.call('GET', '/session')).json, nobody)
  const { json } = await visitor.call('POST', '/session/tickets/look', { ticket })
  assert.deepEqual([json.kind, json.email], ['first', null])
  const redeem = (body: object) => visitor.call('POST', '/session/tickets/redeem', { ticket, ...body })
  assertRefused(await redeem({ password: 'short', email: EMAIL }), 'invalid_parameter', /10 char/, 'password')
  assertRefused(await redeem({ password: PASSWORD, email: 'no address' }), 'invalid_parameter', undefined, 'email')
  assertRefused(await redeem({ password: EMAIL, email: EMAIL }), 'invalid_parameter', /e-mail/, 'password')
  const done = await redeem({ password: PASSWORD, email: 'Ada@Example.org' })
  assert.equal(done.status, 200, done.text)
  const { id, ...user } = done.json.user
  assert.deepEqual(user, { email: EMAIL, role: 'admin', plan: 'unlimited' })
  assert.equal(done.json.firstStart, false)
  assert.equal((await visitor.api('GET', '/v1/account/me')).json.id, id)
  assertRefused(await redeem({ password: PASSWORD }), 'not_found', /used already/)
  assertRefused(await visitor.call('POST', '/session/tickets/look', { ticket }), 'not_found', /used already/)
  ada = visitor
})

describe('the cookie', () => {
  test('has every flag there is, is never cached, and is another one each time', async () => {
    const visitor = visitorOn(server)
    const first = await visitor.signIn(EMAIL, PASSWORD)
    assert.match(
      first.headers.get('set-cookie') ?? '',
      /^__Host-reforge=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    assert.equal(first.headers.get('cache-control'), 'no-store')
    const before = visitor.cookie()
    await visitor.signIn(EMAIL, PASSWORD)
    assert.notEqual(visitor.cookie(), before)
    const old = await server.call('GET', '/session', undefined, { cookie: before, authorization: '' })
    assert.equal(old.json.user, null, 'the session it replaces is over')
    for (const path of ['/session', '/session/token'])
      assert.equal(
        (await visitor.call(path === '/session' ? 'GET' : 'POST', path)).headers.get('cache-control'),
        'no-store',
      )
  })

  test('that somebody else has put there is never taken over', async () => {
    const planted = `__Host-reforge=${'A'.repeat(43)}`
    const own = { origin: server.url, authorization: '', cookie: planted }
    const answer = await server.call('POST', '/session', { email: EMAIL, password: PASSWORD }, own)
    assert.doesNotMatch(answer.headers.get('set-cookie') ?? '', /A{43}/)
    assert.equal((await server.call('GET', '/session', undefined, own)).json.user, null)
  })

  test('is worth nothing under /v1, nor for live events, and a key is worth nothing here', async () => {
    const cookie = ada.cookie()
    for (const path of ['/v1/account/me', '/v1/process/jobs', '/v1/admin/users'])
      assertRefused(await ada.call('GET', path), 'unauthorized', /missing/)
    const socket = io(server.url, { ca: server.ca, extraHeaders: { cookie }, reconnection: false })
    const refused = await new Promise<Error>((resolve) => socket.once('connect_error', resolve))
    socket.close()
    assert.match(refused.message, /missing/)
    const own = { origin: server.url, authorization: `Bearer ${server.key}` }
    assertRefused(await server.call('POST', '/session/token', undefined, own), 'unauthorized', /not signed in/)
  })
})

describe('a page of another site', () => {
  const FOREIGN = [
    { origin: 'https://evil.example.org' },
    { origin: 'null' },
    { origin: 'http://localhost' },
    { origin: 'https://evil.example.org', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    {},
  ]
  const requests: [string, string, unknown?][] = [
    ['POST', '/session', { email: EMAIL, password: PASSWORD }],
    ['DELETE', '/session'],
    ['POST', '/session/token'],
    ['POST', '/session/guest'],
    ['POST', '/session/password', { current: PASSWORD, password: PASSWORD }],
    ['POST', '/session/tickets/look', { ticket: 'x' }],
    ['POST', '/session/tickets/redeem', { ticket: 'x', password: PASSWORD }],
  ]
  for (const [method, path, body] of requests)
    test(`gets nowhere with ${method} ${path}`, async () => {
      for (const headers of FOREIGN) {
        const sent = { authorization: '', cookie: ada.cookie(), ...headers }
        const answer = await server.call(method, path, body, sent as Record<string, string>)
        assertRefused(answer, 'forbidden', /pages of this service/)
        assert.equal(answer.headers.get('set-cookie'), null)
      }
    })

  test('does not hear who is signed in, either', async () => {
    for (const headers of FOREIGN.slice(0, 6)) {
      const sent = { authorization: '', cookie: ada.cookie(), ...headers } as Record<string, string>
      const answer = await server.call('GET', '/session', undefined, sent)
      assertRefused(answer, 'forbidden')
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
  })

  test('is not taken for one of ours, which browsers name in their own words', async () => {
    const own: Record<string, string>[] = [
      { origin: server.url },
      { 'sec-fetch-site': 'same-origin' },
      { origin: server.url, 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of own) {
      const sent = { authorization: '', cookie: ada.cookie(), ...headers }
      assert.equal((await server.call('POST', '/session/token', undefined, sent)).status, 200)
    }
    assert.equal((await ada.call('GET', '/session')).json.user.email, EMAIL)
  })
})

describe('a session', () => {
  test('ends with signing out: cookie, tokens and live connections', async () => {
    const visitor = visitorOn(server)
    await visitor.signIn(EMAIL, PASSWORD)
    const [cookie, token] = [visitor.cookie(), await visitor.token()]
    const socket = io(server.url, { ca: server.ca, auth: { token: `Bearer ${token}` }, reconnection: false })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('connect_error', reject)
    })
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    const out = await visitor.call('DELETE', '/session')
    assert.match(out.headers.get('set-cookie') ?? '', /^__Host-reforge=; .*Max-Age=0$/)
    assert.equal(await closed, 'io server disconnect')
    socket.close()
    const again = { origin: server.url, authorization: '', cookie }
    assertRefused(await server.call('POST', '/session/token', undefined, again), 'unauthorized')
    const used = { authorization: `Bearer ${token}` }
    assertRefused(await server.call('GET', '/v1/account/me', undefined, used), 'unauthorized', /any more/)
    assert.equal((await visitor.call('DELETE', '/session')).status, 200, 'twice is as good as once')
  })

  test('ends when the password is changed elsewhere; the one that changed it goes on', async () => {
    const bob = await invited(server, ada, 'bob@example.org')
    const other = visitorOn(server)
    await other.signIn('bob@example.org', PASSWORD)
    const change = (current: string, password: string) => bob.call('POST', '/session/password', { current, password })
    assertRefused(await change('wrong', 'another horse'), 'invalid_parameter', undefined, 'current')
    assertRefused(await change(PASSWORD, 'bob@example.org'), 'invalid_parameter', /e-mail/, 'password')
    assert.equal((await change(PASSWORD, 'another horse')).status, 200)
    assert.equal((await bob.call('GET', '/session')).json.user.email, 'bob@example.org')
    assert.equal((await other.call('GET', '/session')).json.user, null)
    assertRefused(await other.signIn('bob@example.org', PASSWORD), 'unauthorized')
    assert.equal((await other.signIn('bob@example.org', 'another horse')).status, 200)
  })
})

describe('a link', () => {
  test('invites somebody, who is told whose it is and cannot change that', async () => {
    const made = await ada.api('POST', '/v1/admin/users', { email: 'Carol@example.org', role: 'admin' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.json.email, made.json.role, made.json.hasPassword], ['carol@example.org', 'admin', false])
    const ticket = ticketOf(made.json.invitation.url)
    const carol = visitorOn(server)
    const { json } = await carol.call('POST', '/session/tickets/look', { ticket })
    assert.deepEqual([json.kind, json.email], ['invite', 'carol@example.org'])
    const redeem = (body: object) => carol.call('POST', '/session/tickets/redeem', { ticket, ...body })
    assertRefused(
      await redeem({ password: PASSWORD, email: 'eve@example.org' }),
      'invalid_parameter',
      undefined,
      'email',
    )
    assert.equal((await redeem({ password: PASSWORD })).json.user.role, 'admin')
    assertRefused(await ada.api('POST', '/v1/admin/users', { email: 'carol@example.org' }), 'conflict', /carol/)
  })

  test('sets another password; the old one, its sessions and earlier links are over', async () => {
    const dan = await invited(server, ada, 'dan@example.org')
    const { id } = (await dan.call('GET', '/session')).json.user
    const reset = async () => ticketOf((await ada.api('POST', `/v1/admin/users/${id}/reset`)).json.url)
    const [earlier, ticket] = [await reset(), await reset()]
    assert.equal((await dan.call('GET', '/session')).json.user.id, id, 'asking for it ends nothing')
    const visitor = visitorOn(server)
    const redeem = (which: string) =>
      visitor.call('POST', '/session/tickets/redeem', { ticket: which, password: 'a third horse' })
    assertRefused(await redeem(earlier), 'not_found')
    assert.equal((await redeem(ticket)).status, 200)
    assertRefused(await redeem(ticket), 'not_found')
    assert.equal((await dan.call('GET', '/session')).json.user, null)
    assertRefused(await dan.signIn('dan@example.org', PASSWORD), 'unauthorized')
  })
})

describe('guessing', () => {
  test('is answered the same for an address nobody has, and slowed down for both', async () => {
    const visitor = visitorOn(server)
    /** Each from an address of its own: on a busy machine all of them together are more than one address may try. */
    const signIn = (from: string, email: string, password: string) =>
      visitor.call('POST', '/session', { email, password }, { 'x-forwarded-for': from })
    /** Guesses until it has to wait this many seconds; on a busy machine the first, short pause may be over at once. */
    const guess = async (from: string, email: string, pause: number): Promise<number> => {
      for (let wrong = 0; ; ) {
        const answer = await signIn(from, email, 'wrong')
        if (answer.status === 401) {
          assertRefused(answer, 'unauthorized', /address or the password is wrong/)
          wrong += 1
          continue
        }
        assertRefused(answer, 'too_many_requests', /Try again in \d+ second/)
        const seconds = answer.headers.get('retry-after') ?? ''
        assert.match(seconds, /^[1-9]\d*$/)
        if (Number(seconds) >= pause) return wrong
        // Every try counts against the address, also one that comes too soon.
        await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000))
      }
    }
    const wrong = await guess('192.0.2.1', 'nobody@example.org', 1)
    assert.ok(wrong >= 5)
    await guess('192.0.2.2', 'carol@example.org', 4)
    for (const from of ['192.0.2.2', '192.0.2.3'])
      assertRefused(await signIn(from, 'carol@example.org', PASSWORD), 'too_many_requests')
    assert.equal((await signIn('192.0.2.2', EMAIL, PASSWORD)).status, 200, 'another account is not concerned')
    const failed = (await ada.api('GET', '/v1/admin/audit?action=session.failed&per_page=200')).json.docs
    const emails = failed.map(({ by }: { by: { email: string } }) => by.email)
    assert.equal(emails.filter((email: string) => email === 'nobody@example.org').length, wrong)
  })

  test('a thousand at once are not a thousand for one', async () => {
    const begun = performance.now()
    const tries = Array.from({ length: 30 }, () => visitorOn(server).signIn('eve@example.org', 'wrong'))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    // Five are free; one more needs a second, two more need three, and so on.
    const most = 5 + Math.floor(Math.log2(1 + (performance.now() - begun) / 1000))
    assert.ok(statuses.filter((status) => status === 401).length <= most, String(statuses))
  })
})

test('no password, cookie, token or ticket is ever logged', async () => {
  const token = await ada.token()
  const printed = server.printed().replace(/^.*Sign in .*$/m, '')
  assert.match(printed, /answered/)
  for (const secret of [PASSWORD, 'another horse', token, ada.cookie().split('=')[1] ?? '', firstTicket(server)])
    assert.ok(!printed.includes(secret))
  assert.doesNotMatch(printed, /rf_session_|welcome/)
})

test('a restart keeps sessions, and prints no link once there is an administrator', async () => {
  await server.stop()
  const again = await startServer({ data: server.data })
  try {
    assert.doesNotMatch(again.printed(), /welcome/)
    const sent = { authorization: '', cookie: ada.cookie() }
    assert.equal((await again.call('GET', '/session', undefined, sent)).json.user.email, EMAIL)
  } finally {
    await again.stop()
  }
})
