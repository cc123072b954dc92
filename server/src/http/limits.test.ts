import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createLimiter, limitHeaders } from './limits.ts'

describe('the rate limit', () => {
  test('lets the limit through at once, then one for every share of a minute', () => {
    const limiter = createLimiter(60)
    for (let i = 0; i < 60; i++) assert.equal(limiter.take('a', 0).ok, true)
    const refused = limiter.take('a', 0)
    assert.deepEqual([refused.ok, refused.wait], [false, 1])
    assert.equal(limiter.take('a', 1000).ok, true)
    assert.equal(limiter.take('a', 1000).ok, false)
  })

  test('counts everyone on their own', () => {
    const limiter = createLimiter(1)
    assert.equal(limiter.take('a', 0).ok, true)
    assert.equal(limiter.take('b', 0).ok, true)
  })

  test('after the wait it names, the next request is taken', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.array(fc.nat(5000), { maxLength: 50 }), (perMinute, pauses) => {
        const limiter = createLimiter(perMinute)
        let now = 0
        for (const pause of pauses) {
          now += pause
          const { ok, wait, remaining } = limiter.take('x', now)
          assert.ok(remaining >= 0 && remaining < perMinute)
          if (ok) continue
          now += wait * 1000
          assert.equal(limiter.take('x', now).ok, true)
        }
      }),
    )
  })

  test('is told in the IETF fields', () => {
    const limiter = createLimiter(30)
    assert.deepEqual(limitHeaders(limiter, limiter.take('a', 0)), {
      'RateLimit-Policy': '"default";q=30;w=60',
      RateLimit: '"default";r=29;t=2',
    })
  })
})
