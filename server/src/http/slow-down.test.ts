import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neighbourhood } from './slow-down.ts'

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
