/**
 * What a ZIP file says it holds, read from its directory before a program unpacks it: bombs are refused here, by their own
 * word. Nothing is unpacked. A directory may lie; then the limits of the box end the program.
 */
import { open } from 'node:fs/promises'
import type { InputFile } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'

export interface PackedEntry {
  name: string
  packed: number
  unpacked: number
  /** Where it begins in the file, and how it is packed. */
  at: number
  method: number
}

const MB = 2 ** 20
const MOST_ENTRIES = 20_000
const MOST_DIRECTORY = 8 * MB
const MOST_UNPACKED = 1024 * MB
/** Deflate makes at best 1032 of one; text of a book hardly 20. Small files may do as they like. */
const MOST_RATIO = 200
const RATIO_FROM = 16 * MB
const END = 0x06054b50
const LISTED = 0x02014b50

/** Adobe's and Apple's locks leave these beside a book; fonts that are only veiled do not. */
const RIGHTS = ['META-INF/rights.xml', 'META-INF/sinf.xml']
/** What Office makes of a document with a password. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

export const protectedBook = (filename: string): string =>
  `"${filename}" is protected against copying (DRM) and cannot be converted.`

const lockedDocument = (filename: string): string =>
  `"${filename}" is protected by a password. Save it without first: convert it to odt or pdf with the option document_password.`

const damaged = (filename: string): Failure =>
  new Failure('processing_failed', `"${filename}" could not be read: it is damaged or incomplete.`)

/** Every entry of the directory, in its order. */
function listed(directory: Buffer, count: number): PackedEntry[] | null {
  const entries: PackedEntry[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== LISTED) return null
    const name = directory.readUInt16LE(at + 28)
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + name),
      packed: directory.readUInt32LE(at + 20),
      unpacked: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
      method: directory.readUInt16LE(at + 10),
    })
    at += 46 + name + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

export async function packedEntries({ path, size, filename }: Pick<InputFile, 'path' | 'size' | 'filename'>) {
  await using file = await open(path)
  if ((await file.read(Buffer.alloc(8), 0, 8, 0)).buffer.equals(OLE))
    throw new Failure('processing_failed', lockedDocument(filename))
  const length = Math.min(size, 22 + 0xffff)
  const tail = (await file.read(Buffer.alloc(length), 0, length, size - length)).buffer
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + 22 > tail.length || tail.readUInt32LE(end) !== END) throw damaged(filename)
  const [count, bytes, start] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (count > MOST_ENTRIES || bytes > MOST_DIRECTORY)
    throw new Failure('processing_failed', `"${filename}" holds more than ${MOST_ENTRIES} files.`)
  if (start + bytes > size) throw damaged(filename)
  const directory = (await file.read(Buffer.alloc(bytes), 0, bytes, start)).buffer
  const entries = listed(directory, count)
  if (entries === null) throw damaged(filename)
  return entries
}

/** Answers what the file holds, or throws when that is more than any document of its size could be. */
export async function checkPacked(input: Pick<InputFile, 'path' | 'size' | 'filename'>): Promise<PackedEntry[]> {
  const entries = await packedEntries(input)
  if (entries.some(({ name }) => RIGHTS.includes(name)))
    throw new Failure('processing_failed', protectedBook(input.filename))
  const total = entries.reduce((sum, { unpacked }) => sum + unpacked, 0)
  if (total > MOST_UNPACKED || (total > RATIO_FROM && total > input.size * MOST_RATIO))
    throw new Failure(
      'processing_failed',
      `"${input.filename}" unpacks to ${Math.round(total / MB)} MB, which is more than is accepted for its size.`,
    )
  return entries
}
