import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createLimiter, limitHeaders } from './limits.ts'

describe('the rate limit', () => {
  test('lets the limit through at once, then one for every share of a minute', () => {
    const limiter = createLimiter()
    for (let i = 0; i < 60; i++) assert.equal(limiter.take('a', 60, 0).ok, true)
    const refused = limiter.take('a', 60, 0)
    assert.deepEqual([refused.ok, refused.wait], [false, 1])
    assert.equal(limiter.take('a', 60, 1000).ok, true)
    assert.equal(limiter.take('a', 60, 1000).ok, false)
  })

  test('counts everyone on their own', () => {
    const limiter = createLimiter()
    assert.equal(limiter.take('a', 1, 0).ok, true)
    assert.equal(limiter.take('b', 1, 0).ok, true)
  })

  test('holds for each as it is asked: a rate that was lowered takes what had been saved', () => {
    const limiter = createLimiter()
    assert.equal(limiter.take('a', 100, 0).remaining, 99)
    assert.equal(limiter.take('a', 10, 0).remaining, 9)
    assert.equal(limiter.take('a', 100, 0).remaining, 8)
  })

  test('after the wait it names, the next request is taken', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.array(fc.nat(5000), { maxLength: 50 }), (perMinute, pauses) => {
        const limiter = createLimiter()
        let now = 0
        for (const pause of pauses) {
          now += pause
          const { ok, wait, remaining } = limiter.take('x', perMinute, now)
          assert.ok(remaining >= 0 && remaining < perMinute)
          if (ok) continue
          now += wait * 1000
          assert.equal(limiter.take('x', perMinute, now).ok, true)
        }
      }),
    )
  })

  test('is told in the IETF fields', () => {
    const limiter = createLimiter()
    assert.deepEqual(limitHeaders(30, limiter.take('a', 30, 0)), {
      'RateLimit-Policy': '"default";q=30;w=60',
      RateLimit: '"default";r=29;t=2',
    })
  })
})
