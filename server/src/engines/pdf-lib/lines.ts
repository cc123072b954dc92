/**
 * The lines of a PNG, filtered as they are in the file, inside the box. Unpacked a piece at a time, so that only an
 * interlaced picture is ever held whole.
 */
import { createInflate } from 'node:zlib'
import { broken, type Png } from './png.ts'
import { DocumentProblem } from './trouble.ts'

const MOST_HELD = 512 * 2 ** 20
/** Where each of the seven passes begins, and in which steps it goes: x, y, by x, by y. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

const bitsOf = ({ depth, colours, alpha }: Png): number => depth * (colours + (alpha ? 1 : 0))
const lineBytes = (png: Png, width: number): number => Math.ceil((width * bitsOf(png)) / 8)

/** Lines of the given lengths, each after its filter's number. */
async function* unpacked(png: Png, lengths: Iterable<number>): AsyncGenerator<Buffer> {
  const wanted = lengths[Symbol.iterator]()
  const inflate = createInflate({ chunkSize: 2 ** 18 })
  // Not by `pipe`: that looks at process.stdout, which then no longer waits for its reader (see resident/inside.ts).
  for (const part of png.data) inflate.write(part)
  inflate.end()
  let rest: Buffer = Buffer.alloc(0)
  let next = wanted.next()
  try {
    for await (const chunk of inflate) {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      for (; !next.done && rest.length > next.value; next = wanted.next()) {
        if ((rest[0] ?? 5) > 4) throw broken(`filter ${rest[0]}`)
        yield rest.subarray(0, next.value + 1)
        rest = rest.subarray(next.value + 1)
      }
      // What follows the last line is nobody's.
      if (next.done) return
    }
  } catch (error) {
    throw error instanceof DocumentProblem ? error : broken(String(error))
  }
  if (!next.done) throw broken('lines are missing')
}

function* repeated(value: number, times: number): Generator<number> {
  for (let count = 0; count < times; count++) yield value
}

/** What each filter expects of a byte, from those to its left, above it and above that to its left. */
const EXPECTED: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
    return a <= b && a <= c ? left : b <= c ? up : corner
  },
]

/** Takes the filter off a line, in place. `step` is the distance to the pixel before, in bytes; `above` is unfiltered. */
export function unfilter(line: Buffer, above: Buffer | null, step: number): Buffer {
  const expected = EXPECTED[line[0] ?? 0]!
  const pixels = line.subarray(1)
  for (let at = 0; at < pixels.length; at++) {
    const before = at - step
    const left = before >= 0 ? pixels[before]! : 0
    const corner = before >= 0 && above ? above[before]! : 0
    pixels[at] = pixels[at]! + expected(left, above ? above[at]! : 0, corner)
  }
  return pixels
}

/** Puts the pixels of a pass where they belong. */
function scatter(pixels: Buffer, into: Buffer, bits: number, count: number, first: number, by: number): void {
  const size = bits / 8
  const mask = (1 << bits) - 1
  for (let index = 0; index < count; index++) {
    const x = first + index * by
    if (bits >= 8) pixels.copy(into, x * size, index * size, (index + 1) * size)
    else {
      const value = (pixels[(index * bits) >> 3]! >> (8 - bits - ((index * bits) & 7))) & mask
      into[(x * bits) >> 3]! |= value << (8 - bits - ((x * bits) & 7))
    }
  }
}

async function* woven(png: Png): AsyncGenerator<Buffer> {
  const bits = bitsOf(png)
  const whole = lineBytes(png, png.width)
  if (whole * png.height > MOST_HELD) throw new DocumentProblem('too-complex', 'an interlaced picture of that size')
  const picture = Buffer.alloc(whole * png.height)
  const passes = PASSES.map(([x, y, byX, byY]) => ({
    ...{ x, y, byX, byY },
    width: Math.ceil((png.width - x) / byX),
    height: Math.ceil((png.height - y) / byY),
  })).filter(({ width, height }) => width > 0 && height > 0)
  const order = passes.flatMap((pass) => Array.from({ length: pass.height }, (_, line) => ({ pass, line })))
  let above: Buffer | null = null
  let at = 0
  for await (const line of unpacked(
    png,
    order.map(({ pass }) => lineBytes(png, pass.width)),
  )) {
    const { pass, line: number } = order[at++]!
    above = unfilter(line, number === 0 ? null : above, Math.max(1, bits >> 3))
    const start = (pass.y + number * pass.byY) * whole
    scatter(above, picture.subarray(start, start + whole), bits, pass.width, pass.x, pass.byX)
  }
  for (let y = 0; y < png.height; y++) yield differences(picture, y, whole)
}

/** A line as the differences to the one above, which pack better. */
function differences(picture: Buffer, y: number, length: number): Buffer {
  const line = Buffer.alloc(length + 1)
  line[0] = 2
  const start = y * length
  for (let at = 0; at < length; at++) {
    line[at + 1] = picture[start + at]! - (y > 0 ? picture[start - length + at]! : 0)
  }
  return line
}

/** All lines from top to bottom, each after its filter's number. */
export const linesOf = (png: Png): AsyncGenerator<Buffer> =>
  png.interlaced ? woven(png) : unpacked(png, repeated(lineBytes(png, png.width), png.height))
