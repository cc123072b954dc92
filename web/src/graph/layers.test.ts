import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { layersOf } from './layers.ts'

const node = (id: string, ...inputs: string[]) => ({ id, inputs })

test('a chain stands in one row, one column after the other', () => {
  const spots = layersOf([node('out', 'work'), node('in'), node('work', 'in')])
  assert.deepEqual(
    ['in', 'work', 'out'].map((id) => spots.get(id)),
    [0, 1, 2].map((column) => ({ column, row: 0 })),
  )
})

test('what joins two stands between them, right of both', () => {
  const spots = layersOf([node('a'), node('b'), node('longer', 'b'), node('both', 'a', 'longer')])
  assert.deepEqual(spots.get('both'), { column: 2, row: 0.5 })
})

test('inputs from elsewhere do not matter', () => {
  assert.deepEqual(layersOf([node('a', 'elsewhere')]).get('a'), { column: 0, row: 0 })
})

test('whatever the lines are, circles too, everything has a place of its own', () => {
  const nodes = fc
    .uniqueArray(fc.string({ minLength: 1 }), { maxLength: 12 })
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id) => fc.record({ id: fc.constant(id), inputs: fc.subarray(ids, { maxLength: ids.length }) })),
      ),
    )
  fc.assert(
    fc.property(nodes, (all) => {
      const spots = [...layersOf(all).values()]
      assert.equal(spots.length, all.length)
      for (const [index, spot] of spots.entries())
        for (const other of spots.slice(index + 1))
          assert.ok(spot.column !== other.column || Math.abs(spot.row - other.row) >= 1)
    }),
  )
})
