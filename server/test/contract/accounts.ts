/** What every keeper of accounts must do. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type Accounts, type Key, NameTaken } from '../../src/ports/accounts.ts'
import { NOON } from '../support/records.ts'
import type { StoreHarness } from './store-harness.ts'

export interface AccountsHarness {
  accounts: Accounts
  /** On the same database. */
  records: StoreHarness
}

const aKey = (user: string, more: Partial<Key> = {}): Key => ({
  ...{
    id: 'k',
    user,
    name: 'laptop',
    scopes: ['tasks:read', 'account'] as const,
    createdAt: NOON,
    lastUsedAt: null,
    budget: null,
  },
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
      const rest = { role: 'admin', plan: 'unlimited', suspendedAt: null }
      assert.deepEqual(user, { id: user.id, email: 'ada@example.org', createdAt: NOON, ...rest })
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

    test('a key is renamed and given a budget, by its owner alone and under a name that is free', async () => {
      const user = await accounts.user('ada@example.org', NOON)
      await accounts.addKey(aKey(user.id), 'one')
      await accounts.addKey(aKey(user.id, { id: 'l', name: 'phone', budget: { minutes: 1.5, per: 'month' } }), 'two')
      const budget = { minutes: 0.25, per: 'day' } as const
      const changed = aKey(user.id, { name: 'desk', budget })
      assert.deepEqual(await accounts.changeKey(user.id, 'k', { name: 'desk', budget }), changed)
      assert.deepEqual(await accounts.keyByHash('one'), changed)
      assert.deepEqual((await accounts.changeKey(user.id, 'l', { name: 'phone' }))?.budget, {
        minutes: 1.5,
        per: 'month',
      })
      assert.equal((await accounts.changeKey(user.id, 'k', { budget: null }))?.budget, null)
      await assert.rejects(accounts.changeKey(user.id, 'k', { name: 'phone' }), NameTaken)
      assert.equal(await accounts.changeKey('somebody', 'k', { name: 'mine' }), null)
      assert.equal((await accounts.keyByHash('one'))?.name, 'desk')
    })

    test('a key belongs to a user who exists', async () => {
      await assert.rejects(accounts.addKey(aKey('nobody'), 'hash'))
    })
  })
}
