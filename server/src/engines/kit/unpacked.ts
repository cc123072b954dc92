/**
 * The text of one entry of a ZIP file, piece by piece and only so far: enough to see what a document asks for before a
 * program reads it. What cannot be unpacked just ends; the program will say what is wrong with it.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import type { PackedEntry } from './packed.ts'

const LOCAL = 0x04034b50
const [STORED, DEFLATED] = [0, 8]

/** At most `most` bytes, as Latin 1: what is looked for is ASCII, and no letter may be cut in half. */
export async function* piecesOf(path: string, entry: PackedEntry, most: number): AsyncGenerator<string> {
  const { method, at, packed } = entry
  if ((method !== STORED && method !== DEFLATED) || packed === 0) return
  const head = Buffer.alloc(30)
  {
    await using file = await open(path)
    await file.read(head, 0, 30, at)
  }
  if (head.readUInt32LE(0) !== LOCAL) return
  const start = at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  const raw = createReadStream(path, { start, end: start + packed - 1 })
  const source = method === STORED ? raw : pipeline(raw, createInflateRaw(), () => {})
  yield* upTo(source, most)
}

/** A file that is text as it is. */
export const piecesOfFile = (path: string, most: number): AsyncGenerator<string> => upTo(createReadStream(path), most)

async function* upTo(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<string> {
  let left = most
  try {
    for await (const piece of source) {
      yield piece.toString('latin1', 0, left)
      left -= piece.length
      if (left <= 0) return
    }
  } catch {
    // Damaged or cut off.
  }
}

export async function textOf(path: string, entry: PackedEntry | undefined, most: number): Promise<string> {
  if (entry === undefined) return ''
  let text = ''
  for await (const piece of piecesOf(path, entry, most)) text += piece
  return Buffer.from(text, 'latin1').toString()
}
