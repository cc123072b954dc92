/** Containers of sound and moving pictures: what is inside decides which of a family of formats it is. */
import type { Ext } from '../formats.ts'
import { ascii, type Detector, found } from './finding.ts'

const LOOK = 8192
const has = (bytes: Buffer, text: string): boolean => bytes.includes(Buffer.from(text, 'latin1'))

const HEIF = new Set(
  'heic heix heim heis hevc hevx hevm hevs mif1 mif2 mif3 msf1 miaf unif j2ki j2is jpeg vvic'.split(' '),
)
const BRANDS: readonly (readonly [brand: RegExp, ...among: Ext[]])[] = [
  [/^crx /, 'cr3'],
  [/^qt {2}/, 'mov'],
  [/^m4a/i, 'm4a', 'm4b', 'm4r', 'mp4'],
  [/^m4b/i, 'm4b', 'm4a', 'mp4'],
  [/^m4v/i, 'm4v', 'mp4'],
  [/^f4/i, 'f4v', 'mp4'],
  [/^3g2/, '3g2', '3gp', 'mp4'],
  [/^3g/, '3gp', '3g2', 'mp4', 'm4a'],
  [/^(jxl )/, 'jxl'],
  [/^jp[2xm] /, 'jp2'],
]
const WITHOUT_BRAND = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

/** The ISO base media family by its `ftyp` brands: HEIC and AVIF, MP4 and its kin, QuickTime. */
export const isoMedia: Detector = (head, tail) => {
  if (head.length < 12) return null
  const size = head.readUInt32BE(0)
  const kind = ascii(head, 4, 8)
  // No box but the one of the data is that long; "The free …" is.
  const fits = size >= 8 ? kind === 'mdat' || size < 0x0900_0000 : size <= 1
  if (WITHOUT_BRAND.has(kind) && fits) return found('mov', 'mp4', 'm4v', 'm4a')
  if (kind !== 'ftyp' || size < 12) return null
  const major = ascii(head, 8, 12)
  const all: readonly string[] = ascii(head, 8, Math.min(size, LOOK)).match(/[\s\S]{4}/g) ?? []
  if (major === 'avif' || major === 'avis' || (HEIF.has(major) && (all.includes('avif') || all.includes('avis')))) {
    return found('avif')
  }
  if (HEIF.has(major)) return found('heic')
  const [, ...named] = BRANDS.find(([brand]) => brand.test(major)) ?? []
  if (named.length > 0) return found(...named)
  if (all.some((brand) => brand === 'heic' || brand === 'mif1')) return found('heic')
  const video = 'hdlr\0\0\0\0\0\0\0\0vide'
  return has(head, video) || has(tail, video) ? found('mp4', 'm4v') : found('mp4', 'm4v', 'm4a', 'm4b', 'm4r')
}

export const riff: Detector = (head) => {
  const outer = ascii(head, 0, 4)
  const inner = ascii(head, 8, 12)
  if (outer === 'RF64' || outer === 'BW64') return inner === 'WAVE' ? found('wav') : null
  if (outer !== 'RIFF') return null
  if (inner === 'WAVE') return found('wav')
  if (inner === 'AVI ') return found('avi', 'divx')
  if (inner === 'WEBP') return found('webp')
  if (inner === 'RMID') return found('mid')
  return inner.startsWith('CDR') ? found('cdr') : null
}

/** Whole names: two letters of them turn up in any sound. */
const PICTURES =
  /V_(?:MPEG|VP[89]|AV1|MS\/VFW|THEORA|REAL|QUICKTIME|PRORES|FFV1|UNCOMPRESSED|SNOW|MJPEG|DIRAC|CAVS|AVS)/

/** Matroska says in its `DocType` whether it is WebM, and in its codec names whether there is a picture. */
export const matroska: Detector = (head) => {
  if (head.length < 8 || head.readUInt32BE(0) !== 0x1a45dfa3) return null
  const start = head.subarray(0, 4096)
  if (has(start, 'webm')) return found('webm')
  if (!has(start, 'matroska')) return null
  return PICTURES.test(ascii(head)) ? found('mkv') : found('mkv', 'mka')
}

export const ogg: Detector = (head) => {
  if (ascii(head, 0, 4) !== 'OggS') return null
  const start = head.subarray(0, LOOK)
  if (has(start, '\x80theora') || has(start, 'OVP80') || has(start, 'BBCD\0')) return found('ogv', 'ogg')
  if (has(start, 'OpusHead')) return found('opus', 'ogg', 'oga')
  if (has(start, 'Speex   ')) return found('spx', 'ogg', 'oga')
  return has(start, '\x7fFLAC') ? found('oga', 'ogg') : found('ogg', 'oga')
}

const ASF = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
const ASF_VIDEO = Buffer.from('c0ef19bc4d5bcf11a8fd00805f5c442b', 'hex')
const ASF_AUDIO = Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex')

export const windowsMedia: Detector = (head) => {
  if (!head.subarray(0, 16).equals(ASF)) return null
  if (head.includes(ASF_VIDEO)) return found('wmv', 'asf')
  return head.includes(ASF_AUDIO) ? found('wma', 'asf', 'wmv') : found('wmv', 'wma', 'asf')
}

const synced = (head: Buffer, first: number, step: number): boolean => {
  const marks = Array.from({ length: 5 }, (_, i) => first + i * step).filter((at) => at < head.length)
  return marks.length >= 3 && marks.every((at) => head[at] === 0x47)
}

/** Packets of 188 bytes that all begin alike; on discs each has four bytes of time before it. */
export const transportStream: Detector = (head) => {
  if (synced(head, 0, 188)) return found('ts', 'mts', 'm2ts')
  return synced(head, 4, 192) ? found('m2ts', 'mts', 'ts') : null
}

export const flash: Detector = (head) =>
  /^[FCZ]WS[\x01-\x40]/.test(ascii(head, 0, 4)) && head.length >= 8 ? found('swf') : null
