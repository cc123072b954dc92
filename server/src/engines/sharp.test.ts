import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { bench } from '../../test/support/bench.ts'
import { animation, CORNERS, colourAt, corners, near, photo } from '../../test/support/samples.ts'
import { checkEngines } from '../catalog/check.ts'
import type { Ext } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
import { engines } from './index.ts'
import { grayOf, likeness } from './sharp/likeness.ts'
import { sharp } from './sharp.ts'

const table = await bench(sharp)
const { make } = table

const one = async (...asked: Parameters<typeof make>): Promise<Buffer> => {
  const { files } = await make(...asked)
  assert.equal(files.length, 1)
  return files[0]!
}
const look = (bytes: Uint8Array) => sharpLibrary(bytes).metadata()
const sized = async (bytes: Uint8Array): Promise<[number, number]> => {
  const { width, height } = await look(bytes)
  return [width, height]
}
const failure = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error))
  assert.equal(error.errorCode, 'processing_failed')
  assert.match(error.message, words)
  assert.doesNotMatch(error.message, /vips|buffer|\/opt/i)
  return true
}

const png = await corners().png().toBuffer()
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="40" height="40" fill="red"/></svg>',
)
const moving = await animation('gif', ['#ff0000', '#00ff00', '#0000ff', '#ffff00'], [100, 200, 300, 400], 3)
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
const shown = await animation('webp', ['#ff0000', '#00ff00', '#0000ff', '#ffff00'], [100, 200, 300, 400])

/** Two gray pages, of 2 × 1 and of 3 × 1 pixels. */
function mixedTiff(): Buffer {
  const tag = (id: number, type: 3 | 4, value: number): number[] => [
    id & 255,
    id >> 8,
    type,
    0,
    1,
    0,
    0,
    0,
    value,
    0,
    0,
    0,
  ]
  const page = (width: number, pixelsAt: number, next: number): number[] => [
    ...[8, 0, ...tag(256, 3, width), ...tag(257, 3, 1), ...tag(258, 3, 8), ...tag(259, 3, 1), ...tag(262, 3, 1)],
    ...[...tag(273, 4, pixelsAt), ...tag(277, 3, 1), ...tag(279, 4, width), next, 0, 0, 0],
  ]
  return Buffer.from([
    ...Buffer.from('II'),
    42,
    0,
    16,
    0,
    0,
    0,
    1,
    2,
    3,
    4,
    5,
    0,
    0,
    0,
    ...page(2, 8, 118),
    ...page(3, 10, 0),
  ])
}

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

describe('the size of the file', () => {
  const sizes = async (from: Ext, bytes: Buffer, to: Ext, name: string, values: unknown[]): Promise<number[]> => {
    const made: number[] = []
    for (const value of values) made.push((await one('convert', { ext: from, bytes }, to, { [name]: value })).length)
    return made
  }
  const falling = (numbers: number[]): void => {
    const sorted = [...new Set(numbers)].sort((a, b) => b - a)
    assert.deepEqual(numbers, sorted)
  }

  it('falls with the quality, whatever its name', async () => {
    const bytes = await photo().png().toBuffer()
    falling(await sizes('png', bytes, 'jpg', 'quality', [95, 70, 30]))
    falling(await sizes('png', bytes, 'jpg', 'jpg_convert_compression_level', [95, 70, 30]))
    falling(await sizes('png', bytes, 'webp', 'quality', [95, 70, 30]))
    falling(await sizes('png', bytes, 'avif', 'quality', [90, 60, 30]))
    falling(await sizes('png', bytes, 'png', 'png_compression_level', ['lossless', 'light', 'lossy']))
    falling(await sizes('png', bytes, 'png', 'png_convert_quality', [95, 80, 60, 40, 25, 15, 5]))
    falling(await sizes('png', bytes, 'gif', 'gif_colors', [256, 16, 4, 2]))
    falling(await sizes('png', bytes, 'tiff', 'tiff_compression', ['none', 'lzw', 'jpeg']))
  })

  it('is what lossless costs, and then no pixel differs', async () => {
    const bytes = await photo(64, 64).png().toBuffer()
    const pixels = await sharpLibrary(bytes).removeAlpha().raw().toBuffer()
    for (const [to, given] of [
      ['webp', { webp_lossless: true }],
      ['png', {}],
      ['tiff', {}],
    ] as const) {
      const made = await one('convert', { ext: 'png', bytes }, to, given)
      assert.ok((await sharpLibrary(made).removeAlpha().raw().toBuffer()).equals(pixels), to)
    }
  })

  it('does not change the way it is written: progressive, interlaced, colour detail', async () => {
    const jpeg = await one('convert', { ext: 'png', bytes: png }, 'jpg', {
      jpg_progressive: true,
      jpg_chroma_subsampling: '4:4:4',
    })
    assert.deepEqual([(await look(jpeg)).isProgressive, (await look(jpeg)).chromaSubsampling], [true, '4:4:4'])
    assert.equal(
      (await look(await one('convert', { ext: 'png', bytes: png }, 'png', { png_interlace: true }))).isProgressive,
      true,
    )
  })
})

describe('frames and pages', () => {
  it('keep moving between GIF and WebP, resized, with their times', async () => {
    for (const [from, bytes, to] of [
      ['gif', moving, 'webp'],
      ['webp', shown, 'gif'],
      ['gif', moving, 'gif'],
    ] as const) {
      const made = await look(await one('convert', { ext: from, bytes }, to, { image_custom_width: 20 }))
      assert.deepEqual([made.pages, made.width, made.height], [4, 20, 15])
      assert.deepEqual(made.delay, [100, 200, 300, 400])
    }
    assert.equal((await look(await one('convert', { ext: 'gif', bytes: moving }, 'webp'))).loop, 3)
  })

  it('are turned one by one', async () => {
    const made = await one('convert', { ext: 'gif', bytes: moving }, 'webp', {
      image_rotate: 90,
      image_flip: 'vertical',
    })
    assert.deepEqual([(await look(made)).pages, ...(await sized(made))], [4, 30, 40])
    assert.ok(near(await colourAt(made, 0.5, 0.5, 0), '#ff0000'))
    assert.ok(near(await colourAt(made, 0.5, 0.5, 3), '#ffff00'))
    assert.deepEqual((await look(made)).delay, [100, 200, 300, 400])
  })

  it('can be given other times', async () => {
    const made = await look(
      await one('convert', { ext: 'gif', bytes: moving }, 'gif', { animation_delay: 50, animation_loop: 2 }),
    )
    assert.deepEqual([made.delay, made.loop], [[50, 50, 50, 50], 2])
  })

  it('are the first one in a still format, or the one asked for', async () => {
    assert.ok(near(await colourAt(await one('convert', { ext: 'gif', bytes: moving }, 'png'), 0.5, 0.5), '#ff0000'))
    const third = await one('convert', { ext: 'gif', bytes: moving }, 'png', { page: 3 })
    assert.ok(near(await colourAt(third, 0.5, 0.5), '#0000ff'))
    const still = await look(await one('convert', { ext: 'gif', bytes: moving }, 'webp', { page: 2 }))
    assert.equal(still.pages ?? 1, 1)
    await assert.rejects(make('convert', { ext: 'gif', bytes: moving }, 'png', { page: 9 }), failure(/4 pages/))
  })

  it('of a TIFF stay together in a TIFF', async () => {
    const raw = { width: 10, height: 20, channels: 3, pageHeight: 10 } as const
    const pages = await sharpLibrary(Buffer.alloc(600, 7), { raw }).tiff().toBuffer()
    assert.equal((await look(pages)).pages, 2)
    assert.equal((await look(await one('convert', { ext: 'tiff', bytes: pages }, 'tiff'))).pages, 2)
    assert.deepEqual(await sized(await one('convert', { ext: 'tiff', bytes: pages }, 'png', { page: 2 })), [10, 10])
  })

  it('of different sizes in a TIFF are refused together and taken one by one', async () => {
    const bytes = mixedTiff()
    await assert.rejects(
      make('compress', { ext: 'tiff', bytes }, 'tiff'),
      failure(/pages of sample\.tiff differ .* option page/),
    )
    assert.deepEqual(await sized(await one('compress', { ext: 'tiff', bytes }, 'tiff', { page: 2 })), [3, 1])
  })

  it('can be trimmed by time', async () => {
    const frames = async (given: Record<string, unknown>) =>
      (await look(await one('trim', { ext: 'gif', bytes: moving }, 'gif', given))).delay
    assert.deepEqual(await frames({ start: 0.1, end: '00:00:00.6' }), [200, 300])
    assert.deepEqual(await frames({ start: 0.35 }), [300, 400])
    assert.deepEqual(await frames({ duration: 0.3 }), [100, 200])
    await assert.rejects(make('trim', { ext: 'gif', bytes: moving }, 'gif', { start: 5 }), failure(/lasts 1 seconds?/))
    const still = await animation('gif', ['#ff0000'], [100])
    await assert.rejects(make('trim', { ext: 'gif', bytes: still }, 'gif', { start: 0.1 }), failure(/still picture/))
  })

  for (const ext of ['gif', 'webp'] as const)
    it(`keeps several parts of a ${ext}, joined in the order in which they are named`, async () => {
      const bytes = await animation(ext, ['#ff0000', '#00ff00', '#0000ff'], [100, 200, 300])
      const made = await one('trim', { ext, bytes }, ext, { ranges: '0.3-, 0-0.1,0.1-0.6' })
      assert.deepEqual((await look(made)).delay, [300, 100, 200, 300])
      for (const [frame, colour] of ['#0000ff', '#ff0000', '#00ff00', '#0000ff'].entries())
        assert.ok(near(await colourAt(made, 0.5, 0.5, frame), colour), `frame ${frame}`)
      await assert.rejects(make('trim', { ext, bytes }, ext, { ranges: '0-0.1,5-6' }), failure(/lasts 0.6 seconds/))
    })

  it('are made of several pictures', async () => {
    const tall = await corners(40, 80).png().toBuffer()
    const { files: made, percents } = await make(
      'merge',
      [
        { ext: 'png', bytes: png },
        { ext: 'png', bytes: tall },
        { ext: 'gif', bytes: moving },
      ],
      'gif',
      { animation_delay: 500, animation_loop: 1, image_custom_width: 40 },
    )
    const { pages, delay, loop, width, height } = await look(made[0]!)
    assert.deepEqual([pages, width, height, loop], [6, 40, 20, 1])
    assert.deepEqual(delay, [500, 500, 100, 200, 300, 400])
    assert.ok(near(await colourAt(made[0]!, 0.1, 0.1, 0), CORNERS.topLeft))
    assert.ok(near(await colourAt(made[0]!, 0.45, 0.1, 1), CORNERS.topLeft))
    assert.ok(percents.length > 0)
  })
})

describe('cropping', () => {
  const crop = (given: Record<string, unknown>, bytes = png): Promise<Buffer> =>
    one('crop', { ext: 'png', bytes }, 'png', given)

  it('takes the part that was asked for', async () => {
    const made = await crop({ x: 40, y: 20, width: 30, height: 15 })
    assert.deepEqual(await sized(made), [30, 15])
    assert.equal(await colourAt(made, 0.5, 0.5), CORNERS.bottomRight)
    const share = await crop({ x: '50%', y: '0%', width: '50%', height: '50%' })
    assert.deepEqual([await sized(share), await colourAt(share, 0.5, 0.5)], [[40, 20], CORNERS.topRight])
  })

  it('takes the biggest part of a ratio, where it is wanted', async () => {
    assert.deepEqual(await sized(await crop({ aspect_ratio: '1:1' })), [40, 40])
    const left = await crop({ aspect_ratio: '1:1', gravity: 'left' })
    assert.equal(await colourAt(left, 0.9, 0.1), CORNERS.topLeft)
  })

  it('counts from the picture as it is shown', async () => {
    const held = await corners().withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer()
    const made = await one('crop', { ext: 'jpg', bytes: held }, 'jpg', { x: 0, y: 0, width: 20, height: 40 })
    assert.deepEqual(await sized(made), [20, 40])
    assert.ok(near(await colourAt(made, 0.5, 0.5), CORNERS.bottomLeft))
  })

  it('crops every frame', async () => {
    const made = await look(
      await one('crop', { ext: 'gif', bytes: moving }, 'gif', { x: 5, y: 5, width: 20, height: 10 }),
    )
    assert.deepEqual([made.pages, made.width, made.height], [4, 20, 10])
  })

  it('says how big the picture is when the part lies outside', async () => {
    await assert.rejects(crop({ x: 70, y: 0, width: 30, height: 10 }), failure(/sample\.png, which is 80 × 40 pixels/))
  })
})

describe('compressing', () => {
  it('makes a photograph smaller in every format', async () => {
    for (const [ext, bytes] of [
      ['jpg', await photo().jpeg({ quality: 95 }).toBuffer()],
      ['png', await photo().png({ compressionLevel: 1 }).toBuffer()],
      ['webp', await photo().webp({ quality: 95 }).toBuffer()],
      ['avif', await photo(160, 120).avif({ quality: 90, effort: 0 }).toBuffer()],
      ['tiff', await photo().tiff({ compression: 'none' }).toBuffer()],
      ['gif', await photo().gif({ effort: 1 }).toBuffer()],
    ] as const) {
      const { files: made, told } = await make('compress', { ext, bytes }, ext)
      assert.ok(made[0]!.length < bytes.length, ext)
      assert.deepEqual([told.unchanged, await sized(made[0]!)], [undefined, await sized(bytes)])
    }
  })

  it('gives the file back as it is when nothing smaller comes of it', async () => {
    const bytes = await photo().jpeg({ quality: 10, mozjpeg: true }).toBuffer()
    const { files: made, told } = await make('compress', { ext: 'jpg', bytes }, 'jpg', { quality: 90 })
    assert.ok(made[0]!.equals(bytes))
    assert.equal(told.unchanged, true)
  })

  it('reaches a size in every format', async () => {
    for (const [ext, bytes, wanted] of [
      ['jpg', await photo().jpeg({ quality: 95 }).toBuffer(), 9],
      ['png', await photo().png().toBuffer(), 40],
      ['webp', await photo().webp({ quality: 95 }).toBuffer(), 6],
      ['avif', await photo(160, 120).avif({ quality: 90, effort: 0 }).toBuffer(), 2],
      ['tiff', await photo().tiff({ compression: 'none' }).toBuffer(), 14],
      ['gif', await photo().gif({ effort: 1 }).toBuffer(), 40],
    ] as const) {
      const { files: made } = await make('compress', { ext, bytes }, ext, { compress_max_filesize: `${wanted}KB` })
      assert.ok(made[0]!.length <= wanted * 1000, `${ext} ${made[0]!.length}`)
      assert.ok(made[0]!.length > wanted * 150, `${ext} ${made[0]!.length}: needlessly small`)
      assert.deepEqual(await sized(made[0]!), await sized(bytes))
    }
  })

  it('says the smallest size when one cannot be reached, and shrinks the picture when it may', async () => {
    const bytes = await photo(640, 480).jpeg().toBuffer()
    const given = { compress_image: 'by_size', compress_max_filesize: '0.8KB' }
    const refused = make('compress', { ext: 'jpg', bytes }, 'jpg', given)
    const told = await refused.then(
      () => assert.fail('it was made'),
      (error: Error) => /as small as 0\.8 KB; the smallest reachable size is ([\d.]+) KB/.exec(error.message)?.[1],
    )
    const reached = await one('compress', { ext: 'jpg', bytes }, 'jpg', { compress_max_filesize: `${told}KB` })
    assert.ok(reached.length <= Number(told) * 1000)
    const { files: made, told: news } = await make('compress', { ext: 'jpg', bytes }, 'jpg', {
      ...given,
      compress_allow_resize: true,
    })
    assert.ok(made[0]!.length <= 800)
    assert.equal(news.dimensions, (await sized(made[0]!)).join('x'))
  })

  it('finds the smallest that looks like the original', async () => {
    for (const [ext, bytes] of [
      ['jpg', await photo().jpeg({ quality: 95 }).toBuffer()],
      ['webp', await photo().webp({ quality: 95 }).toBuffer()],
      ['avif', await photo(160, 120).avif({ quality: 90, effort: 0 }).toBuffer()],
    ] as const) {
      const made = (compress_perceptual: number) => make('compress', { ext, bytes }, ext, { compress_perceptual })
      const [like, rough] = [await made(0.97), await made(0.8)]
      assert.ok(rough.files[0]!.length < like.files[0]!.length, ext)
      assert.ok(Number(rough.told.quality) < Number(like.told.quality), ext)
      const original = await grayOf(bytes)
      assert.ok(likeness(original, await grayOf(like.files[0]!)) >= 0.97, ext)
      assert.ok(likeness(original, await grayOf(rough.files[0]!)) >= 0.8, ext)
    }
    const { told } = await make('compress', { ext: 'webp', bytes: shown }, 'webp', { compress_perceptual: 0.6 })
    assert.ok(told.unchanged === true || Number(told.quality) < 95)
  })

  it('loses nothing when told so', async () => {
    for (const ext of ['png', 'webp', 'tiff'] as const) {
      const bytes = await photo(64, 64)
        [ext](ext === 'webp' ? { lossless: true, effort: 0 } : {})
        .toBuffer()
      const made = await one('compress', { ext, bytes }, ext, { compress_image: 'lossless' })
      const pixels = (of: Buffer) => sharpLibrary(of).removeAlpha().raw().toBuffer()
      assert.ok((await pixels(made)).equals(await pixels(bytes)), ext)
    }
  })
})

describe('pages, each a file of its own', () => {
  it('come in their order', async () => {
    const { files } = await make('convert', { ext: 'gif', bytes: moving }, 'png', { image_pages: 'separate' })
    assert.equal(files.length, 4)
    const colours = await Promise.all(files.map((file) => colourAt(file, 0.5, 0.5)))
    assert.equal(new Set(colours).size, 4)
  })

  it('do not go with one page', () =>
    assert.rejects(make('convert', { ext: 'gif', bytes: moving }, 'png', { image_pages: 'separate', page: 2 })))
})

describe('what gets no smaller', () => {
  it('still loses what it tells', async () => {
    for (const [ext, picture] of [
      [
        'jpg',
        corners()
          .withExif({ IFD0: { Copyright: 'Secret' } })
          .jpeg({ quality: 1, mozjpeg: true }),
      ],
      [
        'webp',
        corners()
          .withExif({ IFD0: { Copyright: 'Secret' } })
          .webp({ quality: 1, effort: 6 }),
      ],
    ] as const) {
      const bytes = await picture.toBuffer()
      const { files } = await make('compress', { ext, bytes }, ext, { quality: 100 })
      assert.ok(files[0]!.length < bytes.length && !files[0]!.includes('Secret'), ext)
      const kept = await make('compress', { ext, bytes }, ext, { quality: 100, strip: false })
      assert.ok(kept.files[0]!.equals(bytes) && kept.told.unchanged === true, ext)
    }
  })
})
