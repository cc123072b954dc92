import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { animation, CORNERS, colourAt, corners, near } from '../../test/support/samples.ts'
import { look, moving, png, sharpTable, sized } from '../../test/support/sharp-table.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { engines } from './index.ts'
import { sharp } from './sharp.ts'

const { table, one } = await sharpTable()

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="40" height="40" fill="red"/></svg>',
)
const files = {
  png,
  svg,
  svgz: gzipSync(svg),
  gif: moving,
  jpg: await corners().jpeg().toBuffer(),
  webp: await animation('webp', ['#ff0000', '#00ff00'], [100, 200]),
  avif: await corners().avif({ effort: 0 }).toBuffer(),
  tiff: await corners().tiff().toBuffer(),
}
const FORMAT: Partial<Record<Ext, string>> = { jpg: 'jpeg', avif: 'heif' }

engineContract(sharp, table, {
  files,
  options: { crop: { width: 20, height: 10 } },
  async opens(bytes, ext) {
    const { format, width, height } = await look(bytes)
    assert.equal(format, FORMAT[ext] ?? ext)
    assert.ok(width > 0 && height > 0)
    await sharpLibrary(bytes, { failOn: 'warning' }).stats()
  },
})

it('the declarations hold together', () => assert.deepEqual([...checkEngines(engines)], []))

describe('resizing', () => {
  const cases: [string, Record<string, unknown>, [number, number]][] = [
    ['by width alone keeps the proportions', { image_custom_width: 40 }, [40, 20]],
    ['by height alone keeps the proportions', { image_custom_height: 10 }, [20, 10]],
    ['into a box keeps the proportions', { image_custom_width: 40, image_custom_height: 40 }, [40, 20]],
    [
      'fills a box by cropping',
      { image_custom_width: 30, image_custom_height: 30, image_resize_fit: 'crop' },
      [30, 30],
    ],
    ['fills a box by padding', { image_custom_width: 30, image_custom_height: 30, image_resize_fit: 'pad' }, [30, 30]],
    [
      'fills a box by stretching',
      { image_custom_width: 30, image_custom_height: 30, image_resize_fit: 'stretch' },
      [30, 30],
    ],
    ['by the longest side', { image_longest_side: 20 }, [20, 10]],
    ['by percentage', { image_resize_percentage: '50' }, [40, 20]],
    ['by percentage after a quarter turn', { image_resize_percentage: 50, image_rotate: 90 }, [20, 40]],
    ['enlarges', { image_custom_width: 160 }, [160, 80]],
    ['does not enlarge when told not to', { image_custom_width: 160, image_resize_enlarge: false }, [80, 40]],
    ['is not done when the original is to be kept', { resize_type_image: 'keep_original' }, [80, 40]],
  ]
  for (const [what, given, expected] of cases) {
    it(what, async () => {
      for (const to of ['jpg', 'png'] as const)
        assert.deepEqual(await sized(await one('convert', { ext: 'png', bytes: png }, to, given)), expected)
    })
  }

  it('of a drawing renders it at that size', async () => {
    const big = await one('convert', { ext: 'svg', bytes: svg }, 'png', { image_custom_width: 800 })
    assert.deepEqual(await sized(big), [800, 400])
    assert.equal(await colourAt(big, 0.499, 0.5), '#ff0000')
    assert.deepEqual(
      await sized(await one('convert', { ext: 'svg', bytes: svg }, 'png', { svg_density: 192 })),
      [160, 80],
    )
  })
})

describe('what is carried over', () => {
  const tagged = (orientation: number): Promise<Buffer> =>
    corners()
      .withExif({ IFD0: { Copyright: 'me' } })
      .withMetadata({ orientation })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer()

  it('is no metadata by default, and all of it when not stripped', async () => {
    const bytes = await tagged(1)
    for (const to of ['jpg', 'png', 'webp', 'avif'] as const) {
      const stripped = await look(await one('convert', { ext: 'jpg', bytes }, to))
      assert.equal(stripped.exif, undefined, to)
      assert.equal(stripped.icc, undefined, to)
      const kept = await look(await one('convert', { ext: 'jpg', bytes }, to, { strip: false }))
      assert.ok(kept.exif?.includes('me'), to)
    }
  })

  it('turns the picture as the camera was held, unless told not to', async () => {
    const bytes = await tagged(6)
    const turned = await one('convert', { ext: 'jpg', bytes }, 'png')
    assert.deepEqual(await sized(turned), [40, 80])
    assert.ok(near(await colourAt(turned, 0.1, 0.1), CORNERS.bottomLeft))
    const left = await one('convert', { ext: 'jpg', bytes }, 'png', { 'auto-orient': 'false' })
    assert.deepEqual(await sized(left), [80, 40])
    const kept = await one('convert', { ext: 'jpg', bytes }, 'jpg', { strip: false })
    assert.deepEqual([await sized(kept), (await look(kept)).orientation ?? 1], [[40, 80], 1])
  })

  it('are true colours: a profile is converted to sRGB before it is dropped', async () => {
    const wide = await sharpLibrary({ create: { width: 8, height: 8, channels: 3, background: '#00ff00' } })
      .withIccProfile('p3')
      .png()
      .toBuffer()
    assert.ok((await look(wide)).icc)
    const plain = await one('convert', { ext: 'png', bytes: wide }, 'png')
    assert.equal((await look(plain)).icc, undefined)
    assert.ok(near(await colourAt(plain, 0.5, 0.5), '#00ff00', 6))
  })

  it('are 16 bits where the format holds them', async () => {
    const deep = await corners().toColourspace('rgb16').png().toBuffer()
    assert.equal((await look(await one('convert', { ext: 'png', bytes: deep }, 'tiff'))).depth, 'ushort')
    assert.equal((await look(await one('convert', { ext: 'png', bytes: deep }, 'jpg'))).depth, 'uchar')
    const gray = await one('convert', { ext: 'png', bytes: deep }, 'png', { image_contrast: 0 })
    assert.ok(near(await colourAt(gray, 0.1, 0.1), '#808080', 2))
  })

  it('reads printing colours', async () => {
    const cmyk = await corners().toColourspace('cmyk').jpeg().toBuffer()
    for (const strip of [true, false]) {
      const made = await one('convert', { ext: 'jpg', bytes: cmyk }, 'png', { strip })
      assert.equal((await look(made)).space, 'srgb')
      assert.ok(near(await colourAt(made, 0.1, 0.1), CORNERS.topLeft, 60))
    }
  })
})

describe('colours and figures', () => {
  const icc = async (bytes: Buffer): Promise<string> =>
    (await look(bytes)).icc?.toString('latin1').replaceAll('\0', '') ?? ''

  it('are those of the space asked for', async () => {
    for (const to of ['jpg', 'png', 'webp', 'avif', 'tiff'] as const) {
      const wide = await one('convert', { ext: 'png', bytes: png }, to, { image_colorspace: 'p3' })
      assert.match(await icc(wide), /sP3C/, to)
      const gray = await look(await one('convert', { ext: 'png', bytes: png }, to, { image_colorspace: 'gray' }))
      if (to !== 'webp' && to !== 'avif') assert.equal(gray.space, 'b-w', to)
    }
    for (const to of ['jpg', 'tiff'] as const) {
      const printed = await one('convert', { ext: 'png', bytes: png }, to, { image_colorspace: 'cmyk' })
      assert.deepEqual([(await look(printed)).space, (await look(printed)).channels], ['cmyk', 4])
      assert.ok(near(await colourAt(printed, 0.1, 0.1), CORNERS.topLeft, 60))
    }
  })

  it('have the bits asked for', async () => {
    for (const to of ['png', 'tiff'] as const) {
      assert.equal(
        (await look(await one('convert', { ext: 'png', bytes: png }, to, { image_bit_depth: 16 }))).depth,
        'ushort',
      )
      const deep = await corners().toColourspace('rgb16').png().toBuffer()
      assert.equal(
        (await look(await one('convert', { ext: 'png', bytes: deep }, to, { image_bit_depth: 8 }))).depth,
        'uchar',
      )
    }
    const avif = await one('convert', { ext: 'png', bytes: png }, 'avif', { image_bit_depth: '10' })
    assert.equal((await look(avif)).bitsPerSample, 10)
  })

  it('tell the resolution asked for, and nothing else when stripped', async () => {
    const bytes = await corners()
      .withExif({ IFD0: { Copyright: 'me' } })
      .jpeg()
      .toBuffer()
    for (const to of ['jpg', 'png', 'tiff'] as const) {
      const made = await look(await one('convert', { ext: 'jpg', bytes }, to, { image_dpi: 200 }))
      assert.equal(made.density, 200)
      assert.ok(!made.exif?.includes('me'))
    }
    const kept = await look(await one('convert', { ext: 'jpg', bytes }, 'jpg', { image_dpi: 200, strip: false }))
    assert.deepEqual([kept.density, kept.exif?.includes('me')], [200, true])
  })
})

describe('transparency', () => {
  const clear = sharpLibrary({ create: { width: 20, height: 20, channels: 4, background: '#00000000' } }).png()

  it('becomes white in a JPEG, or the background', async () => {
    const bytes = await clear.toBuffer()
    assert.ok(near(await colourAt(await one('convert', { ext: 'png', bytes }, 'jpg'), 0.5, 0.5), '#ffffff', 2))
    const orange = await one('convert', { ext: 'png', bytes }, 'jpg', { background: '#FF9900' })
    assert.ok(near(await colourAt(orange, 0.5, 0.5), '#ff9900', 6))
  })

  it('is kept where it can be, and filled when a background is given', async () => {
    const bytes = await clear.toBuffer()
    for (const to of ['webp', 'avif', 'gif', 'tiff', 'png'] as const) {
      assert.equal((await sharpLibrary(await one('convert', { ext: 'png', bytes }, to)).stats()).isOpaque, false, to)
      const filled = await one('convert', { ext: 'png', bytes }, to, { background: '#00ff00' })
      assert.equal((await sharpLibrary(filled).stats()).isOpaque, true, to)
    }
  })
})

describe('changes', () => {
  const at = async (given: Record<string, unknown>): Promise<string> =>
    colourAt(await one('convert', { ext: 'png', bytes: png }, 'png', given), 0.1, 0.1)

  it('turn and mirror', async () => {
    assert.equal(await at({ image_rotate: 90 }), CORNERS.bottomLeft)
    assert.equal(await at({ image_rotate: -90 }), CORNERS.topRight)
    assert.equal(await at({ image_rotate: 180, image_custom_width: 40 }), CORNERS.bottomRight)
    assert.equal(await at({ image_flip: 'horizontal' }), CORNERS.topRight)
    assert.equal(await at({ image_flip: 'vertical' }), CORNERS.bottomLeft)
    assert.equal(await at({ image_flip: 'both' }), CORNERS.bottomRight)
  })

  it('take colours away or invert them', async () => {
    const gray = await one('convert', { ext: 'png', bytes: png }, 'png', { image_grayscale: true })
    assert.equal((await look(gray)).channels, 1)
    assert.equal(await at({ image_negate: true }), '#00ffff')
    const dull = await at({ image_saturation: 0 })
    assert.equal(dull.slice(1, 3), dull.slice(3, 5))
    assert.ok(near(await at({ image_brightness: 0 }), '#000000', 12))
    assert.ok(near(await at({ image_contrast: 0 }), '#808080', 2))
  })

  it('blur and sharpen', async () => {
    const spread = async (given: Record<string, unknown>): Promise<number> =>
      (await sharpLibrary(await one('convert', { ext: 'png', bytes: png }, 'png', given)).stats()).sharpness
    const plain = await spread({})
    assert.ok((await spread({ image_blur: 5 })) < plain)
    const soft = await corners().blur(3).png().toBuffer()
    const sharper = await one('convert', { ext: 'png', bytes: soft }, 'png', { image_sharpen: 3 })
    assert.ok((await sharpLibrary(sharper).stats()).sharpness > (await sharpLibrary(soft).stats()).sharpness)
  })
})

describe('an AVIF', () => {
  const noisy = (width: number, height: number) =>
    sharpLibrary({
      create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 9 } },
    })
      .png()
      .toBuffer()

  async function inThreads(count: number, file: Buffer): Promise<Buffer> {
    const before = sharpLibrary.concurrency()
    sharpLibrary.concurrency(count)
    const bytes = await sharpLibrary(file).avif({ quality: 60, effort: 1 }).toBuffer()
    sharpLibrary.concurrency(before)
    return bytes
  }

  it('is made by two threads where it is large, and by one where it is small', async () => {
    for (const [width, height, threads] of [
      [1000, 700, 2],
      [400, 300, 1],
    ] as const) {
      const file = await noisy(width, height)
      const [made, divided, whole] = [
        await one('convert', { ext: 'png', bytes: file }, 'avif'),
        await inThreads(2, file),
        await inThreads(1, file),
      ]
      assert.ok(!divided.equals(whole), 'threads leave no trace in this picture')
      assert.ok(made.equals(threads === 2 ? divided : whole), `${width} × ${height}`)
    }
  })
})
