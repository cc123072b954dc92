/** Looks through the chunks of a PNG, inside the box. Its pixels are read in pixels.ts. */
import { crc32, inflateSync } from 'node:zlib'
import { CENTIMETRES_PER_INCH, type Density, readExif, sane } from './exif.ts'
import { DocumentProblem } from './trouble.ts'

export interface Png {
  width: number
  height: number
  /** Bits of a sample: 1, 2, 4, 8 or 16. */
  depth: number
  /** Colours of a pixel in the file, without alpha: 1 for gray and for a place in the palette. */
  colours: 1 | 3
  alpha: boolean
  interlaced: boolean
  /** Red, green and blue of each place. */
  palette: Buffer | null
  /** Opacity of places in the palette, or the one colour that is transparent. */
  transparency: Buffer | null
  /** The packed pixels. */
  data: Buffer[]
  orientation: number
  density: Density | null
  profile: Buffer | null
  xmp: Buffer | null
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const MOST_UNPACKED = 16 * 2 ** 20
const XMP = Buffer.from('XML:com.adobe.xmp\0', 'latin1')

/** What a colour type may have: colours, alpha, palette and the depths. */
const TYPES: Readonly<Record<number, { colours: 1 | 3; alpha: boolean; palette: boolean; depths: readonly number[] }>> =
  {
    0: { colours: 1, alpha: false, palette: false, depths: [1, 2, 4, 8, 16] },
    2: { colours: 3, alpha: false, palette: false, depths: [8, 16] },
    3: { colours: 1, alpha: false, palette: true, depths: [1, 2, 4, 8] },
    4: { colours: 1, alpha: true, palette: false, depths: [8, 16] },
    6: { colours: 3, alpha: true, palette: false, depths: [8, 16] },
  }

export const broken = (detail: string): DocumentProblem => new DocumentProblem('unreadable', detail)

/** By name; those that matter to nobody but themselves are left out when their sum is wrong. */
function chunks(bytes: Buffer): { data: Buffer[]; named: Map<string, Buffer> } {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw broken('no PNG signature')
  const named = new Map<string, Buffer>()
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (end + 4 > bytes.length) break
    const body = bytes.subarray(at + 8, end)
    const sound = crc32(bytes.subarray(at + 4, end)) === bytes.readUInt32BE(end)
    if (!sound && /^[A-Z]/.test(name)) throw broken(`the sum of ${name} is wrong`)
    if (name === 'IEND') break
    if (name === 'IDAT') data.push(body)
    else if (sound && /^[iz]TXt$/.test(name)) {
      if (body.subarray(0, XMP.length).equals(XMP)) named.set(name, body)
    } else if (sound) named.set(name, body)
    at = end + 4
  }
  return { data, named }
}

/** Damaged extras are as if they were not there. */
function inflated(packed: Buffer): Buffer | null {
  try {
    return inflateSync(packed, { maxOutputLength: MOST_UNPACKED })
  } catch {
    return null
  }
}

function profileOf(chunk: Buffer | undefined): Buffer | null {
  const name = chunk?.indexOf(0) ?? -1
  return chunk && name >= 0 ? inflated(chunk.subarray(name + 2)) : null
}

/** After the keyword there is only how it is packed. */
const packedXmp = (chunk: Buffer | undefined): Buffer | null =>
  chunk ? inflated(chunk.subarray(XMP.length + 1)) : null

/** After the keyword: whether packed, how, a language and a translated keyword, each ended by a zero. */
function xmpOf(chunk: Buffer | undefined): Buffer | null {
  if (!chunk) return null
  const language = chunk.indexOf(0, XMP.length + 2)
  const keyword = language < 0 ? -1 : chunk.indexOf(0, language + 1)
  if (keyword < 0) return null
  const text = chunk.subarray(keyword + 1)
  return chunk[XMP.length] === 1 ? inflated(text) : text
}

function densityOf(chunk: Buffer | undefined): Density | null {
  if (chunk?.length !== 9 || chunk[8] !== 1) return null
  const perInch = CENTIMETRES_PER_INCH / 100
  return sane(chunk.readUInt32BE(0) * perInch, chunk.readUInt32BE(4) * perInch)
}

export function readPng(bytes: Buffer): Png {
  const { data, named } = chunks(bytes)
  const header = named.get('IHDR')
  if (header?.length !== 13) throw broken('no header')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, type = -1, packing, filtering, interlacing = 2] = header.subarray(8)
  const kind = TYPES[type]
  if (!kind?.depths.includes(depth) || packing !== 0 || filtering !== 0 || interlacing > 1 || !width || !height) {
    throw broken(`${width} × ${height}, type ${type} with ${depth} bits`)
  }
  const palette = kind.palette ? (named.get('PLTE') ?? null) : null
  if (kind.palette && !palette?.length) throw broken('no palette')
  const exif = readExif(named.get('eXIf') ?? Buffer.alloc(0))
  return {
    width,
    height,
    depth,
    colours: kind.colours,
    alpha: kind.alpha,
    interlaced: interlacing === 1,
    palette,
    transparency: named.get('tRNS') ?? null,
    data,
    orientation: exif.orientation,
    density: densityOf(named.get('pHYs')) ?? exif.density,
    profile: profileOf(named.get('iCCP')),
    xmp: xmpOf(named.get('iTXt')) ?? packedXmp(named.get('zTXt')),
  }
}
