/** Pixels whose numbers count light, as OpenEXR has them: read from another program, and written. Pure, inside the box. */
import { deflateSync } from 'node:zlib'
import type { Planes, Size } from './plan.ts'

/** The curve of sRGB, IEC 61966-2-1, in 16 bits for light from 0 to 1. */
const CURVE = Uint16Array.from({ length: 65_536 }, (_, step) => {
  const light = step / 65_535
  return Math.round(65_535 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))
})

/** Brighter than white is white; what is no number is black. */
const shown = (light: number): number => CURVE[light >= 1 ? 65_535 : light > 0 ? Math.round(light * 65_535) : 0] ?? 0

/** Where each colour lies among the planes that ffmpeg writes: green, blue, red, opacity. */
const ORDER = { 1: [0], 3: [2, 0, 1], 4: [2, 0, 1] } as const

/** 16 bits a channel. Colours were multiplied by their opacity, and are no more. Null where bytes are missing. */
export function readLinear(bytes: Buffer, { width, height, planes }: Planes): Uint16Array | null {
  const count = width * height
  if (count === 0 || bytes.length < count * planes * 4) return null
  const light = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + count * planes * 4))
  const pixels = new Uint16Array(count * planes)
  for (let pixel = 0; pixel < count; pixel++) {
    const opacity = planes === 4 ? Math.min(1, light[3 * count + pixel] ?? 1) : 1
    const factor = opacity > 0 ? 1 / opacity : 0
    let at = pixel * planes
    for (const plane of ORDER[planes]) pixels[at++] = shown((light[plane * count + pixel] ?? 0) * factor)
    if (planes === 4) pixels[at] = opacity > 0 ? Math.round(opacity * 65_535) : 0
  }
  return pixels
}

/** Half precision: a sign, five bits of exponent, ten of fraction. Enough for light from 0 to 1, with some to spare. */
const halves = (values: Float32Array): Buffer => {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of bits.entries()) {
    const exponent = ((value >>> 23) & 255) - 112
    // Rounded; what is too small for it is nothing.
    const half = exponent <= 0 ? 0 : Math.min(0x7bff, (exponent << 10) + (((value & 0x7fffff) + 0x1000) >>> 13))
    bytes.writeUInt16LE(half, index * 2)
  }
  return bytes
}

const i32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, index * 4)
  return bytes
}

const attribute = (name: string, kind: string, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${name}\0${kind}\0`), i32(value.length), value])

function header({ width, height }: Size, names: readonly string[], half: boolean, packed: boolean): Buffer {
  const channels = names.map((name) => Buffer.concat([Buffer.from(`${name}\0`), i32(half ? 1 : 2, 0, 1, 1)]))
  const box = i32(0, 0, width - 1, height - 1)
  const one = Buffer.alloc(4)
  one.writeFloatLE(1)
  return Buffer.concat([
    i32(0x01312f76, 2),
    attribute('channels', 'chlist', Buffer.concat([...channels, Buffer.of(0)])),
    attribute('compression', 'compression', Buffer.of(packed ? 3 : 0)),
    attribute('dataWindow', 'box2i', box),
    attribute('displayWindow', 'box2i', box),
    attribute('lineOrder', 'lineOrder', Buffer.of(0)),
    attribute('pixelAspectRatio', 'float', one),
    attribute('screenWindowCenter', 'v2f', Buffer.alloc(8)),
    attribute('screenWindowWidth', 'float', one),
    Buffer.of(0),
  ])
}

/** "ZIP": every other byte first, then differences, then deflated; as it is where that is no smaller. */
function zipped(rows: Buffer): Buffer {
  const apart = Buffer.alloc(rows.length)
  const half = (rows.length + 1) >> 1
  for (let at = 0; at < rows.length; at++) apart[(at & 1) * half + (at >> 1)] = rows[at] ?? 0
  const steps = Buffer.from(apart)
  for (let at = 1; at < apart.length; at++) steps[at] = ((apart[at] ?? 0) - (apart[at - 1] ?? 0) + 128) & 255
  const made = deflateSync(steps, { level: 6 })
  return made.length < rows.length ? made : rows
}

export interface ExrWish {
  half: boolean
  packed: boolean
}

/** `pixels` are red, green, blue and perhaps opacity, or gray and perhaps opacity, as floats of light. */
export function writeExr(pixels: Float32Array, size: Size, channels: number, { half, packed }: ExrWish): Buffer {
  const { width, height } = size
  const alpha = channels === 2 || channels === 4
  const colours = channels > 2 ? ['R', 'G', 'B'] : ['Y']
  // Channels stand in the order of their names.
  const order = [...(alpha ? ['A'] : []), ...colours.toReversed()]
  const place = new Map([...colours, 'A'].map((name, index) => [name, index]))
  const line = (y: number): Buffer =>
    Buffer.concat(
      order.map((name) => {
        const values = new Float32Array(width)
        for (let x = 0; x < width; x++) {
          const at = (y * width + x) * channels
          const opacity = alpha && name !== 'A' ? (pixels[at + channels - 1] ?? 1) : 1
          values[x] = (pixels[at + (place.get(name) ?? 0)] ?? 0) * opacity
        }
        return half ? halves(values) : Buffer.from(values.buffer)
      }),
    )
  const lines = packed ? 16 : 1
  const chunks: Buffer[] = []
  for (let y = 0; y < height; y += lines) {
    const rows = Buffer.concat(Array.from({ length: Math.min(lines, height - y) }, (_, row) => line(y + row)))
    const data = packed ? zipped(rows) : rows
    chunks.push(Buffer.concat([i32(y, data.length), data]))
  }
  const head = header(size, order, half, packed)
  let at = head.length + chunks.length * 8
  const offsets = Buffer.alloc(chunks.length * 8)
  for (const [index, chunk] of chunks.entries()) {
    offsets.writeBigUInt64LE(BigInt(at), index * 8)
    at += chunk.length
  }
  return Buffer.concat([head, offsets, ...chunks])
}
