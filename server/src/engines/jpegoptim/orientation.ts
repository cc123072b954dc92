/**
 * How a camera was held, noted in a JPEG: the one thing that must outlive its other metadata where no pixel may be touched.
 * Pure; it looks at a few bytes of the header and believes none of them.
 */

const EXIF = Buffer.from('Exif\0\0', 'latin1')
const ORIENTATION = 0x0112

/** The Exif segment, within the first bytes of a JPEG. */
function segment(head: Buffer): Buffer | null {
  let at = 2
  while (at + 10 <= head.length && head[at] === 0xff) {
    const kind = head[at + 1]
    const length = head.readUInt16BE(at + 2)
    if (kind === 0xda || length < 2) return null
    if (kind === 0xe1 && head.subarray(at + 4, at + 10).equals(EXIF)) return head.subarray(at + 10, at + 2 + length)
    at += 2 + length
  }
  return null
}

/** 1 to 8; 1, as it is, when nothing says otherwise. */
export const orientationOf = (head: Buffer): number => orientationIn(segment(head))

/** Of the Exif itself, as other formats have it too. */
export function orientationIn(exif: Buffer | null): number {
  if (!exif || exif.length < 14) return 1
  const little = exif.toString('latin1', 0, 2) === 'II'
  const short = (at: number): number =>
    at + 2 > exif.length ? 0 : little ? exif.readUInt16LE(at) : exif.readUInt16BE(at)
  const start = little ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  for (let index = 0; index < Math.min(short(start), 100); index++) {
    const entry = start + 2 + index * 12
    if (short(entry) !== ORIENTATION) continue
    const value = short(entry + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** Exif that says only that. */
export const orientationExif = (orientation: number): Buffer =>
  Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0])

/** And as a JPEG has it. */
export const orientationSegment = (orientation: number): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xe1, 0, 34]), EXIF, orientationExif(orientation)])
