import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Failure } from '../core/errors.ts'
import { GuardError } from '../net/guard.ts'
import { broken, Passing, refused } from './trouble.ts'

const words = { what: '"a" in the bucket "b"', host: 'h.example', credentials: new Set(['BadSignature']) }

describe('an answer other than success', () => {
  const cases: [status: number, code: string, errorCode: string, passes: boolean, says: RegExp][] = [
    [403, 'BadSignature', 'invalid_credentials', false, /h\.example did not accept the credentials \(BadSignature\)/],
    [401, '', 'invalid_credentials', false, /did not accept the credentials\.$/],
    [403, 'AccessDenied', 'insufficient_permission', false, /no right to "a" in the bucket "b" \(AccessDenied\)/],
    [404, 'NoSuchKey', 'processing_failed', false, /^"a" in the bucket "b" does not exist/],
    [412, '', 'processing_failed', false, /was changed while/],
    [429, 'SlowDown', 'processing_failed', true, /status 429/],
    [503, '', 'processing_failed', true, /status 503/],
    [307, '', 'processing_failed', false, /redirects elsewhere/],
    [400, 'Odd', 'processing_failed', false, /refused.*400 \(Odd\)/],
  ]
  for (const [status, code, errorCode, passes, says] of cases)
    test(`${status} ${code} is ${errorCode}${passes ? ' and may pass' : ''}`, () => {
      const failure = refused({ status, code }, words)
      assert.equal(failure.errorCode, errorCode)
      assert.equal(failure instanceof Passing, passes)
      assert.match(failure.message, says)
    })
})

describe('a connection that did not work', () => {
  test('is told by host, and tells the log a code, never what was sent', () => {
    const thrown = Object.assign(new Error('signed=secret'), {
      code: 'UND_ERR_SOCKET',
      headers: { authorization: 'x' },
    })
    const failure = broken(thrown, 'h.example')
    assert.ok(failure instanceof Passing)
    assert.match(failure.message, /h\.example/)
    assert.equal(failure.detail, 'connect UND_ERR_SOCKET')
  })

  test('does not pass when the guard forbids it, nor after long silence', () => {
    const blocked = broken(new GuardError('blocked', 'h.example is not at a public address'), 'h.example')
    const silent = broken(Object.assign(new Error(''), { code: 'UND_ERR_HEADERS_TIMEOUT' }), 'h.example')
    for (const failure of [blocked, silent]) {
      assert.ok(failure instanceof Failure)
      assert.equal(failure instanceof Passing, false)
    }
  })
})
