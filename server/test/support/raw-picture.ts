/** What a sensor sees of four coloured quarters: a plain mosaic of red, green and blue; and a digital negative of it. */
import { shorts } from './raw-packings.ts'
import { type Field, tiffOf } from './tiff-of.ts'

/** Sides that suit the blocks of all makers: Panasonic packs 14 pixels at once, Sony 32. */
export const RAW = { width: 224, height: 128 } as const

/** Rows of R G, then of G B; each quarter of the picture lights only its own colour, the last all of them. */
export function mosaic(bright: number, dark: number): number[] {
  const { width, height } = RAW
  return Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)]
    const colour = y % 2 === 0 ? (x % 2 === 0 ? 'r' : 'g') : x % 2 === 0 ? 'g' : 'b'
    const lit = y < height / 2 ? (x < width / 2 ? 'r' : 'g') : x < width / 2 ? 'b' : 'rgb'
    return lit.includes(colour) ? bright : dark
  })
}

/** The fields of a mosaic in a TIFF; `bits` a pixel, `packing` as tag 259 has it. */
export const mosaicFields = (pixels: Buffer, bits: number, packing = 1): Field[] => [
  [254, 4, [0]],
  [256, 4, [RAW.width]],
  [257, 4, [RAW.height]],
  [258, 3, [bits]],
  [259, 3, [packing]],
  [262, 3, [32_803]],
  [273, 4, pixels],
  [277, 3, [1]],
  [278, 4, [RAW.height]],
  [279, 4, [pixels.length]],
  [33_421, 3, [2, 2]],
  [33_422, 1, [0, 1, 1, 2]],
]

/** `orientation` as a camera notes it down. */
export const dng = (orientation = 1): Buffer =>
  tiffOf({
    fields: [
      ...mosaicFields(shorts(mosaic(12_000, 600)), 16),
      [271, 2, 'Reforge'],
      [272, 2, 'Mosaic'],
      [274, 3, [orientation]],
      [50_706, 1, [1, 4, 0, 0]],
      [50_708, 2, 'Reforge Mosaic'],
      [50_714, 3, [500]],
      [50_717, 3, [16_000]],
      [50_721, 10, [3.241, -1.537, -0.499, -0.969, 1.876, 0.042, 0.056, -0.204, 1.057]],
      [50_728, 5, [0.5, 1, 0.6]],
      [50_778, 3, [21]],
    ],
  })
