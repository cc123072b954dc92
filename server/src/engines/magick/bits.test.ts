import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharpLibrary from 'sharp'
import { bench } from '../../../test/support/bench.ts'
import { colourAt } from '../../../test/support/samples.ts'
import { magickEngine } from '../magick.ts'

const { make } = await bench(magickEngine)
const one = async (...asked: Parameters<typeof make>): Promise<Buffer> => (await make(...asked)).files[0]!

describe('a picture is read that has', () => {
  it('five bits a colour, and one of transparency', async () => {
    const head = Buffer.alloc(18)
    head.set([2, 0, 0], 2)
    head.set([2, 0, 1, 0, 16, 0x21], 12)
    // One bit of transparency and five of each colour: red, then nothing.
    const five = Buffer.concat([head, Buffer.from([0x00, 0xfc, 0x00, 0x00])])
    const { data } = await sharpLibrary(await one('convert', { ext: 'tga', bytes: five }, 'png'))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.deepEqual([...data.subarray(0, 4), data[7]], [255, 0, 0, 255, 0])
  })

  it('nine, ten or twelve bits', async () => {
    for (const most of [511, 1023, 4095]) {
      const pixels = Buffer.alloc(4)
      pixels.writeUInt16BE(most, 0)
      const bytes = Buffer.concat([Buffer.from(`P5 2 1 ${most}\n`), pixels])
      const made = await one('convert', { ext: 'pgm', bytes }, 'png')
      assert.equal((await sharpLibrary(made).metadata()).depth, 'ushort')
      assert.deepEqual([await colourAt(made, 0.1, 0.5), await colourAt(made, 0.9, 0.5)], ['#ffffff', '#000000'])
    }
  })

  it('one bit, and a mask', async () => {
    // An icon of two colours, one bit each, and a mask that lets the left half through.
    const icon = Buffer.alloc(6 + 16 + 40 + 8 + 64 + 64)
    icon.set([0, 0, 1, 0, 1, 0, 16, 16, 2, 0, 1, 0, 1, 0])
    icon.writeUInt32LE(icon.length - 22, 14)
    icon.writeUInt32LE(22, 18)
    for (const [value, at] of [
      [40, 0],
      [16, 4],
      [32, 8],
    ] as const)
      icon.writeInt32LE(value, 22 + at)
    icon.set([1, 0, 1, 0], 22 + 12)
    icon.fill(0xff, 22 + 44, 22 + 47)
    for (let row = 0; row < 16; row += 1) {
      icon.set([0xff, 0xff], 22 + 48 + 4 * row)
      icon.set([0x00, 0xff], 22 + 48 + 64 + 4 * row)
    }
    const shown = sharpLibrary(await one('convert', { ext: 'ico', bytes: icon }, 'png')).ensureAlpha()
    const clear = (await shown.raw().toBuffer()).subarray(0, 64)
    assert.deepEqual([...clear.subarray(0, 4), clear[63]], [255, 255, 255, 255, 0])
  })
})
