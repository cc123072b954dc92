/**
 * A TIFF that tells nothing. Its parts point to each other all over the file, so nothing is moved: what is said is taken off
 * the lists and its bytes are made zeros. Pure, inside the box.
 */

/** Descriptions, names, dates, XMP, IPTC, Photoshop, copyright, and what cameras note down. */
const TALK = new Set([269, 270, 271, 272, 285, 305, 306, 315, 316, 700, 33_432, 33_723, 34_377, 37_724, 42_016, 50_839])
const EXIF = 34_665
const GPS = 34_853
const SIZES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
  13: 4,
}
const MOST_LISTS = 10_000

export function bareTiff(given: Buffer): Buffer | null {
  const bytes = Buffer.from(given)
  const order = bytes.toString('latin1', 0, 2)
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return null
  const little = order === 'II'
  const short = (at: number): number => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const writeShort = (value: number, at: number) =>
    little ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  if (short(2) !== 42) return null

  const clear = (entry: number): void => {
    const length = (SIZES[short(entry + 2)] ?? 0) * long(entry + 4)
    const from = long(entry + 8)
    if (length > 4 && from >= 8 && from + length <= bytes.length) bytes.fill(0, from, from + length)
  }

  /** Where a list ends, or null where it does not lie within the file. */
  const endOf = (list: number): number | null => {
    if (list < 8 || list + 2 > bytes.length) return null
    const end = list + 2 + short(list) * 12
    return end + 4 <= bytes.length ? end : null
  }

  /** All of what a camera noted down, places included. */
  const clearList = (list: number, depth = 0): void => {
    const end = endOf(list)
    if (end === null || depth > 2) return
    for (let entry = list + 2; entry < end; entry += 12) {
      clear(entry)
      if (short(entry) === EXIF || short(entry) === GPS || short(entry) === 40_965)
        clearList(long(entry + 8), depth + 1)
    }
    bytes.fill(0, list, end)
  }

  const seen = new Set<number>()
  for (let list = long(4); list !== 0 && seen.size < MOST_LISTS && !seen.has(list); ) {
    seen.add(list)
    const end = endOf(list)
    if (end === null) return null
    const next = Buffer.from(bytes.subarray(end, end + 4))
    let kept = list + 2
    for (let entry = list + 2; entry < end; entry += 12) {
      const tag = short(entry)
      if (tag === EXIF || tag === GPS) clearList(long(entry + 8))
      else if (TALK.has(tag)) clear(entry)
      else {
        bytes.copyWithin(kept, entry, entry + 12)
        kept += 12
      }
    }
    writeShort((kept - list - 2) / 12, list)
    next.copy(bytes, kept)
    bytes.fill(0, kept + 4, end + 4)
    list = long(kept)
  }
  return bytes
}
