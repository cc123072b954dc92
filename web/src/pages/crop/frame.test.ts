/** The frame never leaves the picture, whatever is done to it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  aligned,
  type Bounds,
  begun,
  drawn,
  type Frame,
  GRAVITIES,
  HANDLES,
  inside,
  moved,
  optionsOf,
  proportioned,
  pulled,
  ratioOf,
} from './frame.ts'

const whole = { width: 200, height: 100 }
const free: Bounds = { whole, grain: 1, ratio: null }
const frame: Frame = { x: 20, y: 10, width: 100, height: 50 }

const anyBounds = fc.record({
  whole: fc.record({ width: fc.integer({ min: 4, max: 9000 }), height: fc.integer({ min: 4, max: 9000 }) }),
  grain: fc.constantFrom(1 as const, 2 as const),
  ratio: fc.constantFrom(null, 1, 16 / 9, 9 / 16, 4 / 3),
})
const length = fc.integer({ min: -20_000, max: 20_000 })
const isInside = ({ x, y, width, height }: Frame, bounds: Bounds): boolean =>
  [x, y, width, height].every(Number.isInteger) &&
  x >= 0 &&
  y >= 0 &&
  width >= 1 &&
  height >= 1 &&
  x + width <= bounds.whole.width &&
  y + height <= bounds.whole.height &&
  width % bounds.grain === 0 &&
  height % bounds.grain === 0

test('whatever is pulled, moved, drawn or aligned stays inside', () => {
  const handle = fc.constantFrom(...HANDLES)
  const gravity = fc.constantFrom(...GRAVITIES)
  fc.assert(
    fc.property(anyBounds, handle, gravity, length, length, length, length, (bounds, pull, side, a, b, c, d) => {
      const start = begun(bounds)
      assert.ok(isInside(start, bounds))
      assert.ok(isInside(moved(start, a, b, bounds), bounds))
      assert.ok(isInside(pulled(start, pull, a, b, bounds), bounds))
      assert.ok(isInside(aligned(pulled(start, pull, a, b, bounds), side, bounds), bounds))
      assert.ok(isInside(drawn({ x: a, y: b }, { x: c, y: d }, bounds), bounds))
      assert.ok(isInside(proportioned(moved(start, c, d, bounds), bounds), bounds))
      assert.ok(isInside(inside({ x: a, y: b, width: c, height: d }, bounds), bounds))
    }),
    { numRuns: 300 },
  )
})

test('what lies opposite of a pulled handle stays', () => {
  assert.deepEqual(pulled(frame, 'se', 10, 5, free), { x: 20, y: 10, width: 110, height: 55 })
  assert.deepEqual(pulled(frame, 'nw', 10, 5, free), { x: 30, y: 15, width: 90, height: 45 })
  assert.deepEqual(pulled(frame, 'e', 999, 5, free), { x: 20, y: 10, width: 180, height: 50 })
  assert.deepEqual(pulled(frame, 'w', 999, 0, free), { x: 119, y: 10, width: 1, height: 50 })
  assert.deepEqual(pulled(frame, 'n', 0, -999, free), { x: 20, y: 0, width: 100, height: 60 })
})

test('proportions hold while a handle is pulled', () => {
  const square: Bounds = { ...free, ratio: 1 }
  const start = proportioned(frame, square)
  assert.deepEqual(start, { x: 20, y: 0, width: 100, height: 100 })
  assert.deepEqual(pulled(start, 'se', -40, 0, square), { x: 20, y: 0, width: 100, height: 100 })
  assert.deepEqual(pulled(start, 'se', -40, -40, square), { x: 20, y: 0, width: 60, height: 60 })
  assert.deepEqual(pulled({ x: 0, y: 20, width: 40, height: 40 }, 'e', 999, 0, square).width, 100)
})

test('sides of a film are even', () => {
  const film: Bounds = { whole: { width: 101, height: 51 }, grain: 2, ratio: null }
  assert.deepEqual(inside({ x: 0, y: 0, width: 101, height: 51 }, film), { x: 0, y: 0, width: 100, height: 50 })
})

test('a frame is aligned to edges, corners and the middle', () => {
  assert.deepEqual(aligned(frame, 'bottom-right', free), { x: 100, y: 50, width: 100, height: 50 })
  assert.deepEqual(aligned(frame, 'center', free), { x: 50, y: 25, width: 100, height: 50 })
  assert.deepEqual(aligned(frame, 'left', free), { x: 0, y: 25, width: 100, height: 50 })
})

test('it is told in pixels, or in shares that leave open what reaches the edge', () => {
  assert.deepEqual(optionsOf(frame, whole, 'px'), { x: '20', y: '10', width: '100', height: '50' })
  assert.deepEqual(optionsOf(frame, whole, '%'), { x: '10%', y: '10%', width: '50%', height: '50%' })
  assert.deepEqual(optionsOf({ ...frame, width: 180 }, whole, '%'), { x: '10%', y: '10%', height: '50%' })
})

test('proportions go by their names', () => {
  assert.equal(ratioOf('16:9', whole), 16 / 9)
  assert.equal(ratioOf('original', whole), 2)
  assert.equal(ratioOf('free', whole), null)
})
