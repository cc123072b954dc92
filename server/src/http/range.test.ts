import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readRange } from './range.ts'

describe('a Range header', () => {
  for (const [header, expected] of [
    [undefined, null],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-5', { start: 95, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=20-10', null],
    ['bytes=0-1,5-6', null],
    ['lines=1-2', null],
    ['bytes=-', null],
  ] as const)
    test(`"${header}" of 100 bytes`, () => assert.deepEqual(readRange(header, 100), expected))

  test('never reaches outside the file', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (first, last, size) => {
        const range = readRange(`bytes=${first}-${last}`, size)
        if (range === null || range === 'unsatisfiable') return
        assert.ok(range.start >= 0 && range.start <= range.end && range.end < size)
      }),
    )
  })
})
