/** Formats that no program here writes, put together byte by byte: small, but real. */
import { zipOf } from './zip-of.ts'

const u16 = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)

/** A red rectangle. */
export function wmf(): Buffer {
  const record = (what: number, ...values: readonly number[]): Buffer =>
    Buffer.concat([u32(values.length + 3), u16(what, ...values)])
  const records = [
    record(0x020b, 0, 0), // origin
    record(0x020c, 1000, 1000), // extent
    record(0x02fc, 0, 0x00ff, 0, 0), // a solid red brush
    record(0x012d, 0),
    record(0x041b, 900, 900, 100, 100), // bottom, right, top, left
    record(0),
  ]
  const size = records.reduce((sum, { length }) => sum + length, 18) / 2
  const header = Buffer.concat([u16(1, 9, 0x0300), u32(size), u16(1), u32(7), u16(0)])
  const placed = Buffer.concat([u32(0x9ac6cdd7), u16(0, 0, 0, 1000, 1000, 1000), u32(0)])
  let sum = 0
  for (let at = 0; at < 20; at += 2) sum ^= placed.readUInt16LE(at)
  return Buffer.concat([placed, u16(sum), header, ...records])
}

/** A red rectangle too. */
export function emf(): Buffer {
  const record = (what: number, ...values: readonly number[]): Buffer => u32(what, values.length * 4 + 8, ...values)
  const records = [
    record(39, 1, 0, 0x0000ff, 0), // a solid red brush
    record(37, 1),
    record(43, 10, 10, 90, 90),
    record(14, 0, 16, 20),
  ]
  const bytes = records.reduce((sum, { length }) => sum + length, 88)
  const frame = [0, 0, 100, 100, 0, 0, 2646, 2646]
  const rest = [0x464d4520, 0x10000, bytes, records.length + 1, 2, 0, 0, 0, 1000, 1000, 265, 265]
  return Buffer.concat([record(1, ...frame, ...rest), ...records])
}

/** A workbook of one cell, in Excel's binary format. */
export function xlsb(words: string): Buffer {
  const number = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, value >> 7])
  const record = (what: number, ...parts: readonly Buffer[]): Buffer => {
    const data = Buffer.concat(parts)
    return Buffer.concat([Buffer.from([...number(what), ...number(data.length)]), data])
  }
  const wide = (text: string): Buffer => Buffer.concat([u32(text.length), Buffer.from(text, 'utf16le')])
  const book = [
    record(131),
    record(143),
    record(156, u32(0, 1), wide('rId1'), wide('Sheet1')),
    record(144),
    record(132),
  ]
  const row = record(0, u32(0, 0), u16(300), Buffer.alloc(3), u32(1, 0, 0))
  const sheet = [record(129), record(145), row, record(6, u32(0, 0), wide(words)), record(146), record(130)]
  const kind = 'application/vnd.ms-excel'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relation = (type: string, target: string): Buffer =>
    Buffer.from(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/${type}" Target="${target}"/></Relationships>`,
    )
  return zipOf({
    '[Content_Types].xml': Buffer.from(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.bin" ContentType="${kind}.sheet.binary.macroEnabled.main"/><Override PartName="/xl/worksheets/sheet1.bin" ContentType="${kind}.worksheet"/></Types>`,
    ),
    '_rels/.rels': relation('officeDocument', 'xl/workbook.bin'),
    'xl/workbook.bin': Buffer.concat(book),
    'xl/_rels/workbook.bin.rels': relation('worksheet', 'worksheets/sheet1.bin'),
    'xl/worksheets/sheet1.bin': Buffer.concat(sheet),
  })
}
