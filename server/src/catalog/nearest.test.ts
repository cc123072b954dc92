import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { distance, nearest } from './nearest.ts'

describe('distance', () => {
  it('counts a swap of neighbours once', () => {
    assert.equal(distance('qualtiy', 'quality'), 1)
    assert.equal(distance('qualit', 'quality'), 1)
    assert.equal(distance('', 'abc'), 3)
  })

  it('is symmetric, zero only for the same word, and never more than the longer one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const d = distance(a, b)
        assert.equal(d, distance(b, a))
        assert.equal(d === 0, a === b)
        assert.ok(d <= Math.max(a.length, b.length))
      }),
    )
  })
})

describe('nearest', () => {
  const names = ['quality', 'image_custom_width', 'image_custom_height', 'auto-orient', 'strip']

  it('finds the name that was meant', () => {
    assert.equal(nearest('qualty', names), 'quality')
    assert.equal(nearest('imageCustomWidth', names), 'image_custom_width')
    assert.equal(nearest('auto_orient', names), 'auto-orient')
  })

  it('says nothing when nothing is near', () => {
    assert.equal(nearest('bitrate', names), null)
    assert.equal(nearest('x', []), null)
  })
})
