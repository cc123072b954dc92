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
import type { Ext } from '../catalog/formats.ts'
import { readLook } from './ffmpeg-pictures/args.ts'
import { ffmpegPictures } from './ffmpeg-pictures.ts'

const run = promisify(execFile)
const table = await bench(ffmpegPictures)
const { make } = table
const dir = await mkdtemp(join(tmpdir(), 'reforge-ffmpeg-pictures-'))
after(() => rm(dir, { recursive: true, force: true }))
const one = async (...asked: Parameters<typeof make>): Promise<Buffer> => (await make(...asked)).files[0]!
const png = await corners().png().toBuffer()

/** By the program itself, outside the engine. */
async function through(bytes: Buffer, from: string, to: string, ...args: string[]): Promise<Buffer> {
  await writeFile(join(dir, `a.${from}`), bytes)
  await run('/usr/bin/ffmpeg', ['-v', 'error', '-y', '-i', join(dir, `a.${from}`), ...args, join(dir, `b.${to}`)])
  return readFile(join(dir, `b.${to}`))
}
const qoi = await through(png, 'png', 'qoi')
const gray = await sharpLibrary({ create: { width: 80, height: 40, channels: 3, background: '#808080' } })
  .png()
  .toBuffer()
const exr = await one('convert', { ext: 'png', bytes: png }, 'exr')

/** A reader of its own: what lies at a place, as light, in the order of the names of the channels. */
async function light(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const raw = await through(bytes, 'exr', 'raw', '-f', 'rawvideo', '-pix_fmt', 'gbrpf32le')
  const plane = (index: number) => raw.readFloatLE((index * 3200 + Math.floor(y * 40) * 80 + Math.floor(x * 80)) * 4)
  return [plane(2), plane(0), plane(1)]
}

engineContract(ffmpegPictures, table, {
  files: { png, jpg: await corners().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(), qoi, exr },
  async opens(bytes, ext) {
    const shown = ext === 'png' ? bytes : ext === 'qoi' ? await through(bytes, ext, 'png') : null
    if (!shown) {
      const [red = 0, green = 0, blue = 0] = await light(bytes, 0.1, 0.1)
      assert.ok(red > 0.97 && green < 0.03 && blue < 0.03)
      return
    }
    assert.ok(near(await colourAt(shown, 0.1, 0.1), CORNERS.topLeft))
    assert.ok(near(await colourAt(shown, 0.1, 0.9), CORNERS.bottomLeft))
  },
})

describe('OpenEXR', () => {
  it('counts light: middle gray is a fifth of white', async () => {
    for (const exr_precision of ['half', 'float'] as const) {
      const made = await one('convert', { ext: 'png', bytes: gray }, 'exr', { exr_precision })
      for (const value of await light(made, 0.5, 0.5)) assert.ok(Math.abs(value - 0.2159) < 0.001, `${value}`)
    }
  })

  it('comes back as it was, with what is clear', async () => {
    const clear = await photo(80, 40).ensureAlpha(0.5).png().toBuffer()
    for (const given of [{}, { exr_precision: 'float' }, { exr_compression: 'none' }]) {
      const made = await one('convert', { ext: 'png', bytes: clear }, 'exr', given)
      const back = await one('convert', { ext: 'exr' satisfies Ext, bytes: made }, 'png', { image_bit_depth: '8' })
      const [before, after] = await Promise.all([clear, back].map((each) => sharpLibrary(each).raw().toBuffer()))
      assert.equal(after?.length, before?.length)
      const most = before!.reduce((worst, value, at) => Math.max(worst, Math.abs(value - after![at]!)), 0)
      assert.ok(most <= 1, `${JSON.stringify(given)} is off by ${most}`)
    }
  })

  it('takes what others write, and shows brighter than white as white', async () => {
    const theirs = await through(gray, 'png', 'exr', '-vf', 'format=gbrpf32le', '-compression', 'rle')
    const made = await one('convert', { ext: 'exr', bytes: theirs }, 'png')
    // They noted 0.5 down as light.
    assert.ok(near(await colourAt(made, 0.5, 0.5), '#bcbcbc', 3))
  })
})

it('refuses what is damaged or too big', async () => {
  await assert.rejects(one('convert', { ext: 'exr', bytes: exr.subarray(0, 100) }, 'png'), /could not be read|readable/)
  const huge = Buffer.from(qoi)
  huge.writeUInt32BE(60_000, 4)
  huge.writeUInt32BE(60_000, 8)
  await assert.rejects(one('convert', { ext: 'qoi', bytes: huge }, 'png'), /could not be read/)
})

it('reads what ffprobe says', () => {
  assert.deepEqual(readLook('width=3\nheight=2\npix_fmt=gbrpf32le\n'), { width: 3, height: 2, planes: 3 })
  assert.equal(readLook('rubbish'), null)
})

const before = await sharpLibrary(png).png().toBuffer()
optionProofs(ffmpegPictures, table, {
  files: { png: before, qoi, exr },
  proofs: {
    ...pictures.both(pictures.beforeProofs, { strip: pictures.nothingToKeep }, pictures.afterProofs),
    exr_precision: proof({ given: 'float', see: pictures.bytesOf }),
    exr_compression: proof({
      given: 'none',
      see: ({ files: [file] }) => file!.includes('compression\0compression\0\x01\0\0\0\0'),
    }),
  },
})
