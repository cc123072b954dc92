import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench, type Made } from '../../test/support/bench.ts'
import { GRAYS, dicom as picture } from '../../test/support/odd-pictures.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { colourAt } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { dicom } from './dicom.ts'

const table = await bench(dicom)
const { make } = table
const draw = async (bytes: Buffer, given = {}): Promise<Buffer> =>
  (await make('convert', { ext: 'dcm', bytes }, 'png', given)).files[0]!
const grays = async (bytes: Buffer): Promise<number[]> =>
  Promise.all(
    [
      [0.1, 0.1],
      [0.9, 0.1],
      [0.1, 0.9],
      [0.9, 0.9],
    ].map(async ([x = 0, y = 0]) => Number.parseInt((await colourAt(bytes, x, y)).slice(1, 3), 16)),
  )

engineContract(dicom, table, {
  files: { dcm: picture() },
  async opens(bytes) {
    const { width, height } = await sharpLibrary(bytes).metadata()
    assert.deepEqual([width, height], [80, 40])
  },
})

describe('reading DICOM', () => {
  it('shows the darkest as black and the brightest as white, where nothing else is stored', async () => {
    const [topLeft = 0, topRight = 0, bottomLeft, bottomRight] = await grays(await draw(picture()))
    assert.deepEqual([bottomLeft, bottomRight], [0, 255])
    assert.ok(topLeft > 40 && topRight > topLeft && topRight < 200)
  })

  it('shows what is stored as black and white as such', async () => {
    const { topLeft, topRight, bottomLeft, bottomRight } = GRAYS
    const seen = await grays(await draw(picture({ center: 128, width: 256 })))
    for (const [index, gray] of [topLeft, topRight, bottomLeft, bottomRight].entries())
      assert.ok(Math.abs(seen[index]! - gray) <= 1, `${seen} at ${index}`)
  })

  it('says nothing of whom it shows, and what is wrong with a file', async () => {
    assert.ok(!(await draw(picture(), { strip: false })).includes('Secret'))
    await assert.rejects(draw(picture(), { page: 4 }), /has no picture 4/)
    await assert.rejects(draw(picture().subarray(0, 300)), Failure)
  })
})

/** Colours cannot be seen in gray: what they do shows in how bright it is. */
const bright = async ({ files: [file] }: Made): Promise<number> =>
  Math.round((await sharpLibrary(file!).stats()).channels[0]!.mean)
const { image_flip, image_grayscale, image_saturation, ...others } = pictures.afterProofs
optionProofs(dicom, table, {
  files: { dcm: picture() },
  proofs: {
    ...others,
    ...pictures.onceEach(pictures.jpgProofs),
    ...Object.fromEntries(
      ['image_negate', 'image_brightness', 'image_contrast'].map((name) => [
        name,
        proof({ once: true, given: name === 'image_negate' ? true : 50, see: bright }),
      ]),
    ),
    image_blur: proof({ once: true, given: 8, see: ({ files: [file] }) => colourAt(file!, 0.49, 0.2) }),
    image_flip: proof({ once: true, given: 'horizontal', see: ({ files: [file] }) => grays(file!) }),
    background: proof({
      once: true,
      with: { image_rotate: 45 },
      given: '#ffffff',
      see: ({ files: [file] }) => colourAt(file!, 0.02, 0.02),
    }),
    image_grayscale: proof({
      once: true,
      given: true,
      see: async (made, to) => (await pictures.look(made, to)).channels,
    }),
    image_saturation: proof({ once: true, given: 0, idle: 'there is no colour to take away' }),
    dicom_window: proof({
      sample: picture({ center: 128, width: 256 }),
      given: 'range',
      see: ({ files: [file] }) => grays(file!),
    }),
    page: proof({ sample: picture(undefined, 2), given: 2, see: ({ files: [file] }) => grays(file!) }),
  },
})
