/** Signing in by a real OpenID Connect provider. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CLIENT, type OidcPeer, type Person, startOidc } from '../peers/oidc.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { administrator, invited, type Visitor } from '../support/visitor.ts'

let provider: OidcPeer
let server: TestServer
let ada: Visitor
before(async () => {
  provider = await startOidc()
  server = await startServer({
    env: {
      REFORGE_OIDC_ISSUER: provider.issuer,
      REFORGE_OIDC_CLIENT_ID: CLIENT.id,
      REFORGE_OIDC_CLIENT_SECRET: CLIENT.secret,
      REFORGE_OIDC_TITLE: 'Example Inc',
      REFORGE_OIDC_ALLOW: 'groups',
      REFORGE_OIDC_GROUPS: 'chiefs=admin:unlimited,staff=guest,lost=no-such-plan',
    },
  })
  provider.serve(`${server.url}/session/oidc/callback`)
  ada = await administrator(server)
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** A browser that follows wherever it is sent, with a jar of cookies for each host. */
function browser() {
  const jars = new Map<string, Map<string, string>>()
  const visited: string[] = []
  async function open(address: string): Promise<URL> {
    for (let at = new URL(address), steps = 0; steps < 12; steps++) {
      visited.push(at.href)
      const jar = jars.get(at.host) ?? new Map<string, string>()
      jars.set(at.host, jar)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await server.fetch(at.href, { redirect: 'manual', headers: cookie ? { cookie } : {} })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value) jar.set(name, value)
        else jar.delete(name)
      }
      const to = answer.headers.get('location')
      if (to === null) return at
      at = new URL(to, at)
      if (at.origin === server.url && !at.pathname.startsWith('/session')) return at
    }
    throw new Error('sent in a circle')
  }
  const jar = () => jars.get(new URL(server.url).host) ?? new Map<string, string>()
  return { open, jar, visited }
}

/** Comes by the provider as this person; answers where they ended, and who they are to us. */
async function come(subject: string, person: Person) {
  provider.become(subject, person)
  const { open, jar, visited } = browser()
  const end = await open(`${server.url}/session/oidc`)
  const cookie = `__Host-reforge=${jar().get('__Host-reforge') ?? ''}`
  const state = await server.call('GET', '/session', undefined, { authorization: '', cookie })
  return { end: end.pathname + end.hash, user: state.json.user, jar, visited, cookie }
}

describe('somebody who comes by the provider', () => {
  test('is let in when a group of theirs is named, with what it gives, and is the same one next time', async () => {
    assert.deepEqual((await ada.call('GET', '/session')).json.oidc, { title: 'Example Inc' })
    const person = { email: 'Bob@example.org', email_verified: true, groups: ['staff'] }
    const first = await come('bob', person)
    assert.equal(first.end, '/')
    assert.deepEqual([first.user.email, first.user.role, first.user.plan], ['bob@example.org', 'user', 'guest'])
    assert.equal(first.jar().has('__Host-reforge-oidc'), false)
    const asked = new URL(first.visited[1] ?? '')
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(asked.searchParams.get(name), name)
    assert.equal(asked.searchParams.get('code_challenge_method'), 'S256')
    const again = await come('bob', { ...person, email: 'robert@example.org' })
    assert.equal(again.user.id, first.user.id)
    const { docs } = (await ada.api('GET', `/v1/admin/audit?user=${first.user.id}`)).json
    const actions = docs.map(({ action }: { action: string }) => action)
    for (const action of ['user.created', 'identity.linked', 'user.changed', 'session.opened'])
      assert.ok(actions.includes(action), action)
  })

  test('gets and loses a role with the group, and keeps a plan that does not exist from being given', async () => {
    const grace = { email: 'grace@example.org', email_verified: true }
    assert.equal((await come('grace', { ...grace, groups: ['chiefs', 'staff'] })).user.role, 'admin')
    const after = (await come('grace', { ...grace, groups: ['lost'] })).user
    assert.deepEqual([after.role, after.plan], ['user', 'unlimited'])
  })

  test('is not let in without a group or an invitation', async () => {
    const nobody = await come('mallory', { email: 'mallory@example.org', email_verified: true, groups: ['others'] })
    assert.deepEqual([nobody.end, nobody.user], ['/#/sign-in/not_invited', null])
    await ada.api('POST', '/v1/admin/users', { email: 'mallory@example.org' })
    const guest = await come('mallory', { email: 'mallory@example.org', email_verified: true })
    assert.equal(guest.user.email, 'mallory@example.org')
  })

  test('is not believed to have an address that the provider has not verified', async () => {
    for (const verified of [false, undefined]) {
      const person = {
        email: 'ada@example.org',
        groups: ['chiefs'],
        ...(verified === false && { email_verified: false }),
      }
      const eve = await come(`eve ${verified}`, person)
      assert.deepEqual([eve.end, eve.user], ['/#/sign-in/no_verified_email', null])
    }
  })

  test('is refused while suspended', async () => {
    const dan = await invited(server, ada, 'dan@example.org')
    const { id } = (await dan.call('GET', '/session')).json.user
    await ada.api('PATCH', `/v1/admin/users/${id}`, { suspended: true })
    const refused = await come('dan', { email: 'dan@example.org', email_verified: true })
    assert.deepEqual([refused.end, refused.user], ['/#/sign-in/suspended', null])
  })
})

describe('the way back from the provider', () => {
  const callback = (query: string, cookie = '') =>
    server.fetch(`/session/oidc/callback?${query}`, { redirect: 'manual', headers: cookie ? { cookie } : {} })

  test('leads nowhere in a browser that did not set out, or with a state that is not its own', async () => {
    provider.become('bob', { email: 'bob@example.org', email_verified: true, groups: ['staff'] })
    const start = await server.fetch('/session/oidc', { redirect: 'manual' })
    const [pending = ''] = start.headers.getSetCookie()
    assert.match(pending, /^__Host-reforge-oidc=.*; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/)
    const cookie = pending.split(';')[0] ?? ''
    for (const [query, sent] of [
      ['code=x&state=y', ''],
      ['code=x&state=y', cookie],
      ['code=x', cookie],
      ['error=access_denied&state=y', cookie],
      ['code=x&state=y', '__Host-reforge-oidc=forged'],
    ] as const) {
      const answer = await callback(query, sent)
      assert.equal(answer.status, 302)
      assert.equal(answer.headers.get('location'), `${server.url}/#/sign-in/failed`)
      assert.doesNotMatch(answer.headers.getSetCookie().join(), /__Host-reforge=/)
    }
  })

  test('works once', async () => {
    const { visited, end } = await come('bob', { email: 'bob@example.org', email_verified: true, groups: ['staff'] })
    assert.equal(end, '/')
    const back = visited.find((address) => address.includes('/callback?')) ?? ''
    const again = await callback(new URL(back).search.slice(1))
    assert.equal(again.headers.get('location'), `${server.url}/#/sign-in/failed`)
  })
})
