import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TARGETS, type Target } from './encodings.ts'
import { cropBox, resized } from './geometry.ts'
import type { CropWish, Distance } from './plan.ts'
import { framesWithin } from './read.ts'
import { type Ask, compressPlan, convertPlan, cropPlan, mergePlan, type Source, trimPlan } from './settings.ts'
import type { Wishes } from './wishes.ts'

const ask = (from: Source, to: Target, wishes: Wishes = {}): Ask => ({
  from: [{ format: from, name: `in.${from}` }],
  to,
  wishes,
})
const px = (amount: number): Distance => ({ amount, unit: 'px' })
const share = (amount: number): Distance => ({ amount, unit: '%' })

describe('the plan of a conversion', () => {
  const encodings: [Target, Wishes, object][] = [
    ['jpg', {}, { quality: 85, progressive: false, chromaSubsampling: '4:2:0' }],
    ['jpg', { quality: 92 }, { quality: 92, progressive: false, chromaSubsampling: '4:4:4' }],
    [
      'jpg',
      { quality: 85, jpg_convert_compression_level: 40 },
      { quality: 40, progressive: false, chromaSubsampling: '4:2:0' },
    ],
    [
      'jpg',
      { quality: 70, jpg_convert_compress_method: 'no_change' },
      { quality: 70, progressive: false, chromaSubsampling: '4:2:0' },
    ],
    ['png', {}, { compressionLevel: 6, adaptiveFiltering: true, progressive: false, palette: false }],
    [
      'png',
      { png_compression_level: 'light' },
      { palette: true, effort: 4, compressionLevel: 9, progressive: false, colours: 256, dither: 1 },
    ],
    [
      'png',
      { png_convert_quality: 20 },
      { palette: true, effort: 4, compressionLevel: 9, progressive: false, colours: 16, dither: 0 },
    ],
    ['webp', { webp_lossless: true }, { quality: 80, lossless: true, effort: 4 }],
    ['avif', {}, { quality: 60, lossless: false, effort: 1, bitdepth: 8 }],
    ['gif', { gif_colors: '16', gif_dither: 50 }, { effort: 4, colours: 16, dither: 0.5, reuse: false }],
    ['tiff', {}, { compression: 'deflate', predictor: 'horizontal', quality: 85 }],
    ['tiff', { tiff_compression: 'jpeg', quality: 50 }, { compression: 'jpeg', predictor: 'none', quality: 50 }],
  ]
  for (const [to, wishes, expected] of encodings) {
    it(`writes ${to} as asked by ${JSON.stringify(wishes)}`, () =>
      assert.deepEqual(convertPlan(ask('png', to, wishes)).encode.with, expected))
  }

  it('takes all frames only where they stay frames', () => {
    const pages = (from: Source, to: Target, page?: number) => convertPlan(ask(from, to, { page })).page
    assert.deepEqual([pages('gif', 'webp'), pages('webp', 'gif'), pages('tiff', 'tiff')], ['all', 'all', 'all'])
    assert.deepEqual(
      [pages('gif', 'png'), pages('tiff', 'webp'), pages('gif', 'tiff'), pages('gif', 'gif', 3)],
      [0, 0, 0, 2],
    )
  })

  it('puts a background behind a JPEG always, behind others when given', () => {
    const behind = (to: Target, background?: string) => {
      const { flatten, background: colour } = convertPlan(ask('png', to, { background }))
      return [flatten, colour]
    }
    assert.deepEqual(behind('jpg'), [true, '#ffffff'])
    assert.deepEqual(behind('jpg', '#ff9900'), [true, '#ff9900'])
    assert.deepEqual(behind('png'), [false, '#00000000'])
    assert.deepEqual(behind('png', '#ff9900'), [true, '#ff9900'])
  })

  it('turns in one direction only', () => {
    const turn = (image_rotate: number) => convertPlan(ask('png', 'png', { image_rotate })).rotate
    assert.deepEqual([turn(-90), turn(360), turn(45.5)], [270, 0, 45.5])
  })

  it('renders a drawing at its own size by default', () => assert.equal(convertPlan(ask('svg', 'png')).density, 72))
})

describe('the plan of compressing', () => {
  it('lets the input stand only when the picture stays the same', () => {
    assert.equal(compressPlan(ask('jpg', 'jpg')).onlySmaller, true)
    assert.equal(compressPlan(ask('png', 'png')).onlySmaller, true)
    assert.equal(compressPlan(ask('png', 'png', { image_custom_width: 10 })).onlySmaller, false)
    assert.equal(compressPlan(ask('jpg', 'jpg', { image_grayscale: true })).onlySmaller, false)
  })

  it('has a ladder down to a size for every format', () => {
    for (const to of TARGETS) {
      const { reach } = compressPlan(ask(to, to, { compress_max_filesize: 5000 }))
      assert.equal(reach?.bytes, 5000)
      assert.ok((reach?.ladder.length ?? 0) > 4, to)
      assert.equal(compressPlan(ask(to, to)).reach, null)
    }
  })
})

describe('other plans', () => {
  it('crop by a ratio', () => {
    assert.deepEqual(cropPlan(ask('png', 'png', { aspect_ratio: '16:9', gravity: 'top' })).crop?.ratio, [16, 9])
  })
  it('trim to an end or by a duration', () => {
    assert.deepEqual(trimPlan(ask('gif', 'gif', { start: 1, end: 3 })).spans, [{ start: 1, end: 3 }])
    assert.deepEqual(trimPlan(ask('gif', 'gif', { start: 1, duration: 3 })).spans, [{ start: 1, end: 4 }])
    assert.deepEqual(trimPlan(ask('gif', 'gif', { start: 1 })).spans, [{ start: 1, end: null }])
    assert.deepEqual(trimPlan(ask('gif', 'gif', { ranges: '1:30-2:00.5, 0-' })).spans, [
      { start: 90, end: 120.5 },
      { start: 0, end: null },
    ])
    assert.throws(() => trimPlan(ask('gif', 'gif', { start: 1, ranges: '0-1' })), /cannot be given beside it/)
  })
  it('merge every frame', () => assert.equal(mergePlan(ask('png', 'gif')).page, 'all'))
})

describe('a crop', () => {
  const whole = { width: 200, height: 100 }
  const cases: [string, Omit<CropWish, 'gravity'> & Partial<CropWish>, [number, number, number, number] | null][] = [
    ['by pixels', { x: px(10), y: px(20), width: px(30), height: px(40) }, [10, 20, 30, 40]],
    ['by shares', { x: share(50), y: share(50), width: share(25), height: share(25) }, [100, 50, 50, 25]],
    ['to the edges when no size is given', { x: px(150), y: px(50) }, [150, 50, 50, 50]],
    ['in the middle when no place is given', { width: px(100), height: px(50) }, [50, 25, 100, 50]],
    ['in a corner', { width: px(100), height: px(50), gravity: 'bottom-right' }, [100, 50, 100, 50]],
    ['of a ratio', { ratio: [1, 1] }, [50, 0, 100, 100]],
    ['of a ratio from a corner', { ratio: [1, 1], x: px(150), y: px(0) }, [150, 0, 50, 50]],
    ['that is too wide', { x: px(150), width: px(51) }, null],
    ['that begins outside', { x: px(200) }, null],
    ['that is empty', { width: px(0) }, null],
  ]
  for (const [what, wish, expected] of cases) {
    it(what, () => {
      const box = cropBox(whole, { gravity: 'center', ...wish })
      assert.deepEqual(box && [box.left, box.top, box.width, box.height], expected)
    })
  }

  it('never lies outside the picture', () => {
    const side = fc.integer({ min: 1, max: 5000 })
    const distance = fc.record({
      amount: fc.integer({ min: 0, max: 6000 }),
      unit: fc.constantFrom('px' as const, '%' as const),
    })
    const wish = fc.record({ x: distance, y: distance, width: distance, height: distance }, { requiredKeys: [] })
    fc.assert(
      fc.property(side, side, wish, (width, height, asked) => {
        const box = cropBox({ width, height }, { gravity: 'center', ...asked })
        if (box)
          assert.ok(box.left >= 0 && box.top >= 0 && box.left + box.width <= width && box.top + box.height <= height)
      }),
    )
  })
})

describe('a resize', () => {
  it('keeps the proportions within a box', () => {
    const within = (width?: number, height?: number, enlarge = true) =>
      resized({ width: 400, height: 200 }, { width, height, fit: 'max', enlarge, gravity: 'center' })
    assert.deepEqual(within(100), { width: 100, height: 50 })
    assert.deepEqual(within(100, 20), { width: 40, height: 20 })
    assert.deepEqual(within(800), { width: 800, height: 400 })
    assert.deepEqual(within(800, undefined, false), { width: 400, height: 200 })
    assert.deepEqual(resized({ width: 3, height: 3 }, { percent: 1 }), { width: 1, height: 1 })
  })
})

describe('a span of frames', () => {
  it('holds every frame of which some part is shown', () => {
    const delay = [100, 200, 300]
    assert.deepEqual(framesWithin(delay, { start: 0, end: null }), [0, 3])
    assert.deepEqual(framesWithin(delay, { start: 0.1, end: 0.3 }), [1, 1])
    assert.deepEqual(framesWithin(delay, { start: 0.05, end: 0.11 }), [0, 2])
    assert.deepEqual(framesWithin(delay, { start: 9, end: null }), [0, 0])
  })
})
