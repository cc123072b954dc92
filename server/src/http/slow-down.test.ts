import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshSqlite } from '../../test/support/sqlite.ts'
import { Problem } from '../core/errors.ts'
import { createSqlCredentials } from '../store/sql-credentials.ts'
import { createSlowDown, neighbourhood } from './slow-down.ts'

test('an address of IPv6 stands for its whole network, one of IPv4 for itself', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ] as const)
    assert.equal(neighbourhood(address), network)
})

test('an account has five wrong tries, an address twenty; then each waits twice as long, and a right one clears', async (t) => {
  const database = await freshSqlite(t)
  let now = 1_000_000
  const slowDown = createSlowDown(createSqlCredentials(database).trials, { now: () => now })
  /** The seconds to wait, or nothing when the try was let through. */
  const wrong = async (account: string, address: string): Promise<string | undefined> => {
    const refused = await slowDown.password(account, address).then(
      () => undefined,
      (error) => error,
    )
    if (!refused) return undefined
    assert.ok(refused instanceof Problem)
    assert.equal(refused.status, 429)
    return refused.headers['Retry-After']
  }
  const from = '192.0.2.1'
  for (let tried = 0; tried < 5; tried++) assert.equal(await wrong('ada', from), undefined)
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    assert.equal(await wrong('ADA ', '192.0.2.2'), String(seconds), 'however it is written, and from wherever')
    now += seconds * 1000
    assert.equal(await wrong('ada', '192.0.2.3'), undefined)
  }
  assert.equal(await wrong('bob', from), undefined, 'another account is not concerned')

  const elsewhere = '192.0.2.4'
  for (let tried = 0; tried < 20; tried++) assert.equal(await wrong(`somebody ${tried}`, elsewhere), undefined)
  for (const seconds of [1, 2, 4]) {
    assert.equal(await wrong('cleo', elsewhere), String(seconds))
    now += seconds * 1000
    assert.equal(await wrong(`nobody ${seconds}`, elsewhere), undefined)
  }
  assert.equal(await wrong('cleo', from), undefined, 'another address is not concerned')

  for (let tried = 0; tried < 30; tried++) {
    const settled = await slowDown.password('dora', '192.0.2.5')
    await settled()
  }
  for (let tried = 0; tried < 5; tried++) assert.equal(await wrong('dora', '192.0.2.5'), undefined)
  assert.equal(await wrong('dora', '192.0.2.5'), '1')
})
