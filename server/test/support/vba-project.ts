/** Macros of Word, Excel and PowerPoint, as they lie in documents: the project of [MS-OVBA] in a compound file. */
import { compoundFile } from '../../src/engines/office/compound-file.ts'
import { partsOf } from './office-look.ts'
import { zipOf } from './zip-of.ts'

const u16 = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)

/** "CompressedContainer" in which nothing is shorter for it: a flag before every eight bytes says so. */
function packed(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 8) pieces.push(Buffer.of(0), bytes.subarray(at, at + 8))
  const chunk = Buffer.concat(pieces)
  return Buffer.concat([Buffer.of(1), u16(0xb000 | (chunk.length - 1)), chunk])
}

const record = (id: number, bytes: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([u16(id), u32(bytes.length), bytes])

export interface Module {
  name: string
  /** A part of the document itself, whose events call it. */
  document?: true
  source: string
}

function directory(modules: readonly Module[]): Buffer {
  const text = (id: number, wide: number, words: string): Buffer[] => [
    record(id, Buffer.from(words, 'latin1')),
    record(wide, Buffer.from(words, 'utf16le')),
  ]
  const head = [
    ...[record(0x01, u32(1)), record(0x02, u32(0x409)), record(0x14, u32(0x409)), record(0x03, u16(1252))],
    ...[record(0x04, Buffer.from('VBAProject')), ...text(0x05, 0x40, ''), ...text(0x06, 0x3d, '')],
    ...[record(0x07, u32(0)), record(0x08, u32(0)), u16(0x09), u32(4, 1), u16(0), ...text(0x0c, 0x3c, '')],
    ...[record(0x0f, u16(modules.length)), record(0x13, u16(0xffff))],
  ]
  const listed = modules.flatMap(({ name, document }) => [
    ...[...text(0x19, 0x47, name), ...text(0x1a, 0x32, name), ...text(0x1c, 0x48, '')],
    ...[record(0x31, u32(0)), record(0x1e, u32(0)), record(0x2c, u16(0xffff))],
    ...[record(document ? 0x22 : 0x21), record(0x2b)],
  ])
  return Buffer.concat([...head, ...listed, record(0x10)])
}

function vbaProject(modules: readonly Module[]): Buffer {
  const lines = [
    'ID="{00000000-0000-0000-0000-000000000000}"',
    ...modules.map(({ name, document }) => (document ? `Document=${name}/&H00000000` : `Module=${name}`)),
    'Name="VBAProject"\r\nHelpContextID="0"\r\nVersionCompatible32="393222000"\r\nCMG=""\r\nDPB=""\r\nGC=""\r\n',
  ]
  const streams = modules.map(({ name, source }): [string, Buffer] => [
    name,
    packed(Buffer.from(`Attribute VB_Name = "${name}"\r\n${source.replaceAll('\n', '\r\n')}\r\n`, 'latin1')),
  ])
  return compoundFile({
    PROJECT: Buffer.from(lines.join('\r\n')),
    VBA: {
      dir: packed(directory(modules)),
      _VBA_PROJECT: Buffer.from('cc61ffff000000', 'hex'),
      ...Object.fromEntries(streams),
    },
  })
}

/** The document with macros in it. `main` is its part that they belong to, like word/document.xml. */
export function withMacros(document: Buffer, main: string, modules: readonly Module[]): Buffer {
  const [, folder = '', name = ''] = /^(.*\/)([^/]+)$/.exec(main) ?? []
  const parts = partsOf(document)
  const added = (part: string, before: string, text: string): void => {
    parts[part] = (parts[part] ?? '').replace(before, `${text}${before}`)
  }
  added(
    '[Content_Types].xml',
    '</Types>',
    `<Override PartName="/${folder}vbaProject.bin" ContentType="application/vnd.ms-office.vbaProject"/>`,
  )
  added(
    `${folder}_rels/${name}.rels`,
    '</Relationships>',
    '<Relationship Id="rIdMacros" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>',
  )
  const files = Object.entries(parts).map(([path, text]): [string, Buffer] => [path, Buffer.from(text)])
  return zipOf({ ...Object.fromEntries(files), [`${folder}vbaProject.bin`]: vbaProject(modules) })
}
