/** Times, parts and bars. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { outlineOf, peaksOf } from './peaks.ts'
import { further, gapsOf, LEAST, optionsOf, type Range, total, withEdge } from './ranges.ts'
import { readTime, writeTime } from './time.ts'

const range = (start: number, end: number): Range => ({ id: 'a', start, end })

test('times are read as people write them', () => {
  assert.equal(readTime('4.2'), 4.2)
  assert.equal(readTime(' 1:23,5 '), 83.5)
  assert.equal(readTime('1:02:03'), 3723)
  for (const bad of ['', 'x', '1:75', '1:99:00', '-3', '1::2']) assert.equal(readTime(bad), null, bad)
})

test('what is written is read again to the hundredth', () => {
  assert.equal(writeTime(83.5), '1:23.5')
  assert.equal(writeTime(3723.456), '1:02:03.46')
  assert.equal(writeTime(59.999), '1:00.0')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (hundredths) => {
      assert.ok(Math.abs((readTime(writeTime(hundredths / 100)) ?? -1) - hundredths / 100) < 1e-6)
    }),
  )
})

test('an edge passes neither the other nor the ends', () => {
  const time = fc.double({ min: -100, max: 100, noNaN: true })
  fc.assert(
    fc.property(time, fc.constantFrom('start' as const, 'end' as const), (at, edge) => {
      const { start, end } = withEdge(range(2, 5), edge, at, 10)
      assert.ok(start >= 0 && end <= 10 && end - start >= LEAST - 1e-9)
    }),
  )
})

test('a further part comes where there is room', () => {
  assert.deepEqual(further([range(0, 2)], 10, 'b'), { id: 'b', start: 4, end: 8 })
  assert.deepEqual(further([range(6, 10)], 10, 'b'), { id: 'b', start: 1.5, end: 4.5 })
  assert.deepEqual(further([range(0, 10)], 10, 'b'), { id: 'b', start: 0, end: 10 })
})

test('what lies outside of every part is gone', () => {
  assert.deepEqual(gapsOf([range(6, 8), range(1, 3), range(2, 4)], 10), [
    [0, 1],
    [4, 6],
    [8, 10],
  ])
  assert.deepEqual(gapsOf([range(0, 10)], 10), [])
})

test('one part is a start and an end, several are ranges', () => {
  assert.deepEqual(optionsOf([range(0.5, 2)]), { start: '0.5', end: '2' })
  assert.deepEqual(optionsOf([range(3, 4), range(0, 1.25)]), { ranges: '3-4,0-1.25' })
  assert.equal(total([range(3, 4), range(0, 1.25)]), 2.25)
})

test('bars show the loudest of each stretch', () => {
  assert.deepEqual(peaksOf(new Float32Array([0, 0.5, -1, 0.25]), 2), [0.5, 1])
  assert.equal(peaksOf(new Float32Array([1]), 3).length, 3)
  assert.match(outlineOf([0, 1]), /^M0\.2 49\.2h\.6v1\.6h-\.6zM1\.2 4\.0h\.6v92\.0h-\.6z$/)
})
