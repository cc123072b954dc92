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
import { CORNERS, colourAt, corners, noise as harsh, near, photo } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { readHeifCount, readHeifPrimary } from './heif/info.ts'
import { heif, heifEncArgs } from './heif.ts'
import { X265_POOLS } from './kit/threads.ts'

const run = promisify(execFile)
const table = await bench(heif)
const { make } = table
const dir = await mkdtemp(join(tmpdir(), 'reforge-heif-'))
after(() => rm(dir, { recursive: true, force: true }))

/** Written by libheif's program, outside the engine. */
async function heic(pictures: readonly Buffer[], ...flags: string[]): Promise<Buffer> {
  const own = await mkdtemp(join(dir, 'heic-'))
  const names = await Promise.all(
    pictures.map(async (bytes, index) => {
      const name = join(own, `${index}.png`)
      await writeFile(name, bytes)
      return name
    }),
  )
  const output = join(own, 'out.heic')
  await run('/usr/bin/heif-enc', [...flags, '-p', 'preset=ultrafast', '-q', '90', ...names, '-o', output])
  return readFile(output)
}

const one = async (...asked: Parameters<typeof make>): Promise<Buffer> => (await make(...asked)).files[0]!
const look = (bytes: Uint8Array) => sharpLibrary(bytes).metadata()
/** The header alone, by a library that reads it but not the pixels. */
const sized = async (bytes: Uint8Array): Promise<number[]> => {
  const { width, height } = await look(bytes)
  return [width, height]
}

const png = await corners().png().toBuffer()
const simple = await heic([png])
const [red, blue] = await Promise.all(
  ['#ff0000', '#0000ff'].map((background) =>
    sharpLibrary({ create: { width: 64, height: 32, channels: 3, background } })
      .png()
      .toBuffer(),
  ),
)

engineContract(heif, table, {
  files: { heic: simple, png, jpg: await corners().jpeg().toBuffer() },
  async opens(bytes, ext) {
    const { format, compression, width } = await look(bytes)
    assert.deepEqual([format, width], [ext === 'heic' || ext === 'avif' ? 'heif' : ext === 'jpg' ? 'jpeg' : ext, 80])
    if (ext === 'heic') assert.equal(compression, 'hevc')
    else assert.ok(near(await colourAt(bytes, 0.1, 0.1), CORNERS.topLeft))
  },
})

describe('reading HEIC', () => {
  it('takes the main picture, or the one asked for', async () => {
    const both = await heic([red!, blue!])
    assert.ok(near(await colourAt(await one('convert', { ext: 'heic', bytes: both }, 'png'), 0.5, 0.5), '#ff0000'))
    const second = await one('convert', { ext: 'heic', bytes: both }, 'jpg', { page: 2 })
    assert.ok(near(await colourAt(second, 0.5, 0.5), '#0000ff'))
    await assert.rejects(make('convert', { ext: 'heic', bytes: both }, 'jpg', { page: 3 }), /no picture 3; it has 2/)
  })

  it('does not turn twice what the container has turned, and keeps metadata only when told', async () => {
    const tagged = await corners()
      .withExif({ IFD0: { Copyright: 'me' } })
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer()
    const bytes = await heic([tagged])
    for (const to of ['jpg', 'png'] as const) {
      const kept = await one('convert', { ext: 'heic', bytes }, to, { strip: false })
      const { exif, orientation, width } = await look(kept)
      assert.deepEqual([exif?.includes('me'), orientation ?? 1, width], [true, 1, 80], to)
      assert.equal((await look(await one('convert', { ext: 'heic', bytes }, to))).exif, undefined)
    }
  })

  it('keeps transparency where the target has it', async () => {
    const clear = await sharpLibrary({ create: { width: 32, height: 32, channels: 4, background: '#ff000000' } })
      .png()
      .toBuffer()
    const bytes = await heic([clear])
    for (const to of ['webp', 'png'] as const)
      assert.equal((await sharpLibrary(await one('convert', { ext: 'heic', bytes }, to)).stats()).isOpaque, false)
    assert.ok(near(await colourAt(await one('convert', { ext: 'heic', bytes }, 'jpg'), 0.5, 0.5), '#ffffff'))
  })

  it('gives the JPEG of libheif itself where nothing more is asked', async () => {
    await writeFile(join(dir, 'straight.heic'), simple)
    const pixels = (bytes: Buffer) => sharpLibrary(bytes).raw().toBuffer()
    for (const quality of [40, 85]) {
      await run('/usr/bin/heif-convert', ['-q', String(quality), join(dir, 'straight.heic'), join(dir, 'straight.jpg')])
      const made = await one('convert', { ext: 'heic', bytes: simple }, 'jpg', { quality })
      assert.ok((await pixels(made)).equals(await pixels(await readFile(join(dir, 'straight.jpg')))))
      assert.equal((await look(made)).chromaSubsampling, '4:2:0')
    }
    const sharper = await one('convert', { ext: 'heic', bytes: simple }, 'jpg', { quality: 95 })
    assert.equal((await look(sharper)).chromaSubsampling, '4:4:4')
  })

  it('gives the pixels of libheif, but for rounding where they pass through a JPEG', async () => {
    const pixels = (bytes: Buffer) => sharpLibrary(bytes).removeAlpha().raw().toBuffer()
    const distance = async (bytes: Buffer): Promise<number> => {
      await writeFile(join(dir, 'pixels.heic'), bytes)
      await run('/usr/bin/heif-convert', [join(dir, 'pixels.heic'), join(dir, 'pixels.png')])
      const ours = await pixels(await one('convert', { ext: 'heic', bytes }, 'png'))
      const theirs = await pixels(await readFile(join(dir, 'pixels.png')))
      assert.equal(ours.length, theirs.length)
      return ours.reduce((sum, value, index) => sum + Math.abs(value - theirs[index]!), 0) / ours.length
    }
    const colourful = await photo(160, 120).png().toBuffer()
    const near = await distance(await heic([colourful]))
    assert.ok(near > 0 && near < 1.5, String(near))
    assert.equal(await distance(await heic([colourful], '-L', '-p', 'chroma=444', '--matrix_coefficients=0')), 0)
  })

  it('changes the colours of a profile to sRGB', async () => {
    const colours = { create: { width: 64, height: 64, channels: 3, background: '#c83232' } } as const
    const bytes = await heic([await sharpLibrary(colours).withIccProfile('p3').png().toBuffer()])
    const made = await one('convert', { ext: 'heic', bytes }, 'jpg')
    assert.equal((await look(made)).icc, undefined)
    assert.ok(near(await colourAt(made, 0.5, 0.5), '#c83232'))
  })

  it('does what sharp does to pictures', async () => {
    const made = await one('convert', { ext: 'heic', bytes: simple }, 'jpg', {
      image_custom_width: 20,
      image_rotate: 90,
    })
    assert.deepEqual(await sized(made), [20, 40])
  })

  it('says so when a file is damaged', async () => {
    const refused = make('convert', { ext: 'heic', bytes: simple.subarray(0, simple.length / 2) }, 'jpg')
    await assert.rejects(refused, (error) => error instanceof Failure && /could not be read/.test(error.message))
  })
})

describe('compressing HEIC', () => {
  const compress = (bytes: Buffer, given = {}) => make('compress', { ext: 'heic', bytes }, 'heic', given)

  it('makes it smaller, by quality and to a size', async () => {
    const bytes = await heic([await photo(160, 120).png().toBuffer()])
    const by = async (given: object) => (await compress(bytes, given)).files[0]!.length
    assert.ok((await by({ quality: 10 })) < (await by({ quality: 40 })))
    assert.ok((await by({ quality: 40 })) < bytes.length)
    assert.ok((await by({ compress_max_filesize: '1.5KB' })) <= 1500)
    await assert.rejects(compress(bytes, { compress_max_filesize: '200B' }), /smallest reachable size/)
    const rough = await heic([await harsh(160, 120).png().toBuffer()])
    const tiny = await compress(rough, { compress_max_filesize: '700B', compress_allow_resize: true })
    assert.ok(tiny.files[0]!.length <= 700 && typeof tiny.told.dimensions === 'string')
  })

  it('gives back what gets no smaller, without what it tells', async () => {
    const exif = { IFD0: { Copyright: 'Secret' } }
    const { files: small } = await compress(await heic([png]), { quality: 1 })
    assert.deepEqual(await sized(small[0]!), [80, 40])
    const told = await heic([await corners().withExif(exif).png().toBuffer()], '-q', '1')
    await writeFile(join(dir, 'told.heic'), told)
    await run('/usr/bin/exiftool', ['-overwrite_original', '-Copyright=Secret', join(dir, 'told.heic')])
    const bytes = await readFile(join(dir, 'told.heic'))
    assert.ok(bytes.includes('Secret'))
    const { files } = await compress(bytes, { quality: 100 })
    assert.ok(files[0]!.length <= bytes.length && !files[0]!.includes('Secret'))
    assert.deepEqual(await sized(files[0]!), [80, 40])
    assert.ok((await compress(bytes, { quality: 100, strip: false })).files[0]!.equals(bytes))
  })
})

describe('writing HEIC', () => {
  it('obeys quality, effort and resizing', async () => {
    const bytes = await photo().png().toBuffer()
    const size = async (given: Record<string, unknown>) =>
      (await one('convert', { ext: 'png', bytes }, 'heic', given)).length
    assert.ok((await size({ quality: 20 })) < (await size({ quality: 80 })))
    assert.notEqual(await size({ heic_effort: 'usual' }), await size({ heic_effort: 'fast' }))
    const small = await one('convert', { ext: 'png', bytes }, 'heic', { image_custom_width: 64 })
    assert.deepEqual(await sized(small), [64, 48])
  })

  it('keeps every pixel but for rounding when told so', async () => {
    const bytes = await photo(64, 48).png().toBuffer()
    const file = join(dir, 'lossless')
    await writeFile(`${file}.heic`, await one('convert', { ext: 'png', bytes }, 'heic', { heic_lossless: true }))
    await run('/usr/bin/heif-convert', [`${file}.heic`, `${file}.png`])
    const pixels = (of: Buffer) => sharpLibrary(of).removeAlpha().raw().toBuffer()
    const [made, given] = [await pixels(await readFile(`${file}.png`)), await pixels(bytes)]
    assert.equal(made.length, given.length)
    assert.ok(made.every((value, index) => Math.abs(value - given[index]!) <= 1))
  })

  it('turns the picture itself, for readers of HEIC ignore the Exif', async () => {
    const bytes = await corners().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    assert.deepEqual(await sized(await one('convert', { ext: 'jpg', bytes }, 'heic')), [40, 80])
  })

  it('is told by arguments', () => {
    const wishes = { quality: 50, heic_lossless: false, heic_effort: 'small' } as const
    const told = ['-q', '50', '-p', 'preset=slow', '-p', `x265:${X265_POOLS}`, '-o', 'out.heic', 'a.png']
    assert.deepEqual(heifEncArgs('a.png', wishes), told)
    assert.ok(heifEncArgs('a.png', { ...wishes, heic_lossless: true }).includes('-L'))
  })
})

it('what the programs say is read, and nothing else', () => {
  assert.deepEqual([readHeifCount('File contains 3 images\n'), readHeifCount('nonsense')], [3, 1])
  const images = 'image: 1x2 (id=5)\n  thumbnail: 3x4\nimage: 30x40 (id=49), primary\n'
  assert.deepEqual([readHeifPrimary(images), readHeifPrimary('nonsense')], [1, 0])
})

const { busy, bytesOf, falling } = pictures
const compressed = { on: { does: 'compress' }, sample: await heic([await photo(160, 120).png().toBuffer()]) } as const
async function withCopyright(): Promise<Buffer> {
  await writeFile(join(dir, 'said.heic'), await heic([png], '-q', '1'))
  await run('/usr/bin/exiftool', ['-overwrite_original', '-Copyright=Secret', join(dir, 'said.heic')])
  return readFile(join(dir, 'said.heic'))
}
optionProofs(heif, table, {
  files: { heic: simple, png, jpg: await corners().jpeg().toBuffer() },
  proofs: {
    ...pictures.both(
      {
        ...pictures.beforeProofs,
        strip: { ...pictures.carriedProofs.strip, on: { from: ['png'] }, see: pictures.exifSeen },
      },
      pictures.afterProofs,
      pictures.onceEach(pictures.jpgProofs),
    ),
    image_grayscale: pictures.changeProofs.image_grayscale,
    strip: [
      proof({
        on: { does: 'compress' },
        sample: await withCopyright(),
        with: { quality: 100 },
        given: false,
        see: pictures.tells,
      }),
      proof({ on: { from: ['png'] }, sample: pictures.telling, given: false, see: pictures.exifSeen }),
      pictures.afterProofs.strip,
    ],
    quality: [
      proof({ ...compressed, given: 5, see: bytesOf, shows: falling }),
      proof({ given: 5, see: bytesOf, shows: falling }),
    ],
    image_bit_depth: [
      proof({
        on: { to: ['avif'] },
        given: '10',
        see: async (made, to) => (await pictures.look(made, to)).bitsPerSample,
      }),
      pictures.depthProof,
    ],
    background: [{ ...pictures.backgroundProof, on: { from: ['png'] } }, pictures.afterProofs.background],
    heic_lossless: proof({ on: { from: ['png'] }, sample: busy, given: true, see: bytesOf }),
    heic_effort: proof({ on: { from: ['png', 'heic'] }, given: 'usual', see: bytesOf }),
    webp_lossless: proof({ given: true, see: bytesOf }),
    webp_effort: proof({ given: 0, see: bytesOf }),
    avif_lossless: proof({ given: true, see: bytesOf }),
    avif_effort: proof({ given: 4, see: bytesOf }),
    page: proof({ sample: await heic([red!, blue!]), given: 2, see: pictures.colour(0.5, 0.5), shows: [0, 0, 240] }),
    compress_image: proof({ ...compressed, given: 'by_size', refused: true }),
    compress_max_filesize: proof({ ...compressed, given: '1.5KB', see: bytesOf, shows: falling }),
    compress_allow_resize: proof({
      ...{
        ...compressed,
        sample: await heic([await harsh(160, 120).png().toBuffer()]),
        with: { compress_max_filesize: '700B' },
        given: true,
        elseFails: true,
        see: bytesOf,
      },
    }),
  },
})
