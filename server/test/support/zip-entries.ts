/** Reads a ZIP by its central directory, as unpackers do. Stored entries only, which is what we write. */
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'

export interface ZipEntry {
  name: string
  bytes: Buffer
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50

export function zipEntries(zip: Buffer): ZipEntry[] {
  const end = zip.length - 22
  assert.equal(zip.readUInt32LE(end), END, 'the archive ends with its directory')
  let at = zip.readUInt32LE(end + 16)
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    assert.equal(zip.readUInt32LE(at), CENTRAL)
    assert.equal(zip.readUInt16LE(at + 10), 0, 'the entry is stored')
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength!)
    const bytes = entryAt(zip, zip.readUInt32LE(at + 42), zip.readUInt32LE(at + 24))
    assert.equal(crc32(bytes), zip.readUInt32LE(at + 16), `the checksum of ${name} is right`)
    at += 46 + nameLength! + extra! + comment!
    return { name, bytes }
  })
}

function entryAt(zip: Buffer, offset: number, size: number): Buffer {
  assert.equal(zip.readUInt32LE(offset), LOCAL)
  const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
  return zip.subarray(start, start + size)
}
