/** Every option of ImageMagick's formats, seen by ffmpeg and others. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { optionProofs, proof } from '../../test/contract/option-proofs.ts'
import { bench } from '../../test/support/bench.ts'
import {
  afterProofs,
  beforeProofs,
  both,
  bytesOf,
  falling,
  jpgProofs,
  nothingToKeep,
  onceEach,
  profileKept,
  qualityProof,
} from '../../test/support/picture-proofs.ts'
import { corners, photo } from '../../test/support/samples.ts'
import { magickEngine } from './magick.ts'

const table = await bench(magickEngine)
const dir = await mkdtemp(join(tmpdir(), 'reforge-magick-options-'))
after(() => rm(dir, { recursive: true, force: true }))
const png = await corners().png().toBuffer()
const jpg = await corners().jpeg().toBuffer()
const sided = async (side: number): Promise<string> => {
  await writeFile(
    join(dir, `${side}.png`),
    await corners(side, side / 2)
      .png()
      .toBuffer(),
  )
  return join(dir, `${side}.png`)
}
/** By the program itself, outside the engine. */
async function theirs(ext: 'bmp' | 'ico', ...from: string[]): Promise<Buffer> {
  await promisify(execFile)('/usr/bin/convert-im6.q16', [...from, `${ext}:${join(dir, `a.${ext}`)}`])
  return readFile(join(dir, `a.${ext}`))
}
const bmp = await theirs('bmp', await sided(80))
const ico = await theirs('ico', await sided(80), await sided(40))

optionProofs(magickEngine, table, {
  files: { png, jpg, bmp, ico },
  proofs: {
    ...both(
      beforeProofs,
      { strip: [profileKept('bmp'), profileKept('gif'), nothingToKeep] },
      afterProofs,
      onceEach(jpgProofs),
    ),
    page: proof({ given: 2, see: async ({ files: [file] }) => file!.readUInt32BE(16), shows: 40 }),
    quality: [qualityProof(20), jpgProofs.quality],
    gif_colors: proof({ sample: await photo(80, 40).png().toBuffer(), given: '4', see: bytesOf, shows: falling }),
    gif_dither: proof({
      sample: await photo(80, 40).png().toBuffer(),
      with: { gif_colors: '4' },
      given: 0,
      see: bytesOf,
      shows: falling,
    }),
    ico_sizes: [
      proof({ on: { to: ['ico'] }, given: '16,48', see: ({ files: [file] }) => file!.readUInt16LE(4), shows: 2 }),
      proof({ on: { to: ['cur'] }, given: '16,48', see: ({ files: [file] }) => file!.readUInt16LE(4), shows: 2 }),
    ],
    cur_hotspot_x: proof({ given: 50, see: ({ files: [file] }) => file!.readUInt16LE(10), shows: 16 }),
    cur_hotspot_y: proof({ given: 50, see: ({ files: [file] }) => file!.readUInt16LE(12), shows: 16 }),
    dds_compression: proof({
      given: 'none',
      see: ({ files: [file] }) => file!.toString('latin1', 84, 88),
      shows: '\0\0\0\0',
    }),
  },
})
