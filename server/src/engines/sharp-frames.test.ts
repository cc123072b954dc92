/** Pictures of several frames or pages, and what is cut out of one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { animation, CORNERS, colourAt, corners, near } from '../../test/support/samples.ts'
import { failure, look, moving, png, sharpTable, shown, sized } from '../../test/support/sharp-table.ts'

const { make, one } = await sharpTable()

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
