import assert from 'node:assert/strict'
import { it } from 'node:test'
import { photo } from '../../../test/support/samples.ts'
import { type Gray, grayOf, likeness } from './likeness.ts'

it('a picture is like itself, less like a coarse copy, and not like another', async () => {
  const bytes = await photo(100, 75).png().toBuffer()
  const original = await grayOf(bytes)
  assert.deepEqual([original.width, original.height, original.pixels.length], [100, 75, 7500])
  assert.ok(likeness(original, original) > 0.999_999)
  const blurred = await photo(100, 75).blur(3).png().toBuffer()
  const inverted: Gray = { ...original, pixels: Buffer.from(original.pixels.map((value) => 255 - value)) }
  const slightly: Gray = { ...original, pixels: Buffer.from(original.pixels.map((value) => Math.min(255, value + 3))) }
  assert.ok(likeness(original, slightly) > 0.98)
  assert.ok(likeness(original, await grayOf(blurred)) < likeness(original, slightly))
  assert.ok(likeness(original, inverted) < 0.5)
  assert.equal(likeness(original, await grayOf(await photo(10, 10).png().toBuffer())), 0)
})
