/** A RAR (the old kind, and without packing) of some files. Nothing free writes them, but a stored one is simple. */
import { crc32 } from 'node:zlib'

/** A block: two bytes of checksum over the rest of its head, its kind, flags and length. */
function block(kind: number, flags: number, rest: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(kind, 0)
  head.writeUInt16LE(flags, 1)
  head.writeUInt16LE(7 + rest.length, 3)
  const sum = Buffer.alloc(2)
  sum.writeUInt16LE(crc32(Buffer.concat([head, rest])) & 0xffff)
  return Buffer.concat([sum, head, rest])
}

function file(name: string, bytes: Uint8Array): Buffer {
  const rest = Buffer.alloc(25)
  rest.writeUInt32LE(bytes.length, 0)
  rest.writeUInt32LE(bytes.length, 4)
  rest.writeUInt8(3, 8)
  rest.writeUInt32LE(crc32(bytes), 9)
  rest.writeUInt8(20, 17)
  rest.writeUInt8(0x30, 18)
  rest.writeUInt16LE(Buffer.byteLength(name), 19)
  rest.writeUInt32LE(0o100644, 21)
  return Buffer.concat([block(0x74, 0x8000, Buffer.concat([rest, Buffer.from(name)])), bytes])
}

export const rarOf = (files: Readonly<Record<string, Uint8Array>>): Buffer =>
  Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x00', 'latin1'),
    block(0x73, 0, Buffer.alloc(6)),
    ...Object.entries(files).map(([name, bytes]) => file(name, bytes)),
    block(0x7b, 0x4000, Buffer.alloc(0)),
  ])
