/** Small pictures in formats that sharp does not know, written by hand: four coloured quarters each, or gray ones. */
import sharp from 'sharp'
import { corners } from './samples.ts'

export const WIDTH = 80
export const HEIGHT = 40

/** How bright a gray picture is in its quarters. */
export const GRAYS = { topLeft: 76, topRight: 150, bottomLeft: 29, bottomRight: 226 } as const
/** Rows from the lowest to the uppermost. */
function fromBelow(): Buffer {
  const row = (left: number, right: number): Buffer => Buffer.alloc(WIDTH, left).fill(right, WIDTH / 2)
  const half = (left: number, right: number): Buffer[] => Array(HEIGHT / 2).fill(row(left, right))
  return Buffer.concat([...half(GRAYS.bottomLeft, GRAYS.bottomRight), ...half(GRAYS.topLeft, GRAYS.topRight)])
}

/** Targa, true colour, not packed; `top` says that the first row is the uppermost. */
export async function targa(top: boolean): Promise<Buffer> {
  const head = Buffer.alloc(18)
  head[2] = 2
  head.writeUInt16LE(WIDTH, 12)
  head.writeUInt16LE(HEIGHT, 14)
  head[16] = 24
  head[17] = top ? 0x20 : 0
  const picture = top ? corners(WIDTH, HEIGHT) : sharp(await corners(WIDTH, HEIGHT).png().toBuffer()).flip()
  const pixels = await picture.removeAlpha().raw().toBuffer()
  for (let at = 0; at < pixels.length; at += 3) pixels.subarray(at, at + 3).reverse()
  return Buffer.concat([head, pixels])
}

/** FITS, gray bytes; its first row is the lowest. */
export function fits(): Buffer {
  const card = (name: string, value: string): string => `${name.padEnd(8)}= ${value.padStart(20)}`.padEnd(80)
  const cards = [card('SIMPLE', 'T'), card('BITPIX', '8'), card('NAXIS', '2')]
  const head = [...cards, card('NAXIS1', String(WIDTH)), card('NAXIS2', String(HEIGHT)), 'END'.padEnd(80)].join('')
  const pixels = fromBelow()
  const whole = (length: number): number => Math.ceil(length / 2880) * 2880
  return Buffer.concat([Buffer.from(head.padEnd(2880)), pixels, Buffer.alloc(whole(pixels.length) - pixels.length)])
}
