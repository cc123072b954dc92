/**
 * The raw formats of several makers, made by hand: their containers around one small mosaic, packed in a way that LibRaw
 * knows of that maker. No camera wrote them: most cameras note down far more, and many pack otherwise.
 */
import sharp from 'sharp'
import type { Ext } from '../../src/catalog/formats.ts'
import { cr3Of } from './cr3-of.ts'
import { losslessJpeg } from './lossless-jpeg.ts'
import { panasonicBlocks, shorts, sonyBlocks, twelves } from './raw-packings.ts'
import { dng, mosaic, mosaicFields, RAW } from './raw-picture.ts'
import { type Field, type Folder, tiffOf } from './tiff-of.ts'

const { width, height } = RAW
const PIXELS = mosaic(3000, 150)

const camera = (make: string, model: string, orientation: number): Field[] => [
  [271, 2, make],
  [272, 2, model],
  [274, 3, [orientation]],
]

/** A small picture for the camera's screen stands first in many; the mosaic is in a folder within. */
const withPreview = (named: readonly Field[], within: Folder): Folder => ({
  fields: [
    ...named,
    [254, 4, [1]],
    [256, 4, [4]],
    [257, 4, [4]],
    [258, 3, [8, 8, 8]],
    [259, 3, [1]],
    [262, 3, [2]],
    [273, 4, Buffer.alloc(48, 128)],
    [277, 3, [3]],
    [278, 4, [4]],
    [279, 4, [48]],
    [330, 4, within],
  ],
})

const nef = (turn: number): Buffer =>
  tiffOf(
    withPreview(camera('NIKON CORPORATION', 'NIKON D850', turn), { fields: mosaicFields(twelves(PIXELS), 12) }),
    'MM\0*',
  )

const nrw = (turn: number): Buffer =>
  tiffOf(withPreview(camera('NIKON', 'COOLPIX P1000', turn), { fields: mosaicFields(twelves(PIXELS, true), 12) }))

const arw = (turn: number): Buffer =>
  tiffOf(
    withPreview(camera('SONY', 'ILCE-7M3', turn), {
      fields: [...mosaicFields(sonyBlocks(mosaic(1400, 60)), 14, 32_767), [0x7010, 3, [8000, 10_400, 12_900, 14_100]]],
    }),
  )

const orf = (turn: number): Buffer =>
  tiffOf(
    { fields: [...camera('OLYMPUS CORPORATION', 'E-M1MarkII', turn), ...mosaicFields(twelves(PIXELS, true), 12)] },
    'IIRO',
  )

const pef = (turn: number): Buffer =>
  tiffOf(
    { fields: [...camera('PENTAX Corporation', 'PENTAX K10D', turn), ...mosaicFields(twelves(PIXELS), 12)] },
    'MM\0*',
  )

const srw = (turn: number): Buffer =>
  tiffOf(withPreview(camera('SAMSUNG', 'NX300', turn), { fields: mosaicFields(twelves(PIXELS), 12) }))

const erf = (turn: number): Buffer =>
  tiffOf(withPreview(camera('SEIKO EPSON CORP.', 'R-D1', turn), { fields: mosaicFields(twelves(PIXELS), 12) }))

/** Canon cuts the picture into upright slices, one behind the other in a single lossless JPEG. */
function cr2(turn: number): Buffer {
  const slice = width / 2
  const sliced = [0, slice].flatMap((left) =>
    Array.from({ length: height }, (_, row) => PIXELS.slice(row * width + left, row * width + left + slice)).flat(),
  )
  const packed = losslessJpeg(sliced, width)
  const mosaicFolder: Folder = {
    fields: [
      [259, 3, [6]],
      [273, 4, packed],
      [279, 4, [packed.length]],
      [50_752, 3, [1, slice, slice]],
    ],
  }
  const first: Folder = { fields: camera('Canon', 'Canon EOS 80D', turn), next: mosaicFolder }
  return tiffOf(first, 'II*\0', 'CR\x02\0\0\0\0\0')
}

const cr3 = (turn: number): Buffer => cr3Of(camera('Canon', 'Canon EOS R', turn))

function rw2(turn: number): Buffer {
  const fields: Field[] = [
    [1, 1, [...Buffer.from('0340')]],
    [2, 3, [width]],
    [3, 3, [height]],
    [4, 3, [0]],
    [5, 3, [0]],
    [6, 3, [height]],
    [7, 3, [width]],
    [9, 3, [1]],
    [10, 3, [12]],
    [11, 3, [34_316]],
    [45, 3, [4]],
    [280, 4, panasonicBlocks(PIXELS)],
    ...camera('Panasonic', 'DMC-G7', turn),
  ]
  return tiffOf({ fields }, 'IIU\0')
}

/** A picture with notes in front, a list of sizes, and the mosaic as a TIFF of its own. */
async function raf(turn: number): Promise<Buffer> {
  const shown = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'grey' } })
    .jpeg()
    .toBuffer()
  const notes = tiffOf({ fields: camera('FUJIFILM', 'X-A5', turn) })
  const begin = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0])
  begin.writeUInt16BE(notes.length + 8, 4)
  const preview = Buffer.concat([begin, Buffer.from('Exif\0\0'), notes, shown.subarray(2)])
  const sizes = Buffer.from([0, 0, 0, 2, 1, 0, 0, 4, 0, height, 0, width, 1, 0x21, 0, 4, 0, height, 0, width])
  const pixels = shorts(mosaic(12_000, 600))
  const within: Folder = {
    fields: [
      [0xf001, 4, [width]],
      [0xf002, 4, [height]],
      [0xf003, 4, [14]],
      [0xf006, 4, [1]],
      [0xf007, 4, pixels],
      [0xf008, 4, [pixels.length]],
    ],
  }
  const parts = [preview, sizes, tiffOf({ fields: [[0xf000, 4, within]] })]
  const head = Buffer.alloc(160)
  head.write('FUJIFILMCCD-RAW 0201FF159502X-A5', 'latin1')
  head.write('0100', 60, 'latin1')
  let at = head.length
  for (const [index, part] of parts.entries()) {
    head.writeUInt32BE(at, 84 + index * 8)
    head.writeUInt32BE(part.length, 88 + index * 8)
    at += part.length
  }
  return Buffer.concat([head, ...parts])
}

/** Each format's, held as `orientation` says. */
export const RAW_SAMPLES = {
  dng,
  cr2,
  cr3,
  nef,
  nrw,
  arw,
  orf,
  pef,
  rw2,
  raf,
  srw,
  erf,
} as const satisfies Partial<Record<Ext, (orientation: number) => Buffer | Promise<Buffer>>>
