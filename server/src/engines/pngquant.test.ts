import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { corners, photo } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { pngquant, pngquantArgs } from './pngquant.ts'

const table = await bench(pngquant)
const { make } = table
const bytes: Buffer = await photo().png({ compressionLevel: 1 }).toBuffer()
const look = (of: Uint8Array) => sharpLibrary(of).metadata()
const compress = async (given: Record<string, unknown> = {}, of = bytes): Promise<Buffer> =>
  (await make('compress', { ext: 'png', bytes: of }, 'png', given)).files[0]!

engineContract(pngquant, table, {
  files: { png: bytes },
  async opens(made) {
    assert.equal((await look(made)).width, 320)
    await sharpLibrary(made, { failOn: 'warning' }).stats()
  },
})

describe('compressing a PNG', () => {
  const colours = async (of: Buffer): Promise<number> =>
    new Set((await sharpLibrary(of).removeAlpha().raw().toBuffer()).toString('hex').match(/.{6}/g)).size

  it('takes as many colours as the quality needs', async () => {
    const [high, low] = [await compress({ quality: 90 }), await compress({ quality: 30 })]
    assert.ok(low.length < high.length && high.length < bytes.length)
    assert.ok((await colours(low)) < (await colours(high)))
    assert.equal((await look(high)).isPalette, true)
  })

  it('keeps every pixel by default and when told so', async () => {
    const pixels = (of: Buffer) => sharpLibrary(of).removeAlpha().raw().toBuffer()
    for (const given of [{}, { compress_image: 'lossless' }])
      assert.ok((await pixels(await compress(given))).equals(await pixels(bytes)))
  })

  it('does what else is asked', async () => {
    const made = await look(await compress({ quality: 50, image_custom_width: 100 }))
    assert.deepEqual([made.width, made.isPalette], [100, true])
    assert.equal((await look(await compress({ quality: 50, png_interlace: true }))).isProgressive, true)
  })

  it('keeps transparency', async () => {
    const clear = await sharpLibrary(bytes).ensureAlpha(0.3).png().toBuffer()
    assert.equal((await sharpLibrary(await compress({ quality: 50 }, clear)).stats()).isOpaque, false)
  })

  it('reaches a size, or tells the smallest, or loses pixels where it may', async () => {
    const made = await compress({ compress_max_filesize: '40KB' })
    assert.ok(made.length <= 40_000 && made.length > 20_000, String(made.length))
    assert.equal((await look(made)).width, 320)
    const refused = compress({ compress_max_filesize: '0.5KB' })
    await assert.rejects(
      refused,
      (error) => error instanceof Failure && /smallest reachable size is [\d.]+ KB/.test(error.message),
    )
    const given = { compress_max_filesize: '0.5KB', compress_allow_resize: true }
    const { files, told } = await make('compress', { ext: 'png', bytes }, 'png', given)
    assert.ok(files[0]!.length <= 500)
    assert.equal(told.dimensions, `${(await look(files[0]!)).width}x${(await look(files[0]!)).height}`)
  })

  it('loses nothing where the size allows it', async () => {
    const pixels = (of: Buffer) => sharpLibrary(of).removeAlpha().raw().toBuffer()
    const made = await compress({ compress_max_filesize: '10MB' })
    assert.ok((await pixels(made)).equals(await pixels(bytes)))
  })

  it('gives the file back as it is when nothing smaller comes of it', async () => {
    const small = await sharpLibrary(bytes).png({ palette: true, colours: 2, dither: 0, effort: 10 }).toBuffer()
    const { files, told } = await make('compress', { ext: 'png', bytes: small }, 'png', { quality: 99 })
    assert.ok(files[0]!.length <= small.length)
    if (files[0]!.length === small.length) assert.equal(told.unchanged, true)
  })

  it('is told by arguments', () => {
    assert.deepEqual(pngquantArgs('a.png', 'b.png', { quality: 70 }).slice(-4), ['--quality', '0-70', '--', 'a.png'])
    assert.deepEqual(pngquantArgs('a.png', 'b.png', { colours: 4 }).slice(-3), ['4', '--', 'a.png'])
  })
})

const { bytesOf, falling } = pictures
const picture = pictures.written(() => corners())
const cornered = Object.fromEntries(
  Object.entries(pictures.sizeProofs).map(([name, each]) => [name, { ...each, sample: picture }]),
)
optionProofs(pngquant, table, {
  files: { png: bytes },
  proofs: {
    ...cornered,
    compress_image: proof({ with: { quality: 50 }, given: 'lossless', refused: true }),
    quality: proof({ given: 20, see: bytesOf, shows: falling }),
    compress_max_filesize: proof({ given: '20KB', see: bytesOf, shows: falling }),
    compress_allow_resize: proof({
      with: { compress_max_filesize: '1KB' },
      given: true,
      elseFails: true,
      see: bytesOf,
    }),
    png_interlace: proof({
      sample: await corners().png({ compressionLevel: 0 }).toBuffer(),
      given: true,
      see: async ({ files: [file] }) => (await look(file!)).isProgressive,
      shows: true,
    }),
    strip: pictures.carriedProofs.strip,
    'auto-orient': pictures.carriedProofs['auto-orient'],
    image_grayscale: { ...pictures.changeProofs.image_grayscale, sample: picture },
  },
})
