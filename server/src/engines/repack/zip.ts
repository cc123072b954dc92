/**
 * Takes ZIP files apart and puts them together again, in memory and with bounds. Runs inside a box: it imports nothing of
 * ours. Nothing is ever written under a name that an archive gives.
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

export interface Entry {
  /** As it stands in the file, byte for byte. */
  name: Buffer
  utf8: boolean
  stored: boolean
  /** As packed in the archive. */
  packed: Buffer
  crc: number
  size: number
  time: number
  attributes: number
}

export class Unreadable extends Error {}

const LOCAL = 0x04034b50
const LISTED = 0x02014b50
const END = Buffer.from('PK\x05\x06', 'latin1')
const MOST_ENTRIES = 20_000
const MOST_UNPACKED = 2 ** 30
const UTF8 = 0x800
const LOCKED = 0x1

function entryAt(zip: Buffer, at: number): { entry: Entry; next: number } {
  if (at + 46 > zip.length || zip.readUInt32LE(at) !== LISTED) throw new Unreadable('no entry in the directory')
  const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)]
  const [length, size, local] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24), zip.readUInt32LE(at + 42)]
  if (flags & LOCKED || (method !== 0 && method !== 8)) throw new Unreadable('an entry is locked or oddly packed')
  if (local + 30 > zip.length || zip.readUInt32LE(local) !== LOCAL) throw new Unreadable('an entry is not there')
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (start + length > zip.length) throw new Unreadable('an entry is cut off')
  const name = zip.readUInt16LE(at + 28)
  return {
    entry: {
      name: zip.subarray(at + 46, at + 46 + name),
      utf8: (flags & UTF8) !== 0,
      stored: method === 0,
      packed: zip.subarray(start, start + length),
      crc: zip.readUInt32LE(at + 16),
      size,
      time: zip.readUInt32LE(at + 12),
      attributes: zip.readUInt32LE(at + 38),
    },
    next: at + 46 + name + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32),
  }
}

/** The entries in the order of the directory. Refuses what is locked, damaged, or more than any document holds. */
export function takeApart(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(END)
  if (end < 0 || end + 22 > zip.length) throw new Unreadable('no directory')
  const count = zip.readUInt16LE(end + 10)
  if (count > MOST_ENTRIES) throw new Unreadable('too many entries')
  const entries: Entry[] = []
  let [at, total] = [zip.readUInt32LE(end + 16), 0]
  for (let left = count; left > 0; left -= 1) {
    const { entry, next } = entryAt(zip, at)
    total += entry.size
    if (total > MOST_UNPACKED) throw new Unreadable('unpacks to too much')
    entries.push(entry)
    at = next
  }
  return entries
}

/** At most what the directory promised comes out, and it is what was put in. */
export function contentOf({ stored, packed, size, crc }: Entry): Buffer {
  const bytes = stored ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  if (bytes.length !== size || crc32(bytes) !== crc) throw new Unreadable('an entry is damaged')
  return bytes
}

/** The same entry with another content, packed where that makes it smaller. */
export function withContent(entry: Entry, bytes: Buffer, store = false): Entry {
  const deflated = store ? bytes : deflateRawSync(bytes, { level: 9 })
  const stored = store || deflated.length >= bytes.length
  return { ...entry, stored, packed: stored ? bytes : deflated, crc: crc32(bytes), size: bytes.length }
}

/** What both places say of an entry, beginning with the version that reads it. */
function facts({ name, utf8, stored, packed, crc, size, time }: Entry): Buffer {
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt16LE(utf8 ? UTF8 : 0, 2)
  shared.writeUInt16LE(stored ? 0 : 8, 4)
  shared.writeUInt32LE(time, 6)
  shared.writeUInt32LE(crc, 10)
  shared.writeUInt32LE(packed.length, 14)
  shared.writeUInt32LE(size, 18)
  shared.writeUInt16LE(name.length, 22)
  return shared
}

export function putTogether(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const listed: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const shared = facts(entry)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(entry.attributes, 6)
    place.writeUInt32LE(at, 10)
    listed.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), shared, place, entry.name)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), shared, entry.name, entry.packed)
    at += 30 + entry.name.length + entry.packed.length
  }
  const directory = Buffer.concat(listed)
  const end = Buffer.alloc(22)
  END.copy(end)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}
