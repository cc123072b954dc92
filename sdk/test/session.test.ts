/** Signing in as a person, and what an administrator does, through the SDK. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstTicket, PASSWORD, ticketOf } from '../../server/test/support/visitor.ts'
import { createSession } from '../src/node.ts'
import { ground } from './support.ts'

const on = ground({ REFORGE_GUESTS: '1' })

/** A fetch that keeps cookies, as a browser does; and what it was asked. */
function browser() {
  let cookie = ''
  const asked: string[] = []
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    asked.push(`${init.method} ${new URL(String(input)).pathname}`)
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) }
    const answer = await on.server.fetch(String(input), { ...(init as object), headers })
    const [line] = answer.headers.getSetCookie()
    if (line) cookie = line.split(';')[0] ?? ''
    return answer as unknown as Response
  }
  return { fetch: fetch as typeof globalThis.fetch, asked }
}

test('a session takes over the installation, brings tokens for the API and ends', async () => {
  const { fetch, asked } = browser()
  const session = createSession({ url: on.server.url, fetch })
  assert.equal((await session.state()).firstStart, true)
  const ticket = firstTicket(on.server)
  assert.equal((await session.look(ticket)).kind, 'first')
  const { user } = await session.redeem({ ticket, password: PASSWORD, email: 'ada@example.org' })
  assert.equal(user?.role, 'admin')

  const reforge = on.client({ key: session.token })
  const [me, jobs] = await Promise.all([reforge.account.me(), reforge.jobs.list()])
  assert.deepEqual([me.email, jobs.docs], ['ada@example.org', []])
  await reforge.account.me()
  assert.equal(asked.filter((line) => line === 'POST /session/token').length, 1, 'one token serves them all')

  await session.password({ current: PASSWORD, password: 'another horse' })
  assert.equal((await reforge.account.me()).email, 'ada@example.org')
  assert.equal((await session.signOut()).user, null)
  await assert.rejects(reforge.account.me(), { status: 401 })
  await assert.rejects(session.signIn('ada@example.org', PASSWORD), { status: 401 })
  assert.equal((await session.signIn('ada@example.org', 'another horse')).user?.email, 'ada@example.org')
  assert.equal((await reforge.account.me()).email, 'ada@example.org')
})

test('a guest has a session too', async () => {
  const session = createSession({ url: on.server.url, fetch: browser().fetch })
  assert.equal((await session.guest()).user?.role, 'guest')
  const reforge = on.client({ key: session.token })
  assert.equal((await reforge.account.me()).role, 'guest')
})

test('an administrator invites, changes, resets and deletes, and reads the log', async () => {
  const { users, audit } = on.reforge.admin
  const bob = await users.invite({ email: 'bob@example.org' })
  assert.equal((await users.list({ search: 'bob' })).docs[0]?.id, bob.id)
  assert.equal((await users.update(bob.id, { role: 'admin' })).role, 'admin')
  assert.notEqual((await users.update(bob.id, { suspended: true })).suspendedAt, null)
  assert.equal((await users.get(bob.id)).role, 'admin')
  assert.notEqual(ticketOf((await users.reset(bob.id)).url), ticketOf(bob.invitation.url))
  await users.delete(bob.id)
  await assert.rejects(users.get(bob.id), { status: 404 })
  const actions = (await audit({ action: 'user' })).docs.map(({ action }) => action)
  assert.deepEqual(actions.slice(0, 3), ['user.deleted', 'user.reset', 'user.suspended'])
})
