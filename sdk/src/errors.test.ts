import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorOf, networkError } from './errors.ts'

test('an error of the server is taken over whole', () => {
  const errors = [{ path: 'tasks.a', message: 'is wrong.' }]
  const body = { code: 'invalid_parameter', message: 'No.', errors, requestId: 'r1', errorCode: 'processing_failed' }
  const error = errorOf(400, JSON.stringify(body), null)
  const { status, code, message, requestId, errorCode } = error
  assert.deepEqual({ status, code, message, errors: error.errors, requestId, errorCode }, { status: 400, ...body })
})

test('a proxy’s page becomes an error of the same kind', () => {
  const error = errorOf(502, '<h1>Bad gateway</h1>', '3')
  assert.deepEqual([error.status, error.code, error.retryAfter, error.errors], [502, 'http_502', 3, []])
})

test('the reason for no answer is found behind "fetch failed"', () => {
  const failed = (cause: unknown) => networkError(new TypeError('fetch failed', { cause }), 'https://host:1/v1/x')
  const coded = (code: string) => Object.assign(new Error('x'), { code })
  assert.equal(failed(coded('ECONNREFUSED')).message, 'https://host:1 cannot be reached (ECONNREFUSED).')
  assert.equal(
    failed(new AggregateError([coded('ECONNREFUSED')])).message,
    'https://host:1 cannot be reached (ECONNREFUSED).',
  )
  for (const code of ['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    assert.equal(failed(coded(code)).code, 'untrusted_certificate')
})
