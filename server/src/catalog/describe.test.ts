import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeOptions } from './describe.ts'
import { option, options } from './option.ts'

describe('describeOptions', () => {
  it('describes the example of the specification', () => {
    const set = options({
      strip: option.boolean({ hint: 'Strips profiles, EXIF and comments to reduce size.', default: true }),
      pdf_page_size: option.choice({ 'same-as-image': 'Same as image', '1240.2x1753.95': 'A4' }, { hint: '' }),
      enlarge_images_to_fit: option.boolean({ hint: '', default: true, needs: { pdf_page_size: ['1240.2x1753.95'] } }),
    })
    assert.deepEqual(describeOptions(set), [
      {
        name: 'strip',
        label: 'Strip',
        hint: 'Strips profiles, EXIF and comments to reduce size.',
        data_type: 'boolean',
        default_value: 'true',
        type: 'boolean',
        conditions: [],
      },
      {
        name: 'pdf_page_size',
        label: 'Pdf page size',
        hint: '',
        data_type: 'string',
        default_value: '',
        type: 'enum',
        enum_values: [
          { value: 'same-as-image', label: 'Same as image', hint: 'Same as image' },
          { value: '1240.2x1753.95', label: 'A4', hint: 'A4' },
        ],
        conditions: [],
      },
      {
        name: 'enlarge_images_to_fit',
        label: 'Enlarge images to fit',
        hint: '',
        data_type: 'boolean',
        default_value: 'true',
        type: 'boolean',
        conditions: [{ name: 'pdf_page_size', required: true, meta: [{ value: '1240.2x1753.95', label: 'A4' }] }],
      },
    ])
  })

  it('tells bounds, units, optional conditions, and defaults as text', () => {
    const [quality, cut] = describeOptions(
      options({
        lossless: option.boolean({ hint: '', more: true }),
        quality: option.integer({
          hint: 'Q',
          label: 'Quality',
          default: 80,
          min: 1,
          max: 100,
          units: '%',
          agrees: { lossless: [false] },
        }),
        cut_start: option.time({ hint: '', default: 90.5 }),
      }),
    )
    assert.deepEqual(quality, {
      name: 'quality',
      label: 'Quality',
      hint: 'Q',
      data_type: 'integer',
      default_value: '80',
      type: 'integer',
      conditions: [{ name: 'lossless', required: false, meta: [{ value: 'false', label: 'false' }] }],
      units: '%',
      min: 1,
      max: 100,
    })
    assert.deepEqual([cut?.data_type, cut?.type, cut?.default_value], ['string', 'time', '00:01:30.5'])
  })

  it('tells the bounds of a size in its unit', () => {
    const [limit] = describeOptions(
      options({ limit: option.size({ hint: '', unit: 'KB', min: 1000, max: 5_000_000 }) }),
    )
    assert.deepEqual([limit?.units, limit?.min, limit?.max], ['KB', 1, 5000])
  })

  it('says which options need two inputs', () => {
    const set = options({ a: option.boolean({ hint: '', joins: ['mp3'] }), b: option.boolean({ hint: '' }) })
    assert.deepEqual(
      describeOptions(set).map(({ inputs }) => inputs),
      [2, undefined],
    )
  })

  it('puts what belongs to the top of a form first', () => {
    const set = options({
      a: option.boolean({ hint: '', more: true }),
      b: option.boolean({ hint: '' }),
      c: option.boolean({ hint: '', more: true }),
      d: option.boolean({ hint: '' }),
    })
    assert.deepEqual(
      describeOptions(set).map((o) => o.name),
      ['b', 'd', 'a', 'c'],
    )
  })
})
