import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resolve } from '../../catalog/resolve.ts'
import { compressOptions, ladder, wayOf } from './compress-ways.ts'

const wish = (given: Record<string, unknown>) => {
  const { values, issues } = resolve(compressOptions, given)
  assert.deepEqual(issues, [])
  return values
}

describe('ways to pack a PDF', () => {
  it('are as the profile says, or without loss', () => {
    assert.equal(wayOf(wish({}))?.profile, 'ebook')
    assert.equal(wayOf(wish({ pdf_compress_profile: 'lossless' })), null)
    assert.equal(wayOf(wish({ pdf_compress_profile: 'lossless', pdf_grayscale: true }))?.gray, true)
  })

  it('to a size begin without loss and become ever smaller', () => {
    const [first, ...rest] = ladder(wish({}))
    assert.equal(first, null)
    const sizes = rest.map((way) => (way?.dpi ?? 0) * (way?.quality ?? 0))
    assert.deepEqual(
      sizes,
      [...new Set(sizes)].sort((a, b) => b - a),
    )
  })

  it('to a size never exceed what was asked of pictures', () => {
    const ways = ladder(wish({ pdf_image_dpi: 100, pdf_image_quality: 30 }))
    assert.ok(ways.every((way) => way === null || (way.dpi! <= 100 && way.quality! <= 30)))
    assert.deepEqual(ladder(wish({ pdf_compress_profile: 'lossless' })), [null])
  })
})
