import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { matrix, place } from './place.ts'

const side = fc.double({ min: 0.1, max: 100_000, noNaN: true })
const share = fc.constantFrom(0, 0.5, 1)
const sizes = fc.record({ width: side, height: side })
const wishes = fc.record({
  size: fc.option(fc.constant({ width: 595.296, height: 841.896 })),
  turned: fc.constantFrom('portrait' as const, 'landscape' as const, 'auto' as const),
  align: fc.tuple(share, share),
  margin: fc.record({
    amount: fc.double({ min: 0, max: 40, noNaN: true }),
    unit: fc.constantFrom('px' as const, '%' as const),
  }),
  enlarge: fc.boolean(),
})

describe('a picture on its page', () => {
  it('lies within it, in its own proportions', () => {
    fc.assert(
      fc.property(sizes, wishes, (natural, wish) => {
        const placed = place(natural, wish)
        assert.ok(placed)
        const { page, left, bottom, width, height } = placed
        const slack = 1e-6
        assert.ok(left >= -slack && bottom >= -slack)
        assert.ok(left + width <= page.width + slack && bottom + height <= page.height + slack)
        assert.ok(Math.abs(width / height / (natural.width / natural.height) - 1) < 1e-6)
        if (!wish.enlarge) assert.ok(width <= natural.width * (1 + slack))
      }),
    )
  })

  it('stays in its place however the camera was held', () => {
    const placed = { page: { width: 100, height: 100 }, left: 10, bottom: 20, width: 30, height: 40 }
    for (let orientation = 1; orientation <= 8; orientation++) {
      const [a, b, c, d, e, f] = matrix(orientation, placed)
      const at = (x: number, y: number): [number, number] => [a * x + c * y + e, b * x + d * y + f]
      const corners = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)]
      const [across, up] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
      assert.deepEqual(
        [Math.min(...across), Math.max(...across), Math.min(...up), Math.max(...up)],
        [10, 40, 20, 60],
        String(orientation),
      )
    }
  })

  it('has no room where the margins meet', () => {
    const wish = { size: { width: 100, height: 200 }, turned: 'auto', align: [0, 0], enlarge: true } as const
    const natural = { width: 10, height: 10 }
    const of = (amount: number, unit: 'px' | '%') =>
      place(natural, { ...wish, align: [0, 0], margin: { amount, unit } }) === null
    assert.deepEqual([of(49, 'px'), of(50, 'px'), of(49, '%'), of(50, '%')], [false, true, false, true])
  })
})
