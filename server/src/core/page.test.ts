import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { pageOf } from './page.ts'

describe('the page envelope', () => {
  test('of nothing has one page', () => {
    assert.deepEqual(pageOf([], 0, 1, 50), {
      docs: [],
      totalDocs: 0,
      limit: 50,
      totalPages: 1,
      page: 1,
      pagingCounter: 1,
      hasPrevPage: false,
      hasNextPage: false,
      prevPage: null,
      nextPage: null,
    })
  })

  test('following nextPage visits every page once, and prevPage leads back', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 200 }), (total, limit) => {
        let page = pageOf([], total, 1, limit)
        for (let seen = 1; page.nextPage !== null; seen++) {
          const next = pageOf([], total, page.nextPage, limit)
          assert.equal(next.prevPage, page.page)
          assert.equal(next.pagingCounter, seen * limit + 1)
          page = next
        }
        assert.equal(page.page, page.totalPages)
        assert.ok(page.totalPages * limit >= total)
      }),
    )
  })
})
