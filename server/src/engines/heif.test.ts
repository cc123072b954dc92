import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { bench } from '../../test/support/bench.ts'
import { CORNERS, colourAt, corners, near, photo } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { readHeifBoxes, readHeifCount, readHeifPrimary } from './heif/info.ts'
import { heif, heifEncArgs } from './heif.ts'

const run = promisify(execFile)
const table = await bench(heif)
const { make } = table
const dir = await mkdtemp(join(tmpdir(), 'reforge-heif-'))
after(() => rm(dir, { recursive: true, force: true }))

/** Written by libheif's program, outside the engine. */
async function heic(pictures: readonly Buffer[], ...flags: string[]): Promise<Buffer> {
  const names = await Promise.all(
    pictures.map(async (bytes, index) => {
      const name = join(dir, `${index}.png`)
      await writeFile(name, bytes)
      return name
    }),
  )
  const output = join(dir, 'out.heic')
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
    assert.deepEqual(heifEncArgs('a.png', wishes), ['-q', '50', '-p', 'preset=slow', '-o', 'out.heic', 'a.png'])
    assert.ok(heifEncArgs('a.png', { ...wishes, heic_lossless: true }).includes('-L'))
  })
})

it('what the programs say is read, and nothing else', () => {
  const boxes = '| | | image width: 64\n| | | image height: 64\n| | | image width: 300\n| | | image height: 40\n'
  assert.deepEqual(readHeifBoxes(boxes), { pixels: 12_000, alpha: false })
  assert.equal(readHeifBoxes(`${boxes}| aux type: urn:mpeg:hevc:2015:auxid:1\n`).alpha, true)
  assert.deepEqual([readHeifCount('File contains 3 images\n'), readHeifCount('nonsense')], [3, 1])
  const images = 'image: 1x2 (id=5)\n  thumbnail: 3x4\nimage: 30x40 (id=49), primary\n'
  assert.deepEqual([readHeifPrimary(images), readHeifPrimary('nonsense')], [1, 0])
})
