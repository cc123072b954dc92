import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readVisited, type Told, whyNot } from './verdict.ts'
import type { Visited } from './visit.ts'

const order = { url: 'https://user:secret@example.org/a', timeout: 30 }
const told: Told = {
  refusal: (host) => (host === '10.0.0.1' ? new Error('10.0.0.1 is not public') : undefined),
  spent: () => null,
  redirected: (_, host) => `${host} leads inside`,
  allowed: { bytes: 2 ** 20, requests: 5 },
}

describe('what is said of a visit that brought no page', () => {
  const cases: [visited: Visited | null, code: string, words: RegExp][] = [
    [{ outcome: 'status', status: 404, url: '' }, 'processing_failed', /status 404/],
    [{ outcome: 'status', status: 401, url: '' }, 'invalid_credentials', /status 401/],
    [{ outcome: 'status', status: 403, url: '' }, 'insufficient_permission', /status 403/],
    [{ outcome: 'download', url: '' }, 'processing_failed', /import\/url/],
    [{ outcome: 'endless', url: '' }, 'engine_timeout', /within 30 seconds/],
    [{ outcome: 'requests' }, 'processing_failed', /more than the 5 files/],
    [{ outcome: 'crashed' }, 'processing_failed', /memory/],
    [{ outcome: 'failed', detail: 'x' }, 'processing_failed', /could not be shown/],
    [null, 'processing_failed', /could not be shown/],
  ]
  const unreachable: [error: string, url: string, words: RegExp][] = [
    ['net::ERR_EMPTY_RESPONSE', 'http://10.0.0.1/', /^example\.org leads inside$/],
    ['net::ERR_CERT_DATE_INVALID', 'https://example.org/', /certificate/],
    ['net::ERR_TOO_MANY_REDIRECTS', 'https://example.org/', /too many times/],
    ['net::ERR_UNSAFE_PORT', 'https://example.org/', /does not open/],
    ['net::ERR_CONNECTION_RESET', 'https://example.org/', /could not be reached/],
  ]
  for (const [error, url, words] of unreachable)
    cases.push([{ outcome: 'unreachable', error, url }, 'processing_failed', words])

  it('is why, and never the credentials of the address', () => {
    for (const [visited, code, words] of cases) {
      const failure = whyNot(visited, order, told)
      assert.match(failure.message, words)
      assert.equal(failure.errorCode, code)
      assert.doesNotMatch(`${failure.message} ${failure.detail}`, /secret/)
    }
  })

  it('is first of all what was spent', () => {
    const spent = (what: 'bytes' | 'requests') => whyNot(null, order, { ...told, spent: () => what }).message
    assert.match(spent('bytes'), /larger than the 1 MB/)
    assert.match(spent('requests'), /more than the 5 files/)
  })
})

describe('the words of a box', () => {
  it('are read from its last line', () => {
    const page: Visited = { outcome: 'page', title: 'A', url: 'https://example.org/', incomplete: false }
    assert.deepEqual(readVisited(`{"percent":50}\n${JSON.stringify(page)}\n`), page)
  })

  it('count for nothing when they are of another kind', () => {
    for (const said of ['', 'nonsense', '{', 'null', '[]']) assert.notEqual(readVisited(said)?.outcome, 'page', said)
    assert.deepEqual(readVisited('{"outcome":"page","title":{"a":1},"url":7,"incomplete":"yes"}'), {
      outcome: 'page',
      title: '',
      url: '',
      incomplete: false,
    })
  })
})
