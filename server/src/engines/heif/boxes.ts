/**
 * What a HEIC says of its pictures, read from its own boxes: how big they are, whether one is the transparency of another,
 * whether their colours have a profile, and how they are coded. Nothing is decoded; what makes no sense is left to libheif,
 * which says so.
 */
import { type FileHandle, open } from 'node:fs/promises'

export interface HeifBoxes {
  /** Of the biggest picture. */
  pixels: number
  alpha: boolean
  profile: boolean
  /** Eight bits, one colour for four dots, all of them: just what a JPEG holds. */
  likeJpeg: boolean
}

const MOST_BOXES = 1000
/** Of what is said of the pictures; a photograph needs a few thousand bytes. */
const MOST_SAID = 2 ** 20
/** "urn:mpeg:hevc:2015:auxid:1", or its newer name: a picture that is the transparency of another. */
const ALPHA = /^urn:mpeg:(?:hevc:2015:auxid:1|mpegB:cicp:systems:auxiliary:alpha)/
const PROFILES = ['prof', 'rICC']

/** In a description of HEVC: one byte each for the chroma, the bits of light above eight and those of colour; the rest is set. */
const CHROMA = 16
const LIKE_JPEG = Buffer.from([0xfd, 0xf8, 0xf8])

/** A box: its kind, where its content begins within `head`, and its length with all; null where none begins. */
function boxAt(head: Buffer, at: number): { kind: string; content: number; length: number } | null {
  if (at + 8 > head.length) return null
  const short = head.readUInt32BE(at)
  const long = short === 1 && at + 16 <= head.length
  const length = long ? Number(head.readBigUInt64BE(at + 8)) : short === 0 ? Number.POSITIVE_INFINITY : short
  const before = long ? 16 : 8
  return length < before ? null : { kind: head.toString('latin1', at + 4, at + 8), content: at + before, length }
}

function* boxesIn(bytes: Buffer): Generator<{ kind: string; content: Buffer }> {
  let at = 0
  for (let count = 0; count < MOST_BOXES; count += 1) {
    const box = boxAt(bytes, at)
    if (!box) return
    yield { kind: box.kind, content: bytes.subarray(box.content, Math.min(bytes.length, at + box.length)) }
    at += box.length
  }
}

const within = (bytes: Buffer, kind: string): Buffer[] =>
  [...boxesIn(bytes)].flatMap((box) => (box.kind === kind ? [box.content] : []))

/** The content of the box that describes the file, without its version. */
async function described(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat()
  let at = 0
  for (let count = 0; count < MOST_BOXES && at < size; count += 1) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, at)
    const box = boxAt(buffer.subarray(0, bytesRead), 0)
    if (!box) break
    if (box.kind === 'meta') {
      const length = Math.min(box.length - box.content, MOST_SAID)
      const read = await file.read(Buffer.alloc(length), 0, length, at + box.content)
      return read.buffer.subarray(4, read.bytesRead)
    }
    at += box.length
  }
  return Buffer.alloc(0)
}

export async function readHeif(path: string): Promise<HeifBoxes> {
  await using file = await open(path)
  const found: HeifBoxes = { pixels: 0, alpha: false, profile: false, likeJpeg: false }
  const codings: boolean[] = []
  const properties = within(await described(file), 'iprp').flatMap((each) => within(each, 'ipco'))
  for (const { kind, content } of properties.flatMap((each) => [...boxesIn(each)])) {
    if (kind === 'ispe' && content.length >= 12)
      found.pixels = Math.max(found.pixels, content.readUInt32BE(4) * content.readUInt32BE(8))
    if (kind === 'auxC') found.alpha ||= ALPHA.test(content.toString('latin1', 4))
    if (kind === 'hvcC') codings.push(content.subarray(CHROMA, CHROMA + LIKE_JPEG.length).equals(LIKE_JPEG))
    if (kind === 'colr') found.profile ||= PROFILES.includes(content.toString('latin1', 0, 4))
  }
  return { ...found, likeJpeg: codings.length > 0 && codings.every(Boolean) }
}
