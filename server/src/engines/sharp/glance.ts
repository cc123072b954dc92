/**
 * What the header of a plain JPEG, PNG, WebP or TIFF says of it: asking the library costs as much as a tenth of converting a
 * small picture. Null for any picture that carries more than pixels, be it a profile or how the camera was held, and for any
 * that is not as it should be: then the library is to say. Pure, inside the box.
 */
import type { Metadata } from 'sharp'
import type { Loader } from './plan.ts'

export type Seen = Pick<
  Metadata,
  'width' | 'height' | 'autoOrient' | 'depth' | 'space' | 'pages' | 'delay' | 'loop' | 'icc'
>

const isMarker = (bytes: Buffer, at: number): boolean => at + 4 <= bytes.length && bytes[at] === 0xff

/** Frames that the decoder knows in every build: eight bits, coded by Huffman, plain or progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2]
/** Tables, comments, and who wrote it: nothing that changes what is seen. */
const PLAIN_SEGMENTS = new Set([0xc4, 0xdb, 0xdd, 0xe0, 0xee, 0xfe])

function glanceJpeg(bytes: Buffer): Seen | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  let seen: Seen | null = null
  for (let at = 2; isMarker(bytes, at); at += 2 + bytes.readUInt16BE(at + 2)) {
    const kind = bytes[at + 1] ?? 0
    // All that is told of a picture comes before its first scan.
    if (kind === 0xda) return seen
    if (!FRAMES.includes(kind)) {
      if (PLAIN_SEGMENTS.has(kind)) continue
      return null
    }
    if (seen || at + 10 > bytes.length || bytes[at + 4] !== 8) return null
    const space = spaceOfJpeg(bytes[at + 9] ?? 0)
    seen = space && picture(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5), 'uchar', space)
    if (!seen) return null
  }
  return null
}

const spaceOfJpeg = (channels: number): Metadata['space'] | null =>
  channels === 3 ? 'srgb' : channels === 1 ? 'b-w' : null

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PLAIN_CHUNKS = new Set(['gAMA', 'cHRM', 'sRGB', 'sBIT', 'pHYs', 'bKGD', 'tIME', 'tRNS'])
const IHDR = 25
const DEPTHS = new Map([
  [8, ['uchar', 'srgb', 'b-w']],
  [16, ['ushort', 'rgb16', 'grey16']],
] as const)
/** With or without an alpha channel; those with a palette are not seen through here. */
const [GRAY, COLOURED] = [
  [0, 4],
  [2, 6],
]

function glancePng(bytes: Buffer): Seen | null {
  if (bytes.length < 8 + IHDR || !bytes.subarray(0, 8).equals(SIGNATURE)) return null
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  const [bits = 0, kind = 0] = bytes.subarray(24, 26)
  const depth = DEPTHS.get(bits as 8 | 16)
  if (!depth || !(GRAY.includes(kind) || COLOURED.includes(kind))) return null
  for (let at = 8 + IHDR; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'IDAT')
      return picture(bytes.readUInt32BE(16), bytes.readUInt32BE(20), depth[0], depth[COLOURED.includes(kind) ? 1 : 2])
    if (!PLAIN_CHUNKS.has(name)) return null
  }
  return null
}

/** What carries more than one picture of pixels is marked as extended. */
function glanceWebp(bytes: Buffer): Seen | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return null
  const kind = bytes.toString('latin1', 8, 16)
  if (kind === 'WEBPVP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return picture(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff, 'uchar', 'srgb')
  if (kind !== 'WEBPVP8L' || bytes[20] !== 0x2f) return null
  const sides = bytes.readUInt32LE(21)
  return picture((sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1, 'uchar', 'srgb')
}

/** What a TIFF says in its list by number, and changes nothing of what is seen: where the bytes are, how packed, how big a dot is. */
const PLAIN_TAGS = new Set([273, 278, 279, 282, 283, 296, 317, 322, 323, 324, 325])
/** What does, with the values of a plain picture. */
const TELLING_TAGS = new Map<number, readonly number[]>([
  [254, [0]], // Whole, no preview or mask.
  [258, [8, 16]], // Bits of a sample.
  [259, [1, 5, 8]], // As it is, LZW, deflate.
  [262, [1, 2]], // Gray, colours.
  [266, [1]], // The highest bit first.
  [274, [1]], // Upright.
  [277, [1, 3]], // Samples of a dot.
  [284, [1]], // Side by side.
  [339, [1]], // Whole numbers.
])
const [WIDTH, HEIGHT, BITS, SHADE, SAMPLES] = [256, 257, 258, 262, 277]
const [SHORT, LONG] = [3, 4]

function glanceTiff(bytes: Buffer): Seen | null {
  if (bytes.length < 8 || bytes.toString('latin1', 0, 4) !== 'II*\0') return null
  const list = bytes.readUInt32LE(4)
  if (list < 8 || list + 2 > bytes.length) return null
  const end = list + 2 + bytes.readUInt16LE(list) * 12
  // There may be another picture behind this one.
  if (end + 4 > bytes.length || bytes.readUInt32LE(end) !== 0) return null
  const said = new Map<number, number>()
  for (let entry = list + 2; entry < end; entry += 12) {
    const tag = bytes.readUInt16LE(entry)
    if (PLAIN_TAGS.has(tag)) continue
    const value = numberIn(bytes, entry)
    const plain = TELLING_TAGS.get(tag)?.includes(value ?? -1) ?? (tag === WIDTH || tag === HEIGHT)
    if (!plain || value === null || said.has(tag)) return null
    said.set(tag, value)
  }
  const depth = DEPTHS.get(said.get(BITS) as 8 | 16)
  const coloured = said.get(SHADE) === 2
  if (!depth || !said.has(SHADE) || said.get(SAMPLES) !== (coloured ? 3 : 1)) return null
  const seen = picture(said.get(WIDTH) ?? 0, said.get(HEIGHT) ?? 0, depth[0], depth[coloured ? 1 : 2])
  return seen && { ...seen, pages: 1 }
}

/** What an entry says, in one number; null where it says several different ones, or something else. */
function numberIn(bytes: Buffer, entry: number): number | null {
  const [kind, count] = [bytes.readUInt16LE(entry + 2), bytes.readUInt32LE(entry + 4)]
  if (count === 1)
    return kind === SHORT ? bytes.readUInt16LE(entry + 8) : kind === LONG ? bytes.readUInt32LE(entry + 8) : null
  const from = bytes.readUInt32LE(entry + 8)
  if (kind !== SHORT || count !== 3 || from + 6 > bytes.length) return null
  const [first, ...rest] = [0, 2, 4].map((at) => bytes.readUInt16LE(from + at))
  return rest.every((value) => value === first) ? (first ?? null) : null
}

const picture = (width: number, height: number, depth: Metadata['depth'], space: Metadata['space']): Seen | null =>
  width > 0 && height > 0 ? { width, height, autoOrient: { width, height }, depth, space } : null

const GLANCES: Partial<Record<Loader, (bytes: Buffer) => Seen | null>> = {
  jpeg: glanceJpeg,
  png: glancePng,
  webp: glanceWebp,
  tiff: glanceTiff,
}

export const glance = (bytes: Buffer, loader: Loader): Seen | null => GLANCES[loader]?.(bytes) ?? null
