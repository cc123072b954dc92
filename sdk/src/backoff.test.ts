import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backoff, mayRetry, retrying, sleep } from './backoff.ts'
import { ReforgeError, readRetryAfter } from './errors.ts'

const error = (status: number, more: Partial<ReforgeError> = {}) => new ReforgeError('', { status, code: '', ...more })

test('the pause grows, never past eight seconds, and is spread over half its length', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const pause = backoff(attempt, random)
      assert.ok(pause <= 8_000 && pause >= backoff(attempt, 0) && pause <= backoff(attempt, 1))
      assert.ok(backoff(attempt + 1, random) >= pause)
      assert.equal(backoff(attempt, 1), backoff(attempt, 0) * 2)
    }),
  )
})

test('only what is safe to send again is sent again', () => {
  const cases: [ReforgeError, boolean, boolean][] = [
    [error(0, { code: 'network_error' }), true, true],
    [error(0, { code: 'network_error' }), false, false],
    [error(0, { code: 'untrusted_certificate' }), true, false],
    [error(503), true, true],
    [error(503), false, false],
    [error(502), true, true],
    [error(504), true, true],
    [error(500), true, false],
    [error(429), false, true],
    [error(429, { retryAfter: 61 }), true, false],
    [error(404), true, false],
    [error(409), true, false],
  ]
  for (const [failure, idempotent, expected] of cases)
    assert.equal(mayRetry(failure, idempotent), expected, `${failure.status} ${failure.code} ${idempotent}`)
})

test('after the last retry the error is the caller’s', async () => {
  let attempts = 0
  const act = async () => {
    attempts++
    throw error(503)
  }
  await assert.rejects(retrying(act, { retries: 1, idempotent: true }), { status: 503 })
  assert.equal(attempts, 2)
})

test('an abort ends the pause before the next attempt', async () => {
  const controller = new AbortController()
  const act = async () => {
    controller.abort(new Error('enough'))
    throw error(429, { retryAfter: 60 })
  }
  await assert.rejects(retrying(act, { retries: 5, idempotent: true, signal: controller.signal }), /enough/)
  await assert.rejects(sleep(60_000, controller.signal), /enough/)
})

test('Retry-After is seconds or a date', () => {
  const now = Date.UTC(2030, 0, 1)
  assert.equal(readRetryAfter('7', now), 7)
  assert.equal(readRetryAfter('Tue, 01 Jan 2030 00:00:09 GMT', now), 9)
  assert.equal(readRetryAfter('Tue, 01 Jan 2019 00:00:00 GMT', now), 0)
  assert.equal(readRetryAfter('soon', now), undefined)
  assert.equal(readRetryAfter(null, now), undefined)
})
