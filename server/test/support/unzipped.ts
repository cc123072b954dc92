/** What a ZIP holds, by name, packed or not: read by its directory, with Node's own inflate. */
import { crc32, inflateRawSync } from 'node:zlib'

export function unzipped(zip: Buffer): Record<string, Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const files: Record<string, Buffer> = {}
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, sum, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20)]
    const [nameLength = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const data = zip.subarray(start, start + packed)
    const bytes = method === 0 ? data : inflateRawSync(data)
    if (crc32(bytes) !== sum) throw new Error('a checksum is wrong')
    files[zip.toString('utf8', at + 46, at + 46 + nameLength)] = bytes
    at += 46 + nameLength + extra + comment
  }
  return files
}

/** The text of every entry whose name fits, one after the other. */
export const within = (zip: Buffer, name: RegExp): string =>
  Object.entries(unzipped(zip))
    .filter(([entry]) => name.test(entry))
    .map(([, bytes]) => bytes.toString())
    .join('\n')
