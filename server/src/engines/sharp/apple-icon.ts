/**
 * Apple's icon files: a row of pictures of different sizes, each under four letters, as PNG, as JPEG 2000 or as bytes in
 * runs. Pure, inside the box; it believes no length.
 */

export interface IconPicture {
  side: number
  /** Pixels are red, green, blue and opacity. */
  as: 'png' | 'jp2' | 'pixels'
  bytes: Buffer
}

/** Sides of pictures that are files of their own; of those that are not; and of masks for the latter. */
const FILES: Readonly<Record<string, number>> = {
  ...{ icp4: 16, icp5: 32, icp6: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256 },
  ...{ ic14: 512, sb24: 24, SB24: 48, icsb: 18, icsB: 36 },
}
const RUNS: Readonly<Record<string, [side: number, mask: string]>> = {
  ...{ is32: [16, 's8mk'], il32: [32, 'l8mk'], ih32: [48, 'h8mk'], it32: [128, 't8mk'] },
}
const OPAQUE_RUNS: Readonly<Record<string, number>> = { ic04: 16, ic05: 32 }
const MOST = 200

/** A byte over 127 says how often the next one comes; another, how many follow as they are. */
function unpacked(bytes: Buffer, length: number): Buffer | null {
  if (bytes.length === length) return bytes
  const out = Buffer.alloc(length)
  let [at, to] = [0, 0]
  while (to < length) {
    const head = bytes[at]
    if (head === undefined) return null
    const count = Math.min(head < 128 ? head + 1 : head - 125, length - to)
    if (head < 128) bytes.copy(out, to, at + 1, at + 1 + count)
    else out.fill(bytes[at + 1] ?? 0, to, to + count)
    at += head < 128 ? 1 + head + 1 : 2
    to += count
  }
  return out
}

function interleaved(side: number, planes: readonly (Buffer | undefined)[]): Buffer {
  const out = Buffer.alloc(side * side * 4, 255)
  for (const [channel, plane] of planes.entries())
    if (plane) for (let at = 0; at < side * side; at++) out[at * 4 + channel] = plane[at] ?? 255
  return out
}

function entriesOf(bytes: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (let at = 8; at + 8 <= bytes.length && found.size < MOST; ) {
    const length = bytes.readUInt32BE(at + 4)
    if (length < 8 || at + length > bytes.length) break
    found.set(bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, at + length))
    at += length
  }
  return found
}

function fileOf(side: number, body: Buffer): IconPicture | null {
  if (body.subarray(1, 4).equals(Buffer.from('PNG'))) return { side, as: 'png', bytes: body }
  const packed = body.subarray(4, 8).equals(Buffer.from('jP  ')) || body.readUInt16BE(0) === 0xff4f
  return packed ? { side, as: 'jp2', bytes: body } : null
}

function runsOf(kind: string, body: Buffer, entries: ReadonlyMap<string, Buffer>): IconPicture | null {
  const [side, mask] = RUNS[kind] ?? [OPAQUE_RUNS[kind] ?? 0, '']
  const pixels = side * side
  if (pixels === 0) return null
  const own = kind in OPAQUE_RUNS
  if (own && body.toString('latin1', 0, 4) !== 'ARGB') return null
  // The biggest of the old ones has four empty bytes in front.
  const planes = unpacked(body.subarray(kind === 'it32' || own ? 4 : 0), pixels * (own ? 4 : 3))
  if (!planes) return null
  const plane = (index: number): Buffer => planes.subarray(index * pixels, (index + 1) * pixels)
  const colours = own ? [plane(1), plane(2), plane(3), plane(0)] : [plane(0), plane(1), plane(2), entries.get(mask)]
  return { side, as: 'pixels', bytes: interleaved(side, colours) }
}

/** Every picture, from the smallest to the biggest. */
export function readAppleIcon(bytes: Buffer): IconPicture[] {
  const entries = entriesOf(bytes)
  const found: IconPicture[] = []
  for (const [kind, body] of entries) {
    const side = FILES[kind]
    const picture = (side !== undefined && body.length > 12 && fileOf(side, body)) || runsOf(kind, body, entries)
    if (picture) found.push(picture)
  }
  return found.sort((a, b) => a.side - b.side)
}
