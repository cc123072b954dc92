import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { corners, photo } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { orientationOf, orientationSegment } from './jpegoptim/orientation.ts'
import { jpegoptim, jpegoptimArgs } from './jpegoptim.ts'

const table = await bench(jpegoptim)
const { make } = table
const look = (of: Uint8Array) => sharpLibrary(of).metadata()
const bytes: Buffer = await photo()
  .withExif({ IFD0: { Copyright: 'me and some more of it' } })
  .jpeg({ quality: 90, optimiseCoding: false })
  .toBuffer()
const compress = async (given: Record<string, unknown> = {}, of = bytes): Promise<Buffer> =>
  (await make('compress', { ext: 'jpg', bytes: of }, 'jpg', given)).files[0]!
const pixels = (of: Buffer) => sharpLibrary(of).raw().toBuffer()
const LOSSLESS = { compress_image: 'lossless' } as const

engineContract(jpegoptim, table, {
  files: { jpg: bytes },
  async opens(made) {
    assert.equal((await look(made)).format, 'jpeg')
    await sharpLibrary(made, { failOn: 'warning' }).stats()
  },
})

describe('compressing a JPEG without loss', () => {
  it('keeps every pixel, not the metadata', async () => {
    const made = await compress(LOSSLESS)
    assert.ok(made.length < bytes.length)
    assert.ok((await pixels(made)).equals(await pixels(bytes)))
    assert.equal((await look(made)).exif, undefined)
    assert.ok((await look(await compress({ ...LOSSLESS, strip: false }))).exif?.includes('me and some'))
  })

  it('still knows how the camera was held, and what the colours are', async () => {
    const held = await corners()
      .withExif({ IFD0: { Copyright: 'me' } })
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .jpeg({ optimiseCoding: false })
      .toBuffer()
    const { orientation, exif, icc } = await look(await compress(LOSSLESS, held))
    assert.equal(orientation, 6)
    assert.ok(!exif?.includes('me') && icc)
  })

  it('can be shown bit by bit while it loads', async () => {
    assert.equal((await look(await compress({ ...LOSSLESS, jpg_progressive: true }))).isProgressive, true)
  })

  it('is refused where the picture would change', async () => {
    for (const more of [{ image_custom_width: 10 }, { image_grayscale: true }])
      await assert.rejects(
        compress({ ...LOSSLESS, ...more }),
        (error) => error instanceof Failure && /without loss/.test(error.message),
      )
  })

  it('gives the file back as it is when nothing smaller comes of it', async () => {
    const small = await compress(LOSSLESS)
    const { files, told } = await make('compress', { ext: 'jpg', bytes: small }, 'jpg', LOSSLESS)
    assert.ok(files[0]!.equals(small))
    assert.equal(told.unchanged, true)
  })
})

it('everything else is left to sharp', async () => {
  assert.ok((await compress({ quality: 30 })).length < (await compress({ quality: 80 })).length)
  assert.ok((await compress({ compress_max_filesize: '6KB' })).length <= 6000)
})

it('is told by arguments', () => {
  const args = jpegoptimArgs('a.jpg', { strip: false, jpg_progressive: true })
  assert.deepEqual(args.slice(-3), ['--strip-none', '--all-progressive', 'a.jpg'])
})

describe('how a camera was held', () => {
  it('is read as it is written', () => {
    for (let held = 1; held <= 8; held++)
      assert.equal(orientationOf(Buffer.concat([Buffer.from([0xff, 0xd8]), orientationSegment(held)])), held)
  })

  it('is 1 in rubbish', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (rubbish) => {
        const head = Buffer.concat([Buffer.from([0xff, 0xd8]), orientationSegment(3).subarray(0, 12), rubbish])
        const held = orientationOf(head)
        return held >= 1 && held <= 8
      }),
    )
    assert.equal(orientationOf(Buffer.alloc(0)), 1)
  })
})

const { bytesOf, falling } = pictures
const picture = pictures.written(() => corners())
const cornered = Object.fromEntries(
  Object.entries(pictures.sizeProofs).map(([name, each]) => [name, { ...each, sample: picture }]),
)
optionProofs(jpegoptim, table, {
  files: { jpg: bytes },
  proofs: {
    ...cornered,
    compress_image: proof({ given: 'lossless', see: bytesOf }),
    quality: proof({ given: 20, see: bytesOf, shows: falling }),
    compress_perceptual: proof({ given: 0.6, see: bytesOf }),
    compress_max_filesize: proof({ given: '3KB', see: bytesOf, shows: falling }),
    compress_allow_resize: proof({
      with: { compress_max_filesize: '500B' },
      given: true,
      elseFails: true,
      see: bytesOf,
    }),
    jpg_progressive: proof({
      with: LOSSLESS,
      given: false,
      see: async ({ files: [file] }) => (await look(file!)).isProgressive,
    }),
    jpg_chroma_subsampling: proof({
      given: '4:4:4',
      see: async ({ files: [file] }) => (await look(file!)).chromaSubsampling,
    }),
    strip: proof({ given: false, see: ({ files: [file] }) => file!.includes('some more'), shows: true }),
    'auto-orient': pictures.carriedProofs['auto-orient'],
    image_grayscale: { ...pictures.changeProofs.image_grayscale, sample: picture },
  },
})
