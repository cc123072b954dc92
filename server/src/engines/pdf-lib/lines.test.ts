import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { unfilter } from './lines.ts'
import { apart } from './pixels.ts'

/** The filters of the PNG specification, the other way round: what is written for a byte x with a, b and c around it. */
const FILTERS: readonly ((a: number, b: number, c: number) => number)[] = [
  () => 0,
  (a) => a,
  (_, b) => b,
  (a, b) => Math.floor((a + b) / 2),
  (a, b, c) => {
    const p = a + b - c
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
    if (pa <= pb && pa <= pc) return a
    return pb <= pc ? b : c
  },
]

function filtered(filter: number, pixels: Buffer, above: Buffer | null, step: number): Buffer {
  const line = Buffer.alloc(pixels.length + 1)
  line[0] = filter
  for (const [at, value] of pixels.entries()) {
    const [a, c] = at < step ? [0, 0] : [pixels[at - step]!, above?.[at - step] ?? 0]
    line[at + 1] = value - FILTERS[filter]!(a, above?.[at] ?? 0, c)
  }
  return line
}

const lines = (channels: number) =>
  fc.record({
    filter: fc.integer({ min: 0, max: 4 }),
    first: fc.boolean(),
    pixels: fc.uint8Array({ minLength: 6 * channels, maxLength: 6 * channels }).map((bytes) => Buffer.from(bytes)),
    over: fc.uint8Array({ minLength: 6 * channels, maxLength: 6 * channels }).map((bytes) => Buffer.from(bytes)),
  })

it('every filter is taken off', () => {
  fc.assert(
    fc.property(lines(3), ({ filter, first, pixels, over }) => {
      const above = first ? null : over
      assert.deepEqual(unfilter(filtered(filter, pixels, above, 3), above, 3), pixels)
    }),
  )
})

it('the parts of a filtered line are filtered lines of the parts', () => {
  const channels = (pixels: Buffer, from: number, to: number): Buffer =>
    Buffer.from([...pixels].filter((_, at) => at % 4 >= from && at % 4 < to))
  fc.assert(
    fc.property(lines(4), ({ filter, pixels, over }) => {
      const [colours, opacity] = apart(filtered(filter, pixels, over, 4), 3, 1)
      assert.deepEqual(colours, filtered(filter, channels(pixels, 0, 3), channels(over, 0, 3), 3))
      assert.deepEqual(opacity, filtered(filter, channels(pixels, 3, 4), channels(over, 3, 4), 1))
    }),
  )
})
