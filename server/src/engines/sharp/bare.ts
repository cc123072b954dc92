/**
 * A picture without its metadata, not a pixel touched: for a picture that cannot be made smaller but should tell nothing.
 * How it was held and what its colours mean stays. Pure, inside the box; null where the file is not as it should be.
 */
import { crc32 } from 'node:zlib'
import { orientationExif, orientationIn, orientationOf, orientationSegment } from '../jpegoptim/orientation.ts'
import { bareHeif } from './bare-heif.ts'
import { bareTiff } from './bare-tiff.ts'
import type { Loader } from './plan.ts'

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** Where the coded data that begins here ends: at the next marker that is neither stuffing nor a restart. */
function codedUntil(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return -1
}

/** The profile stays, and what says how colours are coded. */
function staysInJpeg(kind: number, body: Buffer): boolean {
  if (kind === 0xfe) return false
  if (kind < 0xe0 || kind > 0xef) return true
  if (kind === 0xe2) return ascii(body, 0, 12) === 'ICC_PROFILE\0'
  return (kind === 0xe0 && ascii(body, 0, 5) === 'JFIF\0') || (kind === 0xee && ascii(body, 0, 5) === 'Adobe')
}

function bareJpeg(bytes: Buffer): Buffer | null {
  const held = orientationOf(bytes.subarray(0, 65_536 * 2))
  const parts: Buffer[] = [bytes.subarray(0, 2), ...(held === 1 ? [] : [orientationSegment(held)])]
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const kind = bytes[at + 1] ?? 0
    if (kind === 0xff) {
      at += 1
      continue
    }
    // Whatever follows the end is no part of the picture.
    if (kind === 0xd9) break
    let end = at + 2 + bytes.readUInt16BE(at + 2)
    const stays = staysInJpeg(kind, bytes.subarray(at + 4, end))
    if (kind === 0xda) end = codedUntil(bytes, end)
    if (end < at + 4 || end > bytes.length) return null
    if (stays) parts.push(bytes.subarray(at, end))
    at = end
  }
  return bytes[at] === 0xff && bytes[at + 1] === 0xd9 ? Buffer.concat([...parts, bytes.subarray(at, at + 2)]) : null
}

/** "Critical" chunks have a capital first letter; of the others those that say how the picture looks. */
const LOOKS = new Set('tRNS gAMA cHRM sRGB iCCP sBIT bKGD hIST pHYs sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(' '))

function pngChunk(name: string, body: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(name, 'latin1'), body, Buffer.alloc(4)])
  chunk.writeUInt32BE(body.length, 0)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

function barePng(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = [bytes.subarray(0, 8)]
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const name = ascii(bytes, at + 4, at + 8)
    if (end > bytes.length) return null
    if (/^[A-Z]/.test(name) || LOOKS.has(name)) parts.push(bytes.subarray(at, end))
    else if (name === 'eXIf') {
      const held = orientationIn(bytes.subarray(at + 8, end - 4))
      if (held !== 1) parts.push(pngChunk('eXIf', orientationExif(held)))
    }
    if (name === 'IEND') return Buffer.concat(parts)
    at = end
  }
  return null
}

const WEBP = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04]

function bareWebp(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = []
  let held = 1
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    const name = ascii(bytes, at, at + 4)
    if (end > bytes.length + 1) return null
    if (WEBP.has(name)) parts.push(Buffer.from(bytes.subarray(at, end)))
    else if (name === 'EXIF') {
      const exif = bytes.subarray(at + 8, end)
      held = orientationIn(ascii(exif, 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)
    }
    at = end
  }
  const [first] = parts
  if (!first) return null
  if (ascii(first, 0, 4) === 'VP8X') first[8] = ((first[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (held === 1 ? 0 : HAS_EXIF)
  const exif = orientationExif(held)
  const noted = [Buffer.from('EXIF'), Buffer.from([exif.length, 0, 0, 0]), exif]
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts, ...(held === 1 ? [] : noted)])
  const head = Buffer.from('RIFF\0\0\0\0')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** Behind the last of a row of blocks, each with its length in front. */
function blocksEnd(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

const palette = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
/** How often it plays, and its colours. */
const SPOKEN = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

function bareGif(bytes: Buffer): Buffer | null {
  if (bytes.length < 14) return null
  let at = 13 + palette(bytes[10] ?? 0)
  const parts: Buffer[] = [bytes.subarray(0, at)]
  while (at < bytes.length) {
    const [kind, label] = [bytes[at], bytes[at + 1]]
    if (kind === 0x3b) return Buffer.concat([...parts, bytes.subarray(at, at + 1)])
    if (kind !== 0x21 && kind !== 0x2c) return null
    const end = blocksEnd(bytes, kind === 0x21 ? at + 2 : at + 11 + palette(bytes[at + 9] ?? 0))
    if (end > bytes.length) return null
    const talk = kind === 0x21 && (label === 0xfe || (label === 0xff && !SPOKEN.has(ascii(bytes, at + 3, at + 14))))
    if (!talk) parts.push(bytes.subarray(at, end))
    at = end
  }
  return null
}

const BARE: Partial<Record<Loader, (bytes: Buffer) => Buffer | null>> = {
  jpeg: bareJpeg,
  png: barePng,
  webp: bareWebp,
  gif: bareGif,
  tiff: bareTiff,
  heif: bareHeif,
}

export const bare = (bytes: Buffer, loader: Loader): Buffer | null => BARE[loader]?.(bytes) ?? null
