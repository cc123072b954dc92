import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { CORNERS, colourAt, corners, near, photo } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { readJxlInfo } from './jxl/info.ts'
import { cjxlArgs, jxl } from './jxl.ts'

const run = promisify(execFile)
const table = await bench(jxl)
const { make } = table
const dir = await mkdtemp(join(tmpdir(), 'reforge-jxl-'))
after(() => rm(dir, { recursive: true, force: true }))

const one = async (...asked: Parameters<typeof make>): Promise<Buffer> => (await make(...asked)).files[0]!
const look = (bytes: Uint8Array) => sharpLibrary(bytes).metadata()

/** By libjxl's programs, outside the engine. */
async function pack(bytes: Buffer, ext: 'png' | 'jpg', ...flags: string[]): Promise<Buffer> {
  await writeFile(join(dir, `in.${ext}`), bytes)
  await run('/usr/bin/cjxl', [join(dir, `in.${ext}`), join(dir, 'packed.jxl'), ...flags])
  return readFile(join(dir, 'packed.jxl'))
}
async function unpack(bytes: Buffer, ext: 'png' | 'jpg'): Promise<Buffer> {
  await writeFile(join(dir, 'made.jxl'), bytes)
  await run('/usr/bin/djxl', [join(dir, 'made.jxl'), join(dir, `unpacked.${ext}`)])
  return readFile(join(dir, `unpacked.${ext}`))
}

const png = await corners().png().toBuffer()
const jpg = await corners()
  .withExif({ IFD0: { Copyright: 'me' } })
  .jpeg()
  .toBuffer()
const packed = await pack(png, 'png')

engineContract(jxl, table, {
  files: { png, jpg, jxl: packed },
  async opens(bytes, ext) {
    const shown = ext === 'jxl' ? await unpack(bytes, 'png') : bytes
    assert.equal((await look(shown)).width, 80)
    assert.ok(near(await colourAt(shown, 0.1, 0.1), CORNERS.topLeft))
  },
})

describe('a JPEG in JPEG XL', () => {
  it('can be had back byte by byte', async () => {
    const kept = await one('convert', { ext: 'jpg', bytes: jpg }, 'jxl', { jxl_lossless: true })
    assert.ok((await unpack(kept, 'jpg')).equals(jpg))
    const back = await one('convert', { ext: 'jxl', bytes: kept }, 'jpg', { jxl_restore_jpeg: true })
    assert.ok(back.equals(jpg))
    const plain = await one('convert', { ext: 'jxl', bytes: kept }, 'jpg')
    assert.equal((await look(plain)).exif, undefined)
    await assert.rejects(
      make('convert', { ext: 'jxl', bytes: packed }, 'jpg', { jxl_restore_jpeg: true }),
      (error) => error instanceof Failure && /was not made from a JPEG/.test(error.message),
    )
  })

  it('is made anew, without metadata, unless told', async () => {
    const made = await one('convert', { ext: 'jpg', bytes: jpg }, 'jxl')
    assert.ok(!made.includes('me'))
    const small = await one('convert', { ext: 'jpg', bytes: jpg }, 'jxl', {
      jxl_lossless: true,
      image_custom_width: 20,
    })
    assert.equal((await look(await unpack(small, 'png'))).width, 20)
  })

  it('is turned as the camera was held', async () => {
    const bytes = await corners().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const made = await unpack(await one('convert', { ext: 'jpg', bytes }, 'jxl'), 'png')
    assert.equal((await look(made)).width, 40)
    const transcoded = await one('convert', { ext: 'jpg', bytes }, 'jxl', { jxl_lossless: true })
    const back = await one('convert', { ext: 'jxl', bytes: transcoded }, 'png')
    assert.equal((await look(back)).width, 40)
  })
})

describe('JPEG XL', () => {
  it('obeys quality and effort', async () => {
    const bytes = await photo().png().toBuffer()
    const size = async (given: Record<string, unknown>) =>
      (await one('convert', { ext: 'png', bytes }, 'jxl', given)).length
    assert.ok((await size({ quality: 30 })) < (await size({ quality: 90 })))
    assert.notEqual(await size({ jxl_effort: 3 }), await size({ jxl_effort: 7 }))
  })

  it('keeps every pixel when told so, of 16 bits too', async () => {
    const pixels = (of: Buffer) =>
      sharpLibrary(of, { ignoreIcc: true }).removeAlpha().raw({ depth: 'ushort' }).toBuffer()
    const deep = await corners().toColourspace('rgb16').png().toBuffer()
    for (const bytes of [await photo(64, 48).png().toBuffer(), deep]) {
      const made = await one('convert', { ext: 'png', bytes }, 'jxl', { jxl_lossless: true })
      assert.ok((await pixels(await unpack(made, 'png'))).equals(await pixels(bytes)))
    }
    const back = await one('convert', { ext: 'jxl', bytes: await pack(deep, 'png', '-d', '0') }, 'png')
    assert.equal((await look(back)).depth, 'ushort')
    assert.ok((await pixels(back)).equals(await pixels(deep)))
  })

  it('keeps transparency and profiles', async () => {
    const clear = await sharpLibrary({ create: { width: 32, height: 32, channels: 4, background: '#00ff0000' } })
      .png()
      .toBuffer()
    const made = await one('convert', { ext: 'jxl', bytes: await pack(clear, 'png') }, 'webp')
    assert.equal((await sharpLibrary(made).stats()).isOpaque, false)
    const wide = await sharpLibrary({ create: { width: 8, height: 8, channels: 3, background: '#00ff00' } })
      .withIccProfile('p3')
      .png()
      .toBuffer()
    const shown = await one('convert', { ext: 'jxl', bytes: await pack(wide, 'png', '-d', '0') }, 'png')
    assert.ok(near(await colourAt(shown, 0.5, 0.5), '#00ff00', 6))
  })

  it('says so when a file is damaged', async () => {
    const refused = make('convert', { ext: 'jxl', bytes: packed.subarray(0, packed.length - 20) }, 'png')
    await assert.rejects(refused, (error) => error instanceof Failure && /could not be read/.test(error.message))
  })

  it('is told by arguments', () => {
    const wishes = { quality: 50, jxl_lossless: false, jxl_effort: 5 }
    assert.deepEqual(cjxlArgs('a.png', wishes), ['a.png', 'out.jxl', '--quiet', '-e', '5', '-q', '50'])
    assert.deepEqual(cjxlArgs('a.png', { ...wishes, jxl_lossless: true }).slice(-2), ['-d', '0'])
  })

  it('is looked at before it is decoded', () => {
    const words =
      'JPEG XL image, 40x30, lossy, 8-bit RGB\nColor space: RGB, D65, sRGB primaries, sRGB transfer function, rendering intent: Perceptual\n'
    assert.deepEqual(readJxlInfo(words), { width: 40, height: 30, jpeg: false, srgb: true })
    assert.equal(readJxlInfo(words.replace('sRGB primaries', 'P3 primaries'))?.srgb, false)
    assert.equal(readJxlInfo('nonsense'), null)
  })
})

const { busy, bytesOf } = pictures
const onJxl = { from: ['jxl'] } as const
optionProofs(jxl, table, {
  files: { png, jpg, jxl: packed },
  proofs: {
    ...pictures.both(pictures.beforeProofs, pictures.afterProofs, pictures.onceEach(pictures.jpgProofs)),
    strip: [
      proof({ on: { from: ['png', 'jpg'] }, sample: pictures.wide, given: false, see: pictures.profiled }),
      pictures.afterProofs.strip,
    ],
    background: [
      { ...pictures.backgroundProof, on: { from: ['png'] } },
      proof({ on: { from: ['jpg'] }, with: { image_rotate: 45 }, given: '#00ff00', see: pictures.colour(0.02, 0.02) }),
      pictures.afterProofs.background,
    ],
    quality: [
      proof({ on: { from: ['png', 'jpg'] }, sample: busy, given: 20, see: bytesOf, shows: pictures.falling }),
      proof({ on: { ...onJxl, to: ['tiff'] }, with: { tiff_compression: 'jpeg' }, given: 20, see: bytesOf }),
      proof({ on: onJxl, given: 20, see: bytesOf, shows: pictures.falling }),
    ],
    tiff_compression: { ...pictures.writtenProofs.tiff_compression, on: onJxl },
    webp_lossless: proof({ given: true, see: bytesOf }),
    webp_effort: proof({ given: 0, see: bytesOf }),
    jxl_lossless: proof({ sample: busy, given: true, see: bytesOf }),
    jxl_effort: proof({ sample: busy, given: 1, see: bytesOf }),
    jxl_restore_jpeg: proof({
      sample: await fromJpeg(),
      given: true,
      see: ({ files: [file] }) => file!.equals(jpg),
      shows: true,
    }),
  },
})
async function fromJpeg(): Promise<Buffer> {
  return (await make('convert', { ext: 'jpg', bytes: jpg }, 'jxl', { jxl_lossless: true })).files[0]!
}
