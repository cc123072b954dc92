/** Documents of programs that are gone, put together byte by byte: WordPerfect, Works, Publisher and CorelDRAW. */
import { compoundFile } from '../../src/engines/office/compound-file.ts'

const u16 = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)

/** WordPerfect 5.1: where the text begins, which program, kind and version, no password; then the text. */
export const wpd = (words: string): Buffer =>
  Buffer.concat([
    Buffer.from('\xffWPC', 'latin1'),
    u32(16),
    Buffer.of(1, 10, 0, 1),
    u16(0, 0),
    Buffer.from(`${words}\n`),
  ])

/** Works 4: a header of 256 bytes that tells where the text is and how big the page, in a compound file. */
export function wps(words: string): Buffer {
  const text = Buffer.from(`${words}\r\n`)
  const header = Buffer.alloc(256)
  header.set([6, 0xfe], 0)
  header.set(u32(256, 256, 256, 256 + text.length, 512 + text.length), 26)
  header.set(u16(1440, 1440, 1800, 1800, 15840, 12240), 100)
  return compoundFile({ MN0: Buffer.concat([header, text, Buffer.alloc(256)]), MM: Buffer.alloc(4) })
}

const EMU = 914_400

/** Publisher 97: a text, and pieces that say how big the page is and where on it the text stands, in a compound file. */
export function pub(words: string): Buffer {
  const text = Buffer.from(`${words}\r\n\f`)
  const head = Buffer.alloc(1024)
  head.set([0xe8, 0xac, 0x22], 0)
  head.set(u32(64), 18)
  head.set(Buffer.concat([u32(256, 256 + text.length), u16(1, 1, 1, 1)]), 78)
  head.set(text, 256)
  const piece = (size: number, kind: number, at: number, values: Buffer): Buffer => {
    const bytes = Buffer.alloc(size)
    bytes.set(u16(kind), 0)
    bytes.set(values, at)
    return bytes
  }
  const pieces = [
    piece(64, 0x15, 20, u32(8 * EMU, 6 * EMU)),
    piece(32, 0x14, 2, u16(0)),
    // From left, top, right, bottom, of a table that is 50 inches wide.
    piece(96, 0, 6, u32(22 * EMU, 23 * EMU, 27 * EMU, 25 * EMU)),
  ]
  const list = [u16(pieces.length)]
  let at = head.length
  for (const [index, { length }] of pieces.entries()) {
    list.push(u16(0, 16 + index, index === 0 ? 0 : 15 + index), u32(at))
    at += length
  }
  head.set(u32(at), 22)
  const contents = Buffer.concat([head, ...pieces, ...list, Buffer.alloc(64)])
  return compoundFile({ Contents: contents }, '0112020000000000c000000000000046')
}

/** CorelDRAW 5: a red rectangle on a page of 8 by 6 inches. */
export function cdr(): Buffer {
  const chunk = (name: string, bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(name), u32(bytes.length), bytes, Buffer.alloc(bytes.length % 2)])
  const list = (kind: string, parts: readonly Buffer[], name = 'LIST'): Buffer =>
    chunk(name, Buffer.concat([Buffer.from(kind), ...parts]))
  const fill = Buffer.concat([u32(1), u16(1, 0, 2), Buffer.alloc(6), Buffer.of(0, 100, 100, 0)])
  // Length, how many values, where their places are, where their kinds; what it is. The kinds stand in reverse order.
  const rectangle = Buffer.concat([
    u16(28, 2, 20, 24, 1),
    u16(3000, 65_536 - 2000, 0),
    u32(1),
    u16(10, 16),
    u16(0x14, 0x1e),
  ])
  const layer = list('layr', [list('obj ', [chunk('loda', rectangle)])])
  const page = list('page', [chunk('flgs', u32(0)), list('gobj', [layer])])
  const head = [chunk('vrsn', u16(500)), chunk('mcfg', u16(8000, 6000)), list('filt', [chunk('fill', fill)])]
  return list('CDR5', [...head, page], 'RIFF')
}
