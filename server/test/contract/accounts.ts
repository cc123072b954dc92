/** What every keeper of accounts must do. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type Accounts, type Key, NameTaken } from '../../src/ports/accounts.ts'
import { aTask, NOON } from '../support/records.ts'
import { type StoreHarness, sceneOf } from './store-harness.ts'

export interface AccountsHarness {
  accounts: Accounts
  /** On the same database: it writes what `secondsUsed` reads. */
  records: StoreHarness
}

const DAY = 86_400_000

const aKey = (user: string, more: Partial<Key> = {}): Key => ({
  ...{ id: 'k', user, name: 'laptop', scopes: ['tasks:read', 'account'] as const, createdAt: NOON, lastUsedAt: null },
  ...more,
})

export function accountsContract(name: string, open: () => Promise<AccountsHarness>): void {
  describe(`accounts in ${name}`, () => {
    let accounts: Accounts
    let records: StoreHarness
    beforeEach(async () => {
      ;({ accounts, records } = await open())
    })
    afterEach(() => records.close())

    test('a user is made once, whatever the letters and however many ask at once', async () => {
      assert.equal(await accounts.hasUsers(), false)
      const asked = ['ada@example.org', 'Ada@Example.org ', 'ada@example.org']
      const users = await Promise.all(asked.map((email) => accounts.user(email, NOON)))
      assert.equal(new Set(users.map((user) => user.id)).size, 1)
      assert.equal(await accounts.hasUsers(), true)
      const [user] = users
      assert.ok(user)
      assert.deepEqual(user, { id: user.id, email: 'ada@example.org', createdAt: NOON })
      assert.deepEqual(await accounts.userById(user.id), user)
      assert.equal(await accounts.userById('nobody'), null)
    })

    test('a key is found by its hash', async () => {
      const user = await accounts.user('ada@example.org', NOON)
      const key = aKey(user.id)
      await accounts.addKey(key, 'hash')
      assert.deepEqual(await accounts.keyByHash('hash'), key)
      assert.equal(await accounts.keyByHash('other'), null)
      await assert.rejects(accounts.addKey({ ...key, id: 'other', name: 'other' }, 'hash'))
    })

    test('keys are listed, newest first, with their last use', async () => {
      const user = await accounts.user('ada@example.org', NOON)
      const other = await accounts.user('bob@example.org', NOON)
      await accounts.addKey(aKey(user.id), 'one')
      await accounts.addKey(aKey(user.id, { id: 'l', name: 'phone', createdAt: NOON + 1 }), 'two')
      await accounts.addKey(aKey(other.id, { id: 'm' }), 'three')
      await accounts.touchKey('k', NOON + 5)
      const listed = (await accounts.keys(user.id)).map(({ id, lastUsedAt }) => [id, lastUsedAt])
      assert.deepEqual(listed, [
        ['l', null],
        ['k', NOON + 5],
      ])
    })

    test('no two keys of a user have the same name', async () => {
      const user = await accounts.user('ada@example.org', NOON)
      await accounts.addKey(aKey(user.id), 'one')
      await assert.rejects(accounts.addKey(aKey(user.id, { id: 'l' }), 'two'), NameTaken)
      assert.equal(await accounts.keyByHash('two'), null)
    })

    test('a key that was revoked is not found, and only its owner can revoke it', async () => {
      const user = await accounts.user('ada@example.org', NOON)
      await accounts.addKey(aKey(user.id), 'one')
      assert.equal(await accounts.removeKey('somebody', 'k'), false)
      assert.equal(await accounts.removeKey(user.id, 'k'), true)
      assert.equal(await accounts.removeKey(user.id, 'k'), false)
      assert.equal(await accounts.keyByHash('one'), null)
    })

    test('a key belongs to a user who exists', async () => {
      await assert.rejects(accounts.addKey(aKey('nobody'), 'hash'))
    })

    test('seconds of conversions are added up by user and day, however they ended', async () => {
      const { create, happen } = sceneOf(records)
      const run = async (
        user: string,
        lane: 'io' | 'light' | 'heavy',
        startedAt: number,
        seconds: number,
        ok: boolean,
      ) => {
        const task = aTask({ user, lane, createdAt: startedAt })
        await create([task])
        await happen(task, { type: 'started' }, startedAt)
        const end = startedAt + seconds * 1000
        if (ok) await happen(task, { type: 'completed', result: {} }, end)
        else await happen(task, { type: 'canceled' }, end)
      }
      await run('ada', 'light', NOON - DAY, 100, true)
      await run('ada', 'light', NOON, 1.5, true)
      await run('ada', 'heavy', NOON + 5000, 2.25, false)
      await run('ada', 'io', NOON, 50, true)
      await run('bob', 'light', NOON, 7, true)
      const never = aTask()
      await create([never])
      await happen(never, { type: 'canceled' }, NOON)
      const today = NOON - 12 * 3_600_000
      assert.equal(await accounts.secondsUsed('ada', today), 3.75)
      assert.equal(await accounts.secondsUsed('ada', today - DAY), 103.75)
      assert.equal(await accounts.secondsUsed('bob', today), 7)
      assert.equal(await accounts.secondsUsed('nobody', today), 0)
    })
  })
}
