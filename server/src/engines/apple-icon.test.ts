import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { appleIcons, jpeg2000, wideIcon } from '../../test/support/apple-icons.ts'
import { bench } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { CORNERS, colourAt, corners, near } from '../../test/support/samples.ts'
import { appleIcon } from './apple-icon.ts'

const table = await bench(appleIcon)
const { make } = table
const png = await corners(64, 64).png().toBuffer()
const jpg = await corners(64, 64).jpeg().toBuffer()
const icns = await appleIcons()
const look = (bytes: Uint8Array) => sharpLibrary(bytes).metadata()
const read = async (bytes: Buffer, given = {}): Promise<Buffer> =>
  (await make('convert', { ext: 'icns', bytes }, 'png', given)).files[0]!

/** What stands in a file, by its own description: four letters and a length each. */
function entries(bytes: Buffer): Map<string, Buffer> {
  assert.equal(bytes.readUInt32BE(4), bytes.length)
  const found = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at + 4))
    found.set(bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, at + bytes.readUInt32BE(at + 4)))
  return found
}

engineContract(appleIcon, table, {
  files: { png, jpg, icns },
  async opens(bytes, ext) {
    const pictures = ext === 'png' ? [bytes] : [...entries(bytes).values()]
    for (const picture of pictures) assert.ok(near(await colourAt(picture, 0.25, 0.25), CORNERS.topLeft))
  },
})

describe('reading an Apple icon', () => {
  it('takes the biggest picture, or the one asked for, however it is packed', async () => {
    assert.equal((await look(await read(icns))).width, 128)
    for (const [page, width] of [
      [1, 16],
      [2, 16],
      [3, 32],
      [4, 128],
    ] as const) {
      const made = await read(icns, { page })
      assert.equal((await look(made)).width, width)
      const seen = await Promise.all([colourAt(made, 0.2, 0.2), colourAt(made, 0.8, 0.2), colourAt(made, 0.2, 0.8)])
      assert.deepEqual(seen, [CORNERS.topLeft, CORNERS.topRight, CORNERS.bottomLeft], `picture ${page}`)
    }
    await assert.rejects(read(icns, { page: 9 }), /no such page; it has 4 pages/)
  })

  it('knows which parts are clear', async () => {
    for (const page of [1, 2]) {
      const { channels } = await sharpLibrary(await read(icns, { page })).stats()
      assert.deepEqual([channels[3]?.min, channels[3]?.max], [0, 255], `picture ${page}`)
    }
  })

  it('takes JPEG 2000, as old ones have it', async () => {
    const made = await read(await jpeg2000())
    assert.ok(near(await colourAt(made, 0.2, 0.2), CORNERS.topLeft))
  })

  it('says so when it is damaged', async () => {
    await assert.rejects(read(icns.subarray(0, 40)), /not a readable Apple icon/)
  })
})

describe('writing an Apple icon', () => {
  it('makes pictures of the sizes asked for, square, with nothing where nothing is', async () => {
    const wide = await corners(80, 40).png().toBuffer()
    const { files } = await make('convert', { ext: 'png', bytes: wide }, 'icns', { icns_sizes: '16,128' })
    const found = entries(files[0]!)
    assert.deepEqual([...found.keys()], ['icp4', 'ic07'])
    const { width, height, hasAlpha } = await look(found.get('ic07')!)
    assert.deepEqual([width, height, hasAlpha], [128, 128, true])
  })
})

const { image_rotate, 'auto-orient': held, ...changed } = pictures.changesBefore
const small = { icns_sizes: '128' }
/** An icon is square, whichever way what is in it is turned. */
const square = {
  ...changed,
  image_rotate: { ...image_rotate, see: pictures.colour(0.1, 0.1), shows: [0, 0, 240] },
  'auto-orient': { ...held, see: pictures.colour(0.4, 0.05), shows: [0, 0, 0] },
  strip: pictures.carriedProofs.strip,
}
optionProofs(appleIcon, table, {
  files: { png, jpg, icns: wideIcon(await corners(80, 40).png().toBuffer()) },
  options: {},
  proofs: {
    ...pictures.both(
      Object.fromEntries(
        Object.entries(square).map(([name, each]) => [name, { ...each, with: { ...each.with, ...small } }]),
      ),
      pictures.afterProofs,
    ),
    page: proof({ sample: icns, given: 1, see: pictures.sizeOf, shows: '16x16' }),
    icns_sizes: proof({ given: '16', see: ({ files: [file] }) => [...entries(file!).keys()], shows: ['icp4'] }),
  },
})
