import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkEngines } from '../check.ts'
import { options } from '../option.ts'
import { resolve } from '../resolve.ts'
import * as image from './image.ts'

const { auto_orient, background_filled, compress_image_lossy, compress_quality, quality, ...named } = image
const set = options({ ...named, 'auto-orient': auto_orient, quality: quality(80) })

describe('the vocabulary of pictures', () => {
  it('is declared without a mistake', () => {
    const can = [{ does: 'convert', from: ['png'], to: ['jpg'], cost: 1, options: set, run: async () => [] }] as const
    assert.deepEqual(checkEngines([{ id: 'a', title: 'A', tools: [], can }]), [])
  })

  it('takes what existing clients send', () => {
    const { issues, ignored, applied } = resolve(set, {
      resize_type_image: 'dimension',
      image_custom_width: '320',
      background: '#FFFFFF',
      strip: 'true',
      'auto-orient': true,
      jpg_convert_compress_method: 'quality',
      jpg_convert_compression_level: '75',
      png_compression_level: 'lossy',
      png_convert_quality: 60,
    })
    assert.deepEqual([issues, ignored], [[], []])
    assert.equal(applied.image_custom_width, 320)
    assert.equal(applied.background, '#ffffff')
  })

  it('takes a width alone, and refuses it where the size shall be kept', () => {
    assert.deepEqual(resolve(set, { image_custom_width: 320 }).issues, [])
    assert.deepEqual(
      resolve(set, { image_custom_width: 320, resize_type_image: 'keep_original' }).issues.map((i) => i.path),
      ['image_custom_width'],
    )
  })

  it('takes places in pixels or percent', () => {
    const { values, issues } = resolve(set, { x: '10%', y: 5, width: '100px', aspect_ratio: '16:9' })
    assert.deepEqual(issues, [])
    assert.deepEqual(
      [values.x, values.y, values.width],
      [
        { amount: 10, unit: '%' },
        { amount: 5, unit: 'px' },
        { amount: 100, unit: 'px' },
      ],
    )
    assert.equal(resolve(set, { aspect_ratio: '16:0' }).issues.length, 1)
  })
})
