/** Looks at what LibreOffice made with other programs: Poppler, and a reading of the packed parts. */
import assert from 'node:assert/strict'
import { inflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import { drawn } from './pdf-look.ts'
import { through } from './sample-pdf.ts'

/** The parts of a ZIP, by name. */
export function partsOf(bytes: Buffer): Record<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const parts: Record<string, string> = {}
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, name, extra, comment] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const data = bytes.subarray(start, start + size)
    const unpacked = bytes.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data)
    parts[bytes.toString('utf8', at + 46, at + 46 + name)] = unpacked.toString('utf8')
    at += 46 + name + extra + comment
  }
  return parts
}

export interface Info {
  pages: number
  version: string
  tagged: boolean
  encrypted: boolean
}

export async function infoOf(pdf: Uint8Array, ...args: string[]): Promise<Info> {
  const { said } = await through('pdfinfo', [...args, '{}'], pdf)
  const field = (name: string): string => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(said)?.[1] ?? ''
  return {
    pages: Number(field('Pages')),
    version: field('PDF version'),
    tagged: field('Tagged') === 'yes',
    encrypted: field('Encrypted').startsWith('yes'),
  }
}

export const wordsOfPdf = async (pdf: Uint8Array): Promise<string> =>
  (await through('pdftotext', ['-layout', '{}', '-'], pdf)).said.replaceAll(/\s+/g, ' ').trim()

/** Something is to be seen on its first page. */
export async function assertPrinted(pdf: Uint8Array): Promise<void> {
  const { channels } = await sharp(await drawn(pdf, 1, 40)).stats()
  assert.ok(
    channels.some(({ min, max }) => max - min > 50),
    'the first page is not blank',
  )
}
