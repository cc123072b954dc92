import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { engineContract } from '../../test/contract/engine.ts'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import * as pictures from '../../test/support/picture-proofs.ts'
import { animation, colourAt, corners, noise as harsh, near, photo } from '../../test/support/samples.ts'
import { Failure } from '../core/errors.ts'
import { gifArgs, gifStep, readDelays, slower } from './gifsicle/args.ts'
import { gifsicle } from './gifsicle.ts'

const table = await bench(gifsicle)
const { make } = table
const look = (bytes: Uint8Array) => sharpLibrary(bytes, { animated: true }).metadata()
const bytes = await photo().gif({ effort: 1 }).toBuffer()
const moving = await animation('gif', ['#ff0000', '#00ff00', '#0000ff', '#ffff00'], [100, 100, 100, 100])
const compress = async (given: Record<string, unknown> = {}, of: Buffer = bytes): Promise<Buffer> =>
  (await make('compress', { ext: 'gif', bytes: of }, 'gif', given)).files[0]!

engineContract(gifsicle, table, {
  files: { gif: moving },
  async opens(made) {
    const { pages, width, loop } = await look(made)
    assert.deepEqual([pages, width, loop], [4, 40, 0])
    await sharpLibrary(made, { animated: true, failOn: 'warning' }).stats()
  },
})

const colours = async (of: Buffer): Promise<number> =>
  new Set((await sharpLibrary(of).removeAlpha().raw().toBuffer()).toString('hex').match(/.{6}/g)).size

describe('compressing a GIF', () => {
  it('makes it smaller, the more the lower the quality', async () => {
    const [usual, low] = [await compress(), await compress({ quality: 20 })]
    assert.ok(usual.length < bytes.length && low.length < usual.length)
    assert.ok((await colours(low)) < (await colours(usual)))
  })

  it('keeps every pixel when told so', async () => {
    const made = await compress({ compress_image: 'lossless' })
    const pixels = (of: Buffer) => sharpLibrary(of).raw().toBuffer()
    assert.ok((await pixels(made)).equals(await pixels(bytes)))
  })

  it('obeys loss, colours, gray and size', async () => {
    const lossless = { compress_image: 'lossless' } as const
    const exact = await compress(lossless)
    assert.ok((await compress({ ...lossless, gif_compress_lossy: 100 })).length < exact.length)
    assert.ok((await colours(await compress({ ...lossless, gif_compress_colors: 8 }))) <= 8)
    const [r, g, b] = (
      await sharpLibrary(await compress({ image_grayscale: true }))
        .removeAlpha()
        .raw()
        .toBuffer()
    ).subarray(0, 3)
    assert.ok(r === g && g === b)
    assert.equal((await look(await compress({ image_custom_width: 100 }))).width, 100)
    assert.equal((await look(await compress({ image_resize_percentage: 50 }))).width, 160)
    const box = await look(await compress({ image_custom_width: 100, image_custom_height: 30 }))
    assert.deepEqual([box.width, box.height], [40, 30])
  })

  it('leaves frames out for fewer a second, and lasts as long', async () => {
    const made = await compress({ gif_compress_fps: 5 }, moving)
    assert.deepEqual((await look(made)).delay, [200, 200])
    assert.ok(near(await colourAt(made, 0.5, 0.5, 1), '#0000ff'))
  })

  it('removes comments unless told not to', async () => {
    const at = bytes.indexOf(Buffer.from([0x21, 0xf9]))
    const start = at > 0 ? at : bytes.indexOf(0x2c)
    const remark = Buffer.from([0x21, 0xfe, 5, ...Buffer.from('hello'), 0])
    const said = Buffer.concat([bytes.subarray(0, start), remark, bytes.subarray(start)])
    assert.ok(!(await compress({}, said)).includes('hello'))
    assert.ok((await compress({ strip: false }, said)).includes('hello'))
  })

  it('reaches a size, or tells the smallest, or loses pixels where it may', async () => {
    const made = await compress({ compress_max_filesize: '30KB' })
    assert.ok(made.length <= 30_000 && made.length > 5_000)
    const refused = compress({ compress_max_filesize: '0.5KB' })
    await assert.rejects(
      refused,
      (error) => error instanceof Failure && /smallest reachable size is [\d.]+ KB/.test(error.message),
    )
    const shrunk = await compress({ compress_max_filesize: '0.5KB', compress_allow_resize: true })
    assert.ok(shrunk.length <= 500 && (await look(shrunk)).width < 320)
  })

  it('gives the file back as it is when nothing smaller comes of it', async () => {
    const small = await compress({ compress_image: 'lossless' })
    const { files, told } = await make('compress', { ext: 'gif', bytes: small }, 'gif', { compress_image: 'lossless' })
    assert.ok(files[0]!.equals(small))
    assert.equal(told.unchanged, true)
  })

  it('says so when a file is damaged', async () => {
    await assert.rejects(compress({}, Buffer.from('GIF89a')), Failure)
  })
})

describe('its arguments', () => {
  it('turn a quality into loss and colours', () =>
    assert.deepEqual(
      [gifStep(100), gifStep(75), gifStep(10)],
      [
        { lossy: 0, colors: 256 },
        { lossy: 40, colors: 256 },
        { lossy: 144, colors: 51 },
      ],
    ))

  it('name the frames that stay', () => {
    const args = gifArgs('/in/0.gif', 'out.gif', gifStep(100), {}, { frames: [{ frame: 2, delay: 7 }] })
    assert.deepEqual(args.slice(-7), ['--unoptimize', '/in/0.gif', '--delay', '7', '#2', '-o', 'out.gif'])
  })

  it('read the times of frames', () => {
    const words = '* in.gif 2 images\n  + image #0 40x30\n    disposal asis delay 0.25s\n  + image #1 40x30\n'
    assert.deepEqual(readDelays(words), [25, 10])
    assert.deepEqual(slower([10, 10, 10, 10], 5), [
      { frame: 0, delay: 20 },
      { frame: 2, delay: 20 },
    ])
  })
})

const { bytesOf, falling } = pictures
const noise = await photo(80, 60).gif().toBuffer()
const { image_resize_fit: _, image_resize_enlarge: __, image_longest_side: ___, ...sizes } = pictures.sizeProofs
const still = pictures.written(() => corners())
const small = Object.fromEntries(Object.entries(sizes).map(([name, each]) => [name, { ...each, sample: still }]))
/** A comment in it. */
const said = Buffer.concat([
  noise.subarray(0, -1),
  Buffer.from([0x21, 0xfe, 6]),
  Buffer.from('Secret'),
  Buffer.from([0, 0x3b]),
])
optionProofs(gifsicle, table, {
  files: { gif: noise },
  proofs: {
    ...small,
    compress_image: proof({ given: 'lossless', with: { quality: 50 }, refused: true }),
    quality: proof({ given: 20, see: bytesOf, shows: falling }),
    compress_max_filesize: proof({ given: '2KB', see: bytesOf, shows: falling }),
    compress_allow_resize: proof({
      sample: await harsh().gif().toBuffer(),
      with: { compress_max_filesize: '1KB' },
      given: true,
      elseFails: true,
      see: bytesOf,
    }),
    gif_compress_lossy: proof({ given: 200, see: bytesOf, shows: falling }),
    gif_compress_colors: proof({ given: 4, see: bytesOf, shows: falling }),
    gif_compress_fps: proof({
      sample: moving,
      given: 4,
      see: async (made, to) => (await pictures.look(made, to)).pages,
    }),
    image_grayscale: { ...pictures.changeProofs.image_grayscale, sample: still },
    strip: proof({ sample: said, given: false, see: pictures.tells, shows: true }),
  },
})
