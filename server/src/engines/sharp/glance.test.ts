import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { glance, type Seen } from './glance.ts'

const drawn = (channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width: 21, height: 13, channels, background: { r: 200, g: 80, b: 30, alpha: 0.5 } } })

const TILE = await drawn().png().toBuffer()

const PLAIN: Record<string, Sharp> = {
  'a colour jpeg': drawn().jpeg(),
  'a progressive jpeg': drawn().jpeg({ progressive: true }),
  'a gray jpeg': drawn().grayscale().jpeg(),
  'an optimised jpeg': drawn().jpeg({ mozjpeg: true }),
  'a colour png': drawn().png(),
  'a png with alpha': drawn(4).png(),
  'a gray png': drawn().toColourspace('b-w').png(),
  'a gray png with alpha': drawn(4).toColourspace('b-w').png(),
  'an interlaced png': drawn().png({ progressive: true }),
  'a deep png': drawn().toColourspace('rgb16').png(),
  'a deep gray png': drawn().toColourspace('grey16').png(),
  'a webp': drawn().webp(),
  'a lossless webp': drawn().webp({ lossless: true }),
  'a lossless webp with alpha': drawn(4).webp({ lossless: true }),
  'a tiff as it is': drawn().tiff({ compression: 'none' }),
  'a tiff of tiles': drawn().tiff({ compression: 'lzw', tile: true }),
  'a tiff with a predictor': drawn().tiff({ compression: 'deflate', predictor: 'horizontal' }),
  'a gray tiff': drawn().toColourspace('b-w').tiff({ compression: 'deflate' }),
  'a deep tiff': drawn().toColourspace('rgb16').tiff({ compression: 'deflate' }),
  'a deep gray tiff': drawn().toColourspace('grey16').tiff({ compression: 'lzw' }),
}

const TELLING: Record<string, Sharp> = {
  'a jpeg that was turned': drawn().jpeg().withMetadata({ orientation: 6 }),
  'a jpeg with a profile': drawn().jpeg().withIccProfile('p3'),
  'a jpeg with a description': drawn().jpeg().withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'),
  'a jpeg for print': drawn().toColourspace('cmyk').jpeg(),
  'a png that was turned': drawn().png().withMetadata({ orientation: 6 }),
  'a png with a profile': drawn().png().withIccProfile('p3'),
  'a png with a palette': drawn().png({ palette: true }),
  'a webp with alpha': drawn(4).webp(),
  'a webp with a profile': drawn().webp().withIccProfile('p3'),
  'a tiff that was turned': drawn().tiff({ compression: 'lzw' }).withMetadata({ orientation: 6 }),
  'a tiff with a profile': drawn().tiff({ compression: 'lzw' }).withIccProfile('p3'),
  'a tiff with alpha': drawn(4).tiff({ compression: 'lzw' }),
  'a tiff for print': drawn().toColourspace('cmyk').tiff({ compression: 'lzw' }),
  'a tiff of two pages': sharp([TILE, TILE], { join: { animated: true } }).tiff({ compression: 'lzw' }),
  'a tiff of two colours': drawn().toColourspace('b-w').tiff({ bitdepth: 1, compression: 'none', predictor: 'none' }),
  'a tiff of JPEGs': drawn().tiff({ compression: 'jpeg' }),
}

const LOADERS = { 255: 'jpeg', 137: 'png', 82: 'webp', 73: 'tiff' } as const
const loaderOf = (bytes: Buffer) => LOADERS[bytes[0] as 82]

async function asked(bytes: Buffer): Promise<Seen> {
  const { width, height, autoOrient, depth, space, pages, delay, loop, icc } = await sharp(bytes).metadata()
  return JSON.parse(JSON.stringify({ width, height, autoOrient, depth, space, pages, delay, loop, icc })) as Seen
}

describe('a glance at a picture', () => {
  const plain = [drawn().jpeg(), drawn().png(), drawn().webp(), drawn().tiff({ compression: 'lzw' })]

  for (const [name, image] of Object.entries(PLAIN)) {
    it(`sees in ${name} what the library sees`, async () => {
      const bytes = await image.toBuffer()
      assert.deepEqual(glance(bytes, loaderOf(bytes)), await asked(bytes))
    })
  }

  for (const [name, image] of Object.entries(TELLING)) {
    it(`leaves ${name} to the library`, async () => {
      const bytes = await image.toBuffer()
      assert.equal(glance(bytes, loaderOf(bytes)), null)
    })
  }

  it('leaves other formats to it, and what is not what it should be', async () => {
    const [jpeg, png, webp, tiff] = await Promise.all(plain.map((one) => one.toBuffer()))
    assert.ok(jpeg && png && webp && tiff)
    assert.equal(glance(await drawn().gif().toBuffer(), 'gif'), null)
    assert.equal(glance(jpeg, 'png'), null)
    assert.equal(glance(png, 'jpeg'), null)
    assert.equal(glance(Buffer.alloc(0), 'png'), null)
    for (const bytes of [jpeg, png, webp, tiff])
      for (let length = 0; length < 30; length++) assert.equal(glance(bytes.subarray(0, length), loaderOf(bytes)), null)
  })

  it('never says anything else of a damaged picture than the library does', async () => {
    const whole = await Promise.all(plain.map((one) => one.toBuffer()))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...whole), fc.nat(2000), fc.nat(255), async (bytes, at, value) => {
        const damaged = Buffer.from(bytes)
        damaged[at % bytes.length] = value
        const seen = glance(damaged, loaderOf(bytes))
        if (!seen) return
        const told = await asked(damaged).catch(() => null)
        if (told) assert.deepEqual(seen, told)
      }),
      { numRuns: 1000 },
    )
  })
})
