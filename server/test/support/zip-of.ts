/** A ZIP of some files, stored as they are. */
import { crc32 } from 'node:zlib'

export function zipOf(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const parts: Buffer[] = []
  const listed: Buffer[] = []
  let at = 0
  for (const [name, bytes] of Object.entries(files)) {
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(name), 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    listed.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), shared, place, Buffer.from(name))
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), shared, Buffer.from(name), Buffer.from(bytes))
    at += 30 + Buffer.byteLength(name) + bytes.length
  }
  const list = Buffer.concat(listed)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
