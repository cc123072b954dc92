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

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

interface Layer {
  width: number
  height: number
  left: number
  top: number
  visible: boolean
  /** RGB. */
  pixels: Buffer
}

/** A tile as GIMP packs it: one colour after the other, each as a long run of literal bytes. */
const packed = (pixels: Buffer): Buffer =>
  Buffer.concat(
    [0, 1, 2].flatMap((channel) => {
      const values = pixels.filter((_, at) => at % 3 === channel)
      return [Buffer.from([128, values.length >> 8, values.length & 255]), values]
    }),
  )

/** GIMP's own format, the oldest version: the first layer lies on top. Tiles are 64 pixels wide and high. */
function gimp(layers: readonly Layer[]): Buffer {
  const head = Buffer.concat([Buffer.from('gimp xcf file\0'), u32(WIDTH, HEIGHT, 0, 17, 1), Buffer.of(1), u32(0, 0)])
  const parts: Buffer[] = []
  let at = head.length + (layers.length + 2) * 4
  const put = (bytes: Buffer): number => {
    parts.push(bytes)
    at += bytes.length
    return at - bytes.length
  }
  const places = layers.map(({ width, height, left, top, visible, pixels }) => {
    const tiles: number[] = []
    for (let y = 0; y < height; y += 64)
      for (let x = 0; x < width; x += 64) {
        const rows = Array.from({ length: Math.min(64, height - y) }, (_, row) =>
          pixels.subarray(((y + row) * width + x) * 3, ((y + row) * width + Math.min(width, x + 64)) * 3),
        )
        tiles.push(put(packed(Buffer.concat(rows))))
      }
    const level = put(u32(width, height, ...tiles, 0))
    const hierarchy = put(u32(width, height, 3, level, 0))
    const properties = u32(6, 4, 255, 8, 4, visible ? 1 : 0, 15, 8, left, top, 7, 4, 0, 0, 0)
    return put(Buffer.concat([u32(width, height, 0, 2), Buffer.from('a\0'), properties, u32(hierarchy, 0)]))
  })
  return Buffer.concat([head, u32(...places, 0, 0), ...parts])
}

/** Four quarters, a black spot on them, and over all of it a layer that is switched off. */
export async function xcf(): Promise<Buffer> {
  const pixels = await corners(WIDTH, HEIGHT).raw().toBuffer()
  const whole = { width: WIDTH, height: HEIGHT, left: 0, top: 0 }
  return gimp([
    { ...whole, visible: false, pixels: Buffer.alloc(pixels.length, 200) },
    { width: 20, height: 10, left: 30, top: 15, visible: true, pixels: Buffer.alloc(20 * 10 * 3) },
    { ...whole, visible: true, pixels },
  ])
}

/** DICOM with gray bytes, as a scanner sends them; what is black and what white may be stored along. A second frame is upside down. */
export function dicom(window?: { center: number; width: number }, frames = 1): Buffer {
  const element = (group: number, number: number, kind: string, value: Buffer): Buffer => {
    const long = kind === 'OW' || kind === 'OB'
    const head = Buffer.alloc(long ? 12 : 8)
    head.writeUInt16LE(group, 0)
    head.writeUInt16LE(number, 2)
    head.write(kind, 4, 'latin1')
    if (long) head.writeUInt32LE(value.length, 8)
    else head.writeUInt16LE(value.length, 6)
    return Buffer.concat([head, value])
  }
  const words = (text: string): Buffer => Buffer.from(text.length % 2 === 0 ? text : `${text}\0`)
  const short = (value: number): Buffer => Buffer.from([value & 255, value >> 8])
  const syntax = element(2, 0x10, 'UI', words('1.2.840.10008.1.2.1'))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(syntax.length)
  const row = (left: number, right: number): Buffer => Buffer.alloc(WIDTH, left).fill(right, WIDTH / 2)
  const half = (left: number, right: number): Buffer[] => Array(HEIGHT / 2).fill(row(left, right))
  const pixels = [...half(GRAYS.topLeft, GRAYS.topRight), ...half(GRAYS.bottomLeft, GRAYS.bottomRight)]
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    element(2, 0, 'UL', length),
    syntax,
    element(8, 0x16, 'UI', words('1.2.840.10008.5.1.4.1.1.7')),
    element(0x10, 0x10, 'PN', words('Secret^Patient')),
    element(0x28, 2, 'US', short(1)),
    element(0x28, 4, 'CS', words('MONOCHROME2 ')),
    ...(frames > 1 ? [element(0x28, 8, 'IS', words(String(frames).padEnd(2)))] : []),
    element(0x28, 0x10, 'US', short(HEIGHT)),
    element(0x28, 0x11, 'US', short(WIDTH)),
    element(0x28, 0x100, 'US', short(8)),
    element(0x28, 0x101, 'US', short(8)),
    element(0x28, 0x102, 'US', short(7)),
    element(0x28, 0x103, 'US', short(0)),
    ...(window
      ? [
          element(0x28, 0x1050, 'DS', words(`${window.center} `.slice(0, 4))),
          element(0x28, 0x1051, 'DS', words(`${window.width} `.slice(0, 4))),
        ]
      : []),
    element(0x7fe0, 0x10, 'OB', Buffer.concat([...pixels, ...pixels.toReversed()].slice(0, frames * pixels.length))),
  ])
}
