import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { axisOf, daysOf, PERIODS, spanOf } from './period.ts'

const NOW = Date.parse('2028-03-01T00:30:00Z')

describe('periods of usage', () => {
  test('are days of UTC, today included', () => {
    assert.deepEqual(spanOf('week', NOW), { from: '2028-02-24', to: '2028-03-01' })
    assert.deepEqual(spanOf('this-month', NOW), { from: '2028-03-01', to: '2028-03-01' })
    assert.deepEqual(spanOf('last-month', NOW), { from: '2028-02-01', to: '2028-02-29' })
  })

  test('list every day of theirs once, in order', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), fc.integer({ min: 0, max: 4e12 }), (period, now) => {
        const span = spanOf(period, now)
        const days = daysOf(span)
        assert.equal(days[0], span.from)
        assert.equal(days.at(-1), span.to)
        assert.deepEqual(days, [...new Set(days)].sort())
      }),
    )
  })

  test('are drawn on an axis that holds the highest bar and wastes no more than it shows', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (most) => {
        const top = axisOf(most).at(-1) ?? 0
        assert.ok(top >= most * 0.999_999 && top <= most * 2.6)
      }),
    )
  })
})
