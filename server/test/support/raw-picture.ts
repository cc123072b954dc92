/** A digital negative, written by hand: a plain mosaic of red, green and blue, as a sensor sees four coloured quarters. */
export const RAW = { width: 128, height: 96 } as const

type Entry = readonly [tag: number, kind: 1 | 2 | 3 | 4 | 5 | 10, values: readonly number[] | string]
const SIZE = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 10: 8 } as const

/** Fractions are given as thousandths. */
function packed(kind: Entry[1], values: readonly number[] | string): Buffer {
  if (typeof values === 'string') return Buffer.from(`${values}\0`)
  const bytes = Buffer.alloc(values.length * SIZE[kind])
  for (const [index, value] of values.entries()) {
    const at = index * SIZE[kind]
    if (kind === 1) bytes.writeUInt8(value, at)
    else if (kind === 3) bytes.writeUInt16LE(value, at)
    else if (kind === 4) bytes.writeUInt32LE(value, at)
    else {
      bytes.writeInt32LE(Math.round(value * 1000), at)
      bytes.writeInt32LE(1000, at + 4)
    }
  }
  return bytes
}

/** Rows of R G, then of G B; each quarter of the picture lights only its own colour, the last all of them. */
function mosaic(): Buffer {
  const { width, height } = RAW
  const pixels = Buffer.alloc(width * height * 2)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = y % 2 === 0 ? (x % 2 === 0 ? 'r' : 'g') : x % 2 === 0 ? 'g' : 'b'
      const lit = y < height / 2 ? (x < width / 2 ? 'r' : 'g') : x < width / 2 ? 'b' : 'rgb'
      pixels.writeUInt16LE(lit.includes(colour) ? 12_000 : 600, (y * width + x) * 2)
    }
  }
  return pixels
}

/** `orientation` as a camera notes it down. */
export function dng(orientation = 1): Buffer {
  const { width, height } = RAW
  const pixels = mosaic()
  const entries: Entry[] = [
    [254, 4, [0]],
    [256, 4, [width]],
    [257, 4, [height]],
    [258, 3, [16]],
    [259, 3, [1]],
    [262, 3, [32_803]],
    [271, 2, 'Reforge'],
    [272, 2, 'Mosaic'],
    [273, 4, [8]],
    [274, 3, [orientation]],
    [277, 3, [1]],
    [278, 4, [height]],
    [279, 4, [pixels.length]],
    [284, 3, [1]],
    [33_421, 3, [2, 2]],
    [33_422, 1, [0, 1, 1, 2]],
    [50_706, 1, [1, 4, 0, 0]],
    [50_708, 2, 'Reforge Mosaic'],
    [50_714, 3, [500]],
    [50_717, 3, [16_000]],
    [50_721, 10, [3.241, -1.537, -0.499, -0.969, 1.876, 0.042, 0.056, -0.204, 1.057]],
    [50_728, 5, [0.5, 1, 0.6]],
    [50_778, 3, [21]],
  ]
  const start = 8 + pixels.length
  let at = start + 2 + entries.length * 12 + 4
  const extra: Buffer[] = []
  const table = entries.map(([tag, kind, values]) => {
    const bytes = packed(kind, values)
    const entry = Buffer.alloc(12)
    entry.writeUInt16LE(tag, 0)
    entry.writeUInt16LE(kind, 2)
    entry.writeUInt32LE(bytes.length / SIZE[kind], 4)
    if (bytes.length <= 4) bytes.copy(entry, 8)
    else {
      entry.writeUInt32LE(at, 8)
      const even = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
      extra.push(even)
      at += even.length
    }
    return entry
  })
  const head = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])
  head.writeUInt32LE(start, 4)
  const count = Buffer.from([entries.length, 0])
  return Buffer.concat([head, pixels, count, ...table, Buffer.alloc(4), ...extra])
}
