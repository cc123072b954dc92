/** Sound that is a row of frames without a header in front: several frames in a row must fit, for one fits by chance. */
import { ascii, type Detector, type Finding, found } from './finding.ts'

const KBITS: Record<string, readonly number[]> = {
  '1-2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2-3': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const HERTZ = [44_100, 48_000, 32_000]

interface Frame {
  readonly kind: string
  readonly length: number
}

/** An MPEG audio frame of layer 2 or 3, by its four bytes of header. Layer 1 is long gone, and looks like a UTF-16 mark. */
const mpegFrame = (bytes: Buffer, at: number): Frame | null => {
  if (at + 4 > bytes.length) return null
  const header = bytes.readUInt32BE(at)
  if (header >>> 21 !== 0x7ff) return null
  const version = (header >>> 19) & 3
  const layer = 4 - ((header >>> 17) & 3)
  const hertz = HERTZ[(header >>> 10) & 3]
  const kbits = KBITS[`${version === 3 ? 1 : 2}-${layer}`]?.[((header >>> 12) & 15) - 1]
  if (version === 1 || hertz === undefined || kbits === undefined) return null
  const rate = hertz / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const padding = (header >>> 9) & 1
  const samples = layer === 3 && version !== 3 ? 72_000 : 144_000
  return { kind: `${version}-${layer}`, length: Math.floor((samples * kbits) / rate) + padding }
}

const adtsFrame = (bytes: Buffer, at: number): Frame | null => {
  if (at + 7 > bytes.length || (bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return null
  const length = (bytes.readUInt32BE(at + 3) >>> 13) & 0x1fff
  return length < 7 || ((bytes[at + 2] ?? 0) & 0x3c) > 0x30 ? null : { kind: 'aac', length }
}

/** AAC as it is broadcast: a sync word of eleven bits, then the length. */
const latmFrame = (bytes: Buffer, at: number): Frame | null => {
  if (at + 3 > bytes.length || bytes.readUInt16BE(at) >>> 5 !== 0x2b7) return null
  return { kind: 'latm', length: 3 + (((bytes[at + 1] ?? 0) & 0x1f) << 8) + (bytes[at + 2] ?? 0) }
}

/** How many frames of one kind follow each other, at most five; the last may be cut off. */
const row = (read: typeof mpegFrame, bytes: Buffer, start: number): { count: number; kind: string; ends: boolean } => {
  let at = start
  let kind = ''
  let count = 0
  for (; count < 5; count += 1) {
    const frame = read(bytes, at)
    if (frame === null || (kind !== '' && frame.kind !== kind)) break
    kind = frame.kind
    at += frame.length
  }
  return { count, kind, ends: at >= bytes.length }
}

const named = (kind: string): Finding => (kind.endsWith('-3') ? found('mp3') : found('mp2', 'mp3'))

/** Behind a tag: what it belongs to, or its usual owner when it is too long to see. */
const afterTag = (head: Buffer): Finding => {
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10)
  const at = 10 + ((a << 21) | (b << 14) | (c << 7) | d)
  if (ascii(head, at, at + 4) === 'fLaC') return found('flac')
  if (ascii(head, at, at + 4) === 'TTA1') return found('tta')
  if (ascii(head, at, at + 4) === 'MAC ') return found('ape')
  if (row(adtsFrame, head, at).count >= 2) return found('aac')
  const { count, kind } = row(mpegFrame, head, at)
  if (count >= 2) return named(kind)
  return at >= head.length ? found('mp3', 'aac', 'flac', 'tta', 'ape') : found('mp3', 'aac')
}

/** Some files begin with rubbish: frames are looked for this far. */
const RUBBISH = 4096

export const mpegAudio: Detector = (head) => {
  if (/^ID3[\x02-\x04]/.test(ascii(head, 0, 4))) return afterTag(head)
  if (row(adtsFrame, head, 0).count >= 3 || row(latmFrame, head, 0).count >= 3) return found('aac')
  const first = row(mpegFrame, head, 0)
  if (first.count >= 3) return named(first.kind)
  if (first.count >= 1 && first.ends) return { ...named(first.kind), weak: true }
  for (let at = 1; at < Math.min(RUBBISH, head.length); at += 1) {
    if (head[at] === 0xff && row(mpegFrame, head, at).count >= 4) return named(row(mpegFrame, head, at).kind)
  }
  return null
}

/** Dolby Digital: the next frame begins alike, at most 3840 bytes on. */
export const dolby: Detector = (head) => {
  const sync = Buffer.from([0x0b, 0x77])
  if (head.length < 8 || !head.subarray(0, 2).equals(sync) || (head[5] ?? 0xff) >>> 3 > 16) return null
  const next = head.indexOf(sync, 7)
  return next > 0 && next <= 4096 ? found('ac3') : null
}

/** Monkey's Audio: a version from 3.00 to 4.99 behind the name; "MAC OS" is not. */
export const monkey: Detector = (head) => {
  const version = head.length >= 6 && ascii(head, 0, 4) === 'MAC ' ? head.readUInt16LE(4) : 0
  return version >= 3000 && version < 5000 ? found('ape') : null
}
