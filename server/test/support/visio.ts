/** Drawings of Visio, one page with a framed text, put together byte by byte: the packed kind and the one before it. */
import { compoundFile } from '../../src/engines/office/compound-file.ts'
import { zipOf } from './zip-of.ts'

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CORNERS = [
  [0, 0],
  [4, 0],
  [4, 2],
  [0, 2],
  [0, 0],
] as const

export function vsdx(words: string): Buffer {
  const relation = (kind: string, target: string): Buffer =>
    Buffer.from(
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="http://schemas.microsoft.com/visio/2010/relationships/${kind}" Target="${target}"/></Relationships>`,
    )
  const part = (name: string, kind: string): string =>
    `<Override PartName="/visio/${name}.xml" ContentType="application/vnd.ms-visio.${kind}+xml"/>`
  const xml = (name: string, inner: string): Buffer =>
    Buffer.from(
      `<${name} xmlns="http://schemas.microsoft.com/office/visio/2012/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${inner}</${name}>`,
    )
  const cells = (values: Readonly<Record<string, number>>): string =>
    Object.entries(values)
      .map(([name, value]) => `<Cell N="${name}" V="${value}"/>`)
      .join('')
  const outline = CORNERS.map(
    ([x, y], at) => `<Row T="${at === 0 ? 'MoveTo' : 'LineTo'}" IX="${at + 1}">${cells({ X: x, Y: y })}</Row>`,
  )
  const place = cells({ PinX: 4, PinY: 3, Width: 4, Height: 2, LocPinX: 2, LocPinY: 1 })
  const shape = `<Shape ID="1" Type="Shape">${place}<Section N="Geometry" IX="0">${outline.join('')}</Section><Text>${words}</Text></Shape>`
  const sheet = `<PageSheet>${cells({ PageWidth: 8, PageHeight: 6 })}</PageSheet>`
  return zipOf({
    '[Content_Types].xml': Buffer.from(
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('document', 'drawing.main')}${part('pages/pages', 'pages')}${part('pages/page1', 'page')}</Types>`,
    ),
    '_rels/.rels': relation('document', 'visio/document.xml'),
    'visio/document.xml': xml('VisioDocument', ''),
    'visio/_rels/document.xml.rels': relation('pages', 'pages/pages.xml'),
    'visio/pages/pages.xml': xml('Pages', `<Page ID="0" Name="Page-1">${sheet}<Rel r:id="rId1"/></Page>`),
    'visio/pages/_rels/pages.xml.rels': relation('page', 'page1.xml'),
    'visio/pages/page1.xml': xml('PageContents', `<Shapes>${shape}</Shapes>`),
  })
}

const NONE = 0xffff_ffff
const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)
/** Numbers, each behind its unit: inches. */
const inches = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.flatMap((value) => [Buffer.of(0x20), Buffer.from(Float64Array.of(value).buffer)]))

/** Kinds of pieces, by the numbers the format gives them. */
const KIND = {
  ...{ text: 0x0e, trailer: 0x14, page: 0x15, pages: 0x27, sheet: 0x46, shape: 0x48, shapes: 0x65 },
  ...{ outline: 0x6c, shapeId: 0x83, geometry: 0x89, moveTo: 0x8a, lineTo: 0x8b, size: 0x92, place: 0x9b },
}
/** Some kinds have empty bytes behind them. */
const BEHIND: Readonly<Record<number, number>> = { [KIND.size]: 4, [KIND.shapes]: 12 }

/** A drawing of Visio 2003: streams that point to one another, in a compound file. Nothing in it is packed. */
export function vsd(words: string): Buffer {
  const head = Buffer.alloc(256)
  head.write('Visio (TM) Drawing\r\n')
  head[26] = 11
  const streams = [head]
  let length = head.length
  const stream = (kind: number, how: number, ...parts: readonly Buffer[]): Buffer => {
    const bytes = Buffer.concat(parts)
    const pointer = Buffer.concat([u32(kind, 0, length, bytes.length), Buffer.of(how, 0)])
    streams.push(bytes)
    length += bytes.length
    return pointer
  }
  /** Where the list begins, what is before it, then how many there are. */
  const pointers = (list: readonly Buffer[], before = u32()): Buffer =>
    Buffer.concat([u32(8 + before.length), before, u32(0, list.length, 0), ...list])
  const piece = (kind: number, id: number, level: number, ...parts: readonly Buffer[]): Buffer => {
    const bytes = Buffer.concat(parts)
    return Buffer.concat([
      u32(kind, id, 0, bytes.length),
      Buffer.of(level, 0, 0x50),
      bytes,
      Buffer.alloc(BEHIND[kind] ?? 0),
    ])
  }

  const sheet = stream(
    KIND.sheet,
    0xd0,
    piece(KIND.sheet, NONE, 1, Buffer.alloc(32)),
    piece(KIND.size, 0, 2, inches(8, 6, 0, 0, 1, 1)),
    piece(KIND.shapes, 1, 2, u32(0, 4, 1)),
    piece(KIND.shapeId, 1, 3, u32(1)),
  )
  const shape = stream(
    KIND.shape,
    0xd4,
    piece(KIND.shape, NONE, 1, Buffer.alloc(10), u32(0, 0, NONE, 0, NONE, 0, NONE, 0, NONE, 0, NONE)),
    piece(KIND.place, 1, 2, inches(4, 3, 4, 2, 2, 1, 0), Buffer.alloc(2)),
    piece(KIND.outline, 2, 2),
    piece(KIND.geometry, 3, 3, Buffer.alloc(1)),
    ...CORNERS.map((corner, at) => piece(at === 0 ? KIND.moveTo : KIND.lineTo, 4 + at, 3, inches(...corner))),
    piece(KIND.text, 9, 2, Buffer.alloc(8), Buffer.from(`${words}\0`, 'utf16le')),
  )
  const page = stream(KIND.page, 0x51, pointers([sheet, shape], u32(0, NONE)))
  const pages = stream(KIND.pages, 0x50, pointers([page]))
  head.set(stream(KIND.trailer, 0x50, pointers([pages])), 36)
  return compoundFile({ VisioDocument: Buffer.concat(streams) })
}
