import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ago, bytes, change, fit, seconds, table } from './words.ts'

test('sizes, changes and times read well', () => {
  const sizes: [number, string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [99_949, '99.9 kB'],
    [99_960, '100 kB'],
    [999_999, '1.0 MB'],
    [4_200_000, '4.2 MB'],
    [5e12, '5.0 TB'],
    [5e15, '5000 TB'],
  ]
  for (const [count, expected] of sizes) assert.equal(bytes(count), expected)
  assert.deepEqual(
    [change(100, 19), change(100, 112), change(1000, 1001), change(0, 5), change(1, 30)],
    ['−81%', '+12%', '±0%', '', '×30'],
  )
  assert.deepEqual([seconds(1234), seconds(61_000), seconds(59_990)], ['1.2 s', '1 min 1 s', '1 min 0 s'])
  assert.deepEqual([ago(20_000), ago(61_000), ago(7_300_000)], ['just now', '1 min ago', '2 h ago'])
})

test('a name takes exactly its columns and keeps both ends', () => {
  assert.equal(fit('a-very-long-name.png', 10), 'a-ver….png')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.integer({ min: 3, max: 40 }), (name, width) => {
      assert.equal([...fit(name, width)].length, width)
    }),
  )
})

test('columns of a table begin under each other', () => {
  assert.deepEqual(
    table([
      ['a', 'b', 'c'],
      ['long', 'x', 'a longer end'],
    ]),
    ['a     b  c', 'long  x  a longer end'],
  )
  assert.deepEqual(table([]), [])
})
