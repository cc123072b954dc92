/**
 * An AVIF or HEIC that tells nothing. Items are found by their place in the file, so nothing is moved: Exif and XMP become
 * items of no known kind, all zeros. Pure, inside the box.
 */

interface Span {
  start: number
  end: number
}

const kindAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)

/** The contents of every box of a kind within a span; none where a length makes no sense. */
function boxes(bytes: Buffer, { start, end }: Span, kind: string): Span[] {
  const found: Span[] = []
  for (let at = start; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at)
    const long = size === 1 && at + 16 <= end
    const length = size === 0 ? end - at : long ? Number(bytes.readBigUInt64BE(at + 8)) : size
    if (length < 8 || at + length > end) break
    if (kindAt(bytes, at + 4) === kind) found.push({ start: at + (long ? 16 : 8), end: at + length })
    at += length
  }
  return found
}

/** Items that say something, by their numbers; each loses its kind at once. */
function silenced(bytes: Buffer, list: Span): Set<number> {
  const ids = new Set<number>()
  const head = bytes[list.start] === 0 ? 6 : 8
  for (const { start, end } of boxes(bytes, { start: list.start + head, end: list.end }, 'infe')) {
    const version = bytes[start]
    if ((version !== 2 && version !== 3) || start + (version === 3 ? 14 : 12) > end) continue
    const wide = version === 3
    const at = start + (wide ? 10 : 8)
    const says = bytes.toString('latin1', at, end)
    if (!says.startsWith('Exif') && !(says.startsWith('mime') && says.includes('application/rdf+xml'))) continue
    ids.add(wide ? bytes.readUInt32BE(start + 4) : bytes.readUInt16BE(start + 4))
    bytes.write('skip', at, 'latin1')
  }
  return ids
}

/** Where the bytes of items lie, by their numbers. */
function places(bytes: Buffer, { start, end }: Span, within: Span | undefined, ids: ReadonlySet<number>): Span[] {
  const version = bytes[start] ?? 9
  if (version > 2) return []
  let at = start + 4
  const take = (length: number): number => {
    if (at + length > end) throw new RangeError('a list of places that ends too early')
    const value = length === 0 ? 0 : length === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, length)
    at += length
    return value
  }
  const sizes = take(2)
  const [offset, length, base, index] = [
    sizes >> 12,
    (sizes >> 8) & 15,
    (sizes >> 4) & 15,
    version > 0 ? sizes & 15 : 0,
  ]
  const found: Span[] = []
  for (let count = take(version < 2 ? 2 : 4); count > 0; count--) {
    const id = take(version < 2 ? 2 : 4)
    const method = version > 0 ? take(2) & 15 : 0
    take(2)
    const from = take(base) + (method === 1 ? (within?.start ?? 0) : 0)
    for (let extents = take(2); extents > 0; extents--) {
      take(index)
      const first = from + take(offset)
      const size = take(length)
      if (ids.has(id) && method < 2) found.push({ start: first, end: first + size })
    }
  }
  return found
}

export function bareHeif(given: Buffer): Buffer | null {
  const bytes = Buffer.from(given)
  try {
    const [meta] = boxes(bytes, { start: 0, end: bytes.length }, 'meta')
    if (!meta) return null
    const inside = { start: meta.start + 4, end: meta.end }
    const [list] = boxes(bytes, inside, 'iinf')
    const [table] = boxes(bytes, inside, 'iloc')
    if (!list || !table) return null
    const ids = silenced(bytes, list)
    const [data] = boxes(bytes, inside, 'idat')
    for (const { start, end } of places(bytes, table, data, ids)) {
      if (end > bytes.length || start < 8) return null
      bytes.fill(0, start, end)
    }
    return bytes
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
