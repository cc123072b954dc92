/**
 * Looks through a JPEG without decoding it, inside the box: what a document must know to carry its bytes as they are.
 * Its pixels are never touched.
 */
import { CENTIMETRES_PER_INCH, type Density, readExif, sane } from './exif.ts'
import { DocumentProblem } from './trouble.ts'

export interface Jpeg {
  width: number
  height: number
  /** 1, 3 or 4 colours. */
  components: number
  /** Written by Adobe's programs, which store CMYK the other way round. */
  inverted: boolean
  /** Red, green and blue as they are, though nothing says so but the names of the components. */
  plainRgb: boolean
  orientation: number
  density: Density | null
  profile: Buffer | null
  /** The same picture without EXIF, XMP, comments, thumbnails and what follows the end. */
  bare: Buffer
}

interface Segment {
  marker: number
  /** The whole segment, its marker included. */
  all: Buffer
  body: Buffer
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const APP0 = 0xe0
const EXIF = 0xe1
const ICC = 0xe2
const ADOBE = 0xee
const APP15 = 0xef
const COMMENT = 0xfe

const broken = (detail: string): DocumentProblem => new DocumentProblem('unreadable', detail)

const stands = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Baseline, extended and progressive with Huffman codes: what a PDF may carry. */
const isUsual = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2

/** The segments up to the first scan, and where that begins. */
function head(bytes: Buffer): { segments: Segment[]; scans: number } {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) throw broken('no start of image')
  const segments: Segment[] = []
  let at = 2
  for (;;) {
    if (bytes[at] !== 0xff) throw broken(`no marker at ${at}`)
    while (bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1]
    if (marker === undefined || marker === EOI) throw broken('it ends before the picture begins')
    if (marker === SOS) return { segments, scans: at }
    if (stands(marker)) {
      at += 2
      continue
    }
    const end = at + 2 + length(bytes, at + 2)
    segments.push({ marker, all: bytes.subarray(at, end), body: bytes.subarray(at + 4, end) })
    at = end
  }
}

function length(bytes: Buffer, at: number): number {
  const size = at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0
  if (size < 2 || at + size > bytes.length) throw broken(`a segment of ${size} bytes at ${at}`)
  return size
}

/** Where the picture ends. One that is cut off has no end. */
function endOf(bytes: Buffer, scans: number): number {
  let at = scans
  for (;;) {
    const marker = bytes[at + 1]
    if (marker === EOI) return at + 2
    // Within a scan a zero follows what is no marker; others have a length.
    if (marker !== 0 && marker !== 0xff && marker !== undefined && !stands(marker)) at += 2 + length(bytes, at + 2)
    else at += marker === 0xff ? 1 : 2
    at = bytes.indexOf(0xff, at)
    if (at < 0) throw broken('no end of image')
  }
}

const carries = ({ body }: Segment, name: string): boolean => body.toString('latin1', 0, name.length) === name

function profileOf(segments: readonly Segment[]): Buffer | null {
  const parts = segments.filter((segment) => segment.marker === ICC && carries(segment, 'ICC_PROFILE\0'))
  parts.sort((a, b) => (a.body[12] ?? 0) - (b.body[12] ?? 0))
  return parts.length > 0 ? Buffer.concat(parts.map(({ body }) => body.subarray(14))) : null
}

/** JFIF's own density, where it has a unit. */
function densityOf(segments: readonly Segment[]): Density | null {
  const body = segments.find((segment) => segment.marker === APP0 && carries(segment, 'JFIF\0'))?.body
  if (!body || body.length < 12 || body[7] === 0) return null
  const scale = body[7] === 2 ? CENTIMETRES_PER_INCH : 1
  return sane(body.readUInt16BE(8) * scale, body.readUInt16BE(10) * scale)
}

/** JFIF and Adobe say how colours are to be read; the rest is told about the picture. */
const isTold = (segment: Segment): boolean =>
  segment.marker === COMMENT ||
  (segment.marker >= APP0 && segment.marker <= APP15 && !carries(segment, 'JFIF\0') && segment.marker !== ADOBE)

export function readJpeg(bytes: Buffer): Jpeg {
  const { segments, scans } = head(bytes)
  const frame = segments.find(({ marker }) => isFrame(marker))
  if (!frame || frame.body.length < 6) throw broken('no frame before the first scan')
  const { body } = frame
  const components = body[5] ?? 0
  if (!isUsual(frame.marker) || body[0] !== 8 || ![1, 3, 4].includes(components)) {
    throw new DocumentProblem('unsupported', `frame ${frame.marker}, ${body[0]} bits, ${components} components`)
  }
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)]
  if (width === 0 || height === 0) throw broken(`${width} × ${height} pixels`)
  const adobe = segments.some((segment) => segment.marker === ADOBE && carries(segment, 'Adobe'))
  const jfif = segments.some((segment) => segment.marker === APP0 && carries(segment, 'JFIF\0'))
  const names = components === 3 ? String.fromCharCode(body[6] ?? 0, body[9] ?? 0, body[12] ?? 0) : ''
  const tiff = segments.find((segment) => segment.marker === EXIF && carries(segment, 'Exif\0'))?.body.subarray(6)
  const exif = tiff ? readExif(tiff) : { orientation: 1, density: null }
  const kept = segments.filter((segment) => !isTold(segment)).map(({ all }) => all)
  return {
    width,
    height,
    components,
    inverted: adobe && components === 4,
    plainRgb: names === 'RGB' && !adobe && !jfif,
    orientation: exif.orientation,
    density: densityOf(segments) ?? exif.density,
    profile: profileOf(segments),
    bare: Buffer.concat([bytes.subarray(0, 2), ...kept, bytes.subarray(scans, endOf(bytes, scans))]),
  }
}
