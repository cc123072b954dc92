/** What every keeper of users, sessions, tickets, tries and the audit log must do. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { newId } from '../../src/core/ids.ts'
import type { Accounts, User } from '../../src/ports/accounts.ts'
import type { Action, Audit, AuditEntry } from '../../src/ports/audit.ts'
import type { Credentials, Session } from '../../src/ports/credentials.ts'
import { EmailTaken, LastAdministrator, type Users } from '../../src/ports/users.ts'
import { NOON } from '../support/records.ts'

export interface CredentialsHarness {
  accounts: Accounts
  users: Users
  credentials: Credentials
  audit: Audit
  close(): Promise<void>
}

const HOUR = 3_600_000

const aUser = (email: string, more: Partial<User> = {}): User => ({
  ...{ id: newId(NOON), email, createdAt: NOON, role: 'user', plan: 'unlimited', suspendedAt: null },
  ...more,
})
const aSession = (user: User, more: Partial<Session> = {}): Session => ({
  ...{ id: newId(NOON), user: user.id, createdAt: NOON, seenAt: NOON, idleAt: NOON + HOUR, endsAt: NOON + 2 * HOUR },
  ...more,
})
const anEntry = (action: Action, more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: newId(NOON), at: NOON, user: null, email: null, via: 'none', viaId: null, address: '192.0.2.1' },
  ...{ action, target: null, detail: {} },
  ...more,
})

export function credentialsContract(name: string, open: () => Promise<CredentialsHarness>): void {
  describe(`credentials in ${name}`, () => {
    let home: CredentialsHarness
    let users: Users
    let credentials: Credentials
    let ada: User
    beforeEach(async () => {
      home = await open()
      ;({ users, credentials } = home)
      ada = await home.accounts.user('ada@example.org', NOON)
    })
    afterEach(() => home.close())
    const add = async (user: User) => {
      await users.add(user)
      return user
    }

    test('who comes first is the administrator, and nobody after', async () => {
      assert.equal(ada.role, 'admin')
      assert.equal((await home.accounts.user('bob@example.org', NOON)).role, 'user')
      assert.equal((await users.firstAdministrator())?.id, ada.id)
    })

    test('an address belongs to one user, whatever the letters', async () => {
      const bob = await add(aUser('bob@example.org'))
      await assert.rejects(users.add(aUser(' BOB@example.org')), EmailTaken)
      assert.deepEqual(await users.byEmail(' Bob@Example.org'), bob)
      assert.equal(await users.byEmail('nobody@example.org'), null)
    })

    test('users are listed, newest first, and found by a part of their address, taken literally', async () => {
      await add(aUser('under_score@example.org', { createdAt: NOON + 1 }))
      await add(aUser('underXscore@example.org', { createdAt: NOON + 2 }))
      const emails = async (search: string | null, page = 1, limit = 10) =>
        (await users.list(search, page, limit)).docs.map(({ email }) => email)
      assert.deepEqual(await emails(null), ['underxscore@example.org', 'under_score@example.org', 'ada@example.org'])
      assert.deepEqual(await emails('R_S'), ['under_score@example.org'])
      assert.deepEqual(await emails('%'), [])
      assert.deepEqual(await emails(null, 2, 2), ['ada@example.org'])
      assert.equal((await users.list('score', 1, 1)).total, 2)
    })

    test('the last administrator is neither made a user, nor suspended, nor removed', async () => {
      const changes = [{ role: 'user' as const }, { suspendedAt: NOON }]
      for (const to of changes) await assert.rejects(users.change(ada.id, to), LastAdministrator)
      await assert.rejects(users.remove(ada.id), LastAdministrator)
      const bob = await add(aUser('bob@example.org', { role: 'admin' }))
      const both = await Promise.allSettled([ada, bob].map(({ id }) => users.change(id, { role: 'user' })))
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], 'nor two at once')
      assert.ok(await users.firstAdministrator())
    })

    test('a suspended user has no sessions any more, and keeps the rest', async () => {
      const bob = await add(aUser('bob@example.org'))
      await credentials.sessions.add(aSession(bob), 'cookie')
      await credentials.sessions.addToken((await sessionBy('cookie')).id, 'token', NOON + HOUR, NOON)
      assert.equal((await users.change(bob.id, { suspendedAt: NOON }))?.suspendedAt, NOON)
      assert.equal(await credentials.sessions.byHash('cookie', NOON), null)
      assert.equal(await credentials.sessions.byToken('token', NOON), null)
      assert.equal((await users.change(bob.id, { suspendedAt: null }))?.suspendedAt, null)
      assert.equal(await users.change('nobody', { role: 'user' }), null)
    })
    const sessionBy = async (hash: string): Promise<Session> => {
      const found = await credentials.sessions.byHash(hash, NOON)
      assert.ok(found)
      return found
    }

    test('a user goes with keys, sessions, tickets and identities', async () => {
      const bob = await add(aUser('bob@example.org'))
      const key = { id: 'k', user: bob.id, name: 'k', scopes: [], createdAt: NOON, lastUsedAt: null, budget: null }
      await home.accounts.addKey(key, 'key')
      await credentials.sessions.add(aSession(bob), 'cookie')
      await credentials.tickets.add({ user: bob.id, kind: 'reset', createdAt: NOON, endsAt: NOON + HOUR }, 'ticket')
      await credentials.identities.link('https://id.example.org', 'bob', bob.id)
      assert.equal(await users.remove(bob.id), true)
      assert.equal(await users.remove(bob.id), false)
      assert.equal(await home.accounts.keyByHash('key'), null)
      assert.equal(await credentials.sessions.byHash('cookie', NOON), null)
      assert.equal(await credentials.tickets.find('ticket', NOON), null)
      assert.equal(await credentials.identities.find('https://id.example.org', 'bob'), null)
    })

    test('a session is over when it was not used, at its end, and when it is removed; its tokens with it', async () => {
      const { sessions } = credentials
      const session = aSession(ada)
      await sessions.add(session, 'cookie')
      await sessions.addToken(session.id, 'short', NOON + 10, NOON)
      await sessions.addToken(session.id, 'long', NOON + 10 * HOUR, NOON)
      assert.deepEqual(await sessions.byHash('cookie', NOON), session)
      assert.deepEqual(await sessions.byToken('short', NOON + 9), session)
      assert.equal(await sessions.byToken('short', NOON + 10), null)
      assert.equal(await sessions.byHash('cookie', NOON + HOUR), null)
      assert.equal(await sessions.byToken('long', NOON + HOUR), null)
      await sessions.seen(session.id, NOON + 5, NOON + 2 * HOUR)
      assert.equal((await sessions.byToken('long', NOON + HOUR))?.seenAt, NOON + 5)
      assert.equal((await users.find(ada.id))?.seenAt, NOON + 5)
      assert.equal(await sessions.remove(session.id), true)
      assert.equal(await sessions.remove(session.id), false)
      assert.equal(await sessions.byToken('long', NOON), null)
    })

    test('a session has a few tokens at a time, the newest', async () => {
      const { sessions } = credentials
      const session = aSession(ada)
      await sessions.add(session, 'cookie')
      for (let n = 0; n < 40; n++) await sessions.addToken(session.id, `token ${n}`, NOON + 1000 + n, NOON)
      assert.equal(await sessions.byToken('token 0', NOON), null)
      assert.ok(await sessions.byToken('token 20', NOON))
      assert.ok(await sessions.byToken('token 39', NOON))
    })

    test('another password ends the other sessions and every ticket', async () => {
      const [mine, other] = [aSession(ada), aSession(ada)]
      await credentials.sessions.add(mine, 'mine')
      await credentials.sessions.add(other, 'other')
      await credentials.tickets.add({ user: ada.id, kind: 'reset', createdAt: NOON, endsAt: NOON + HOUR }, 'ticket')
      assert.equal(await credentials.passwords.of(ada.id), null)
      assert.deepEqual(await credentials.passwords.set(ada.id, 'hash', mine.id), [other.id])
      assert.equal(await credentials.passwords.of(ada.id), 'hash')
      assert.equal(await credentials.sessions.byHash('other', NOON), null)
      assert.ok(await credentials.sessions.byHash('mine', NOON))
      assert.equal(await credentials.tickets.find('ticket', NOON), null)
    })

    test('a ticket is good once, until its time is over, and the next one takes its place', async () => {
      const { tickets, passwords } = credentials
      const ticket = { user: ada.id, kind: 'reset' as const, createdAt: NOON, endsAt: NOON + HOUR }
      await tickets.add(ticket, 'old')
      await tickets.add(ticket, 'new')
      assert.equal(await tickets.find('old', NOON), null)
      assert.deepEqual(await tickets.find('new', NOON), ticket)
      assert.equal(await tickets.find('new', NOON + HOUR), null)
      assert.equal(await passwords.redeem('new', { password: 'late' }, NOON + HOUR), null)
      await credentials.sessions.add(aSession(ada, { id: 'before' }), 'cookie')
      const tries = await Promise.all(['a', 'b', 'c'].map((password) => passwords.redeem('new', { password }, NOON)))
      const won = tries.filter((done) => done !== null)
      assert.equal(won.length, 1)
      assert.deepEqual([won[0]?.user.id, won[0]?.kind, won[0]?.ended], [ada.id, 'reset', ['before']])
      assert.equal(await passwords.of(ada.id), ['a', 'b', 'c'][tries.findIndex((done) => done !== null)])
    })

    test('the first ticket names the administrator anew, but not as somebody else', async () => {
      const { tickets, passwords } = credentials
      const ticket = { user: ada.id, kind: 'first' as const, createdAt: NOON, endsAt: NOON + HOUR }
      await tickets.add(ticket, 'one')
      await tickets.add(ticket, 'two')
      assert.ok(await tickets.find('one', NOON), 'each node of many has its own')
      await add(aUser('bob@example.org'))
      assert.equal(await passwords.isRuled(), false)
      await assert.rejects(passwords.redeem('one', { password: 'p', email: 'bob@example.org' }, NOON), EmailTaken)
      assert.equal(await passwords.of(ada.id), null, 'all or nothing')
      const done = await passwords.redeem('one', { password: 'p', email: 'Grace@example.org' }, NOON)
      assert.equal(done?.user.email, 'grace@example.org')
      assert.equal(await passwords.isRuled(), true)
      assert.equal(await tickets.find('two', NOON), null)
    })

    test('an identity leads to one user, and lets an administrator rule', async () => {
      const { identities, passwords } = credentials
      await identities.link('https://id.example.org', 'ada', ada.id)
      await identities.link('https://id.example.org', 'ada', ada.id)
      assert.equal((await identities.find('https://id.example.org', 'ada'))?.id, ada.id)
      assert.equal(await identities.find('https://other.example.org', 'ada'), null)
      assert.equal(await passwords.isRuled(), true)
    })

    test('tries are free at first, then each doubles the wait; tries at once are all counted', async () => {
      const { trials } = credentials
      const patience = { free: 3, first: 1000, most: 4000 }
      const at = async (now: number) => (await trials.take('ada', now, patience)).wait
      const first = await Promise.all(Array.from({ length: 5 }, () => at(NOON)))
      assert.deepEqual(
        first.sort((a, b) => a - b),
        [0, 0, 0, 1000, 1000],
      )
      assert.equal(await at(NOON + 1000), 0)
      assert.equal(await at(NOON + 1000), 2000)
      assert.equal(await at(NOON + 3000), 0)
      assert.equal(await at(NOON + 3000), 4000)
      assert.equal(await at(NOON + 7000), 0)
      assert.equal(await at(NOON + 7000), 4000, 'not without end')
      assert.equal((await trials.take('bob', NOON, patience)).wait, 0)
      await trials.clear('ada')
      assert.equal(await at(NOON + 7001), 0)
      assert.equal(await at(NOON + 7001), 0)
    })

    test('a try that went well is given back, unless others failed meanwhile', async () => {
      const { trials } = credentials
      const patience = { free: 2, first: 1000, most: 4000 }
      const take = () => trials.take('address', NOON, patience)
      await take()
      const good = await take()
      await trials.giveBack('address', good.failures, NOON)
      assert.equal((await take()).failures, 2)
      await trials.giveBack('address', 1, NOON)
      assert.equal((await take()).wait, 1000)
    })

    test('what is over is forgotten', async () => {
      const { sessions, tickets, trials } = credentials
      await sessions.add(aSession(ada), 'cookie')
      await tickets.add({ user: ada.id, kind: 'reset', createdAt: NOON, endsAt: NOON + HOUR }, 'ticket')
      await trials.take('x', NOON, { free: 1, first: 1000, most: 1000 })
      for (const kept of [sessions, tickets]) await kept.expire(NOON + HOUR)
      await trials.expire(NOON + HOUR)
      assert.equal(await sessions.byHash('cookie', NOON), null)
      assert.equal(await tickets.find('ticket', NOON), null)
      assert.equal((await trials.take('x', NOON, { free: 1, first: 1000, most: 1000 })).wait, 0)
    })

    test('guests who have left are found, those who are here are not', async () => {
      const gone = await add(aUser('guest-1@guest.invalid', { role: 'guest' }))
      const here = await add(aUser('guest-2@guest.invalid', { role: 'guest' }))
      await credentials.sessions.add(aSession(here), 'cookie')
      assert.deepEqual(await users.leftGuests(NOON - 1, 10), [])
      assert.deepEqual(await users.leftGuests(NOON, 10), [gone.id])
    })

    test('an entry of the log is there with what it tells of, or neither is', async () => {
      const { audit } = home
      const bob = aUser('bob@example.org')
      await users.add(bob, audit.within(anEntry('user.invited', { target: `user:${bob.id}` })))
      const lost = audit.within(anEntry('user.invited', { detail: { lost: true } }))
      await assert.rejects(users.add(aUser('bob@example.org'), lost), EmailTaken)
      const failing = async () => {
        throw new Error('the disk is full')
      }
      await assert.rejects(users.change(bob.id, { role: 'admin' }, failing), /disk is full/)
      assert.equal((await users.find(bob.id))?.role, 'user')
      assert.equal((await audit.list({}, 1, 10)).total, 1)
    })

    test('the log is read newest first, by user and by action or family, and ends where it is told to', async () => {
      const { audit } = home
      const whole = anEntry('key.created', {
        ...{ user: ada.id, email: 'ada@example.org', via: 'session', viaId: 's', target: 'key:k' },
        ...{ at: NOON + 3, detail: { name: 'laptop' } },
      })
      await audit.write(anEntry('session.failed', { at: NOON + 1, email: 'x' }))
      await audit.write(whole)
      await audit.write(anEntry('user.suspended', { at: NOON + 2, target: `user:${ada.id}` }))
      const actions = async (filter: object, page = 1, limit = 10) =>
        (await audit.list(filter, page, limit)).docs.map(({ action }) => action)
      assert.deepEqual(await actions({}), ['key.created', 'user.suspended', 'session.failed'])
      assert.deepEqual((await audit.list({ action: 'key' }, 1, 10)).docs, [whole])
      assert.deepEqual(await actions({ user: ada.id }), ['key.created', 'user.suspended'])
      assert.deepEqual(await actions({ action: 'session.failed' }), ['session.failed'])
      assert.deepEqual(await actions({ action: 'nothing' }), [])
      assert.deepEqual(await actions({}, 2, 2), ['session.failed'])
      await audit.expire(NOON + 2)
      assert.deepEqual(await actions({}), ['key.created'])
    })
  })
}
