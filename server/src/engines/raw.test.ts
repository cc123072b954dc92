import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { dng, RAW } from '../../test/support/raw-picture.ts'
import { RAW_SAMPLES } from '../../test/support/raw-samples.ts'
import { colourAt } from '../../test/support/samples.ts'
import { EXTS, type Ext } from '../catalog/formats.ts'
import { Failure } from '../core/errors.ts'
import { rawArgs } from './raw/args.ts'
import { raw } from './raw.ts'

const table = await bench(raw)
const { make } = table
const bytes = dng()
const develop = async (given: Record<string, unknown> = {}, of = bytes, to: 'jpg' | 'png' = 'png'): Promise<Buffer> =>
  (await make('convert', { ext: 'dng', bytes: of }, to, given)).files[0]!
const look = (of: Uint8Array) => sharpLibrary(of).metadata()
const parts = async (of: Buffer, x: number, y: number): Promise<number[]> =>
  [1, 3, 5].map(
    (
      (colour) => (at: number) =>
        Number.parseInt(colour.slice(at, at + 2), 16)
    )(await colourAt(of, x, y)),
  )
const strongest = (values: readonly number[]): number => values.indexOf(Math.max(...values))

const exts = EXTS.filter((ext): ext is keyof typeof RAW_SAMPLES => ext in RAW_SAMPLES)
const files: Partial<Record<Ext, Buffer>> = {}
for (const ext of exts) files[ext] = await RAW_SAMPLES[ext](1)

engineContract(raw, table, {
  files,
  together: 2,
  async opens(made) {
    const { width, height } = await look(made)
    assert.deepEqual([width, height], [RAW.width, RAW.height])
    const seen = [await parts(made, 0.25, 0.25), await parts(made, 0.75, 0.25), await parts(made, 0.25, 0.75)]
    assert.deepEqual(seen.map(strongest), [0, 1, 2], 'red, green and blue where they belong')
  },
})

describe('developing', () => {
  for (const ext of exts) {
    it(`turns ${ext} as the camera was held`, async () => {
      const [made = Buffer.alloc(0)] = (await make('convert', { ext, bytes: await RAW_SAMPLES[ext](6) }, 'png')).files
      assert.deepEqual([(await look(made)).width, (await look(made)).height], [RAW.height, RAW.width])
      assert.equal(strongest(await parts(made, 0.75, 0.25)), 0)
    })
  }

  it('obeys white balance, brightness, size, highlights and noise', async () => {
    const usual = await develop()
    for (const given of [{ raw_white_balance: 'daylight' }, { raw_white_balance: 'auto' }, { raw_denoise: 1000 }])
      assert.ok(!(await develop(given)).equals(usual), JSON.stringify(given))
    const sum = async (of: Buffer) => (await sharpLibrary(of).stats()).channels.reduce((all, { mean }) => all + mean, 0)
    assert.ok((await sum(await develop({ raw_brightness: 50 }))) < (await sum(await develop({ raw_brightness: 200 }))))
    assert.equal((await look(await develop({ raw_half_size: true }))).width, RAW.width / 2)
    const bright = { raw_brightness: 800 }
    assert.ok(!(await develop({ ...bright, raw_highlights: 'blend' })).equals(await develop(bright)))
  })

  it('gives 16 bits where asked, and what else sharp does', async () => {
    assert.equal((await look(await develop({ image_bit_depth: '16' }))).depth, 'ushort')
    assert.equal((await look(await develop({ image_custom_width: 32 }, bytes, 'jpg'))).width, 32)
  })

  it('says so when a file is damaged', async () => {
    const refused = develop({}, bytes.subarray(0, 200))
    await assert.rejects(refused, (error) => error instanceof Failure && /could not be read/.test(error.message))
  })

  it('says so when there is only half of a mosaic, or one of a newer camera', async () => {
    for (const ext of ['cr2', 'cr3', 'nef', 'orf', 'raf'] as const) {
      const whole = await RAW_SAMPLES[ext](1)
      const half = make('convert', { ext, bytes: whole.subarray(0, whole.length / 2) }, 'png')
      await assert.rejects(half, (error) => error instanceof Failure && /could not be read/.test(error.message), ext)
    }
    const newer = Buffer.from(await RAW_SAMPLES.cr3(1))
    newer.writeUInt8(2, newer.indexOf('CMP1') + 8)
    await assert.rejects(make('convert', { ext: 'cr3', bytes: newer }, 'png'), /camera is newer/)
  })

  it('is told by arguments', () => {
    const wishes = { raw_white_balance: 'auto', raw_brightness: 150, raw_half_size: true, raw_denoise: 0 } as const
    const args = rawArgs('a.dng', { ...wishes, raw_highlights: 'clip', deep: true })
    assert.deepEqual(args.slice(4), ['-a', '-W', '-b', '1.5', '-H', '0', '-h', '-6', 'a.dng'])
  })
})

const { bytesOf } = pictures
/** A mosaic of other sides and colours than other samples: that it becomes another picture is what counts. */
const changed = Object.fromEntries(
  Object.entries({ ...pictures.sizeProofs, ...pictures.changeProofs }).map(([name, { shows: _, ...each }]) => [
    name,
    {
      ...each,
      once: true as const,
      see: shownPixels,
      ...(name === 'image_resize_enlarge' && { with: { image_custom_width: 300 } }),
    },
  ]),
)
async function shownPixels({ files: [file] }: Made): Promise<string> {
  const { data, info } = await sharpLibrary(file!)
    .resize(16, 16, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = await look(file!)
  return `${width} ${height} ${info.channels} ${data.toString('base64')}`
}
const developed = (given: unknown, more = {}) => proof({ once: true, given, with: more, see: shownPixels })

optionProofs(raw, table, {
  files: { dng: bytes },
  proofs: {
    ...pictures.afterProofs,
    ...changed,
    ...pictures.jpgProofs,
    image_sharpen: developed(3, { image_blur: 1 }),
    background: developed('#00ff00', { image_rotate: 45 }),
    quality: [
      proof({ on: { to: ['tiff'] }, with: { tiff_compression: 'jpeg' }, given: 20, see: bytesOf }),
      pictures.jpgProofs.quality,
    ],
    strip: [proof({ on: { to: ['tiff', 'png'] }, given: false, see: bytesOf }), proof({ given: false, see: bytesOf })],
    tiff_compression: { ...pictures.writtenProofs.tiff_compression, on: {} },
    webp_lossless: proof({ given: true, see: bytesOf }),
    webp_effort: proof({ given: 0, see: bytesOf }),
    raw_white_balance: developed('daylight'),
    raw_brightness: developed(50),
    raw_half_size: developed(true),
    raw_highlights: developed('rebuild'),
    raw_denoise: developed(1000),
  },
})
