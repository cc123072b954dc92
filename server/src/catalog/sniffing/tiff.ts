/**
 * TIFF, and the raw formats of cameras that are TIFF by their first bytes: what the folders say decides, as far as the
 * beginning of the file shows them. A mosaic of a known maker is that maker's raw format; without one the name chooses.
 */
import type { Ext } from '../formats.ts'
import { ascii, type Detector, type Finding, found } from './finding.ts'

const MAKERS: readonly (readonly [make: RegExp, ...raws: Ext[]])[] = [
  [/^canon/i, 'cr2'],
  [/^nikon/i, 'nef', 'nrw'],
  [/^sony/i, 'arw'],
  [/^olympus|^om digital/i, 'orf'],
  [/^panasonic/i, 'rw2'],
  [/^(pentax|ricoh|asahi)/i, 'pef'],
  [/^samsung/i, 'srw'],
  [/^seiko epson|^epson/i, 'erf'],
]
const RAWS: readonly Ext[] = ['dng', ...MAKERS.flatMap(([, ...raws]) => raws)]

const [COMPRESSION, PHOTOMETRIC, MAKE, SUB_FOLDERS, DNG_VERSION] = [259, 262, 271, 330, 50_706]
/** "32803 = CFA (Color Filter Array)". */
const MOSAIC = 32_803
/** Packings that makers have for their sensors only: Sony's, Samsung's, Nikon's and Pentax's. */
const RAW_PACKINGS = new Set([32_767, 32_769, 32_770, 32_772, 34_713, 65_535])
/** Bytes a value, by kind. */
const SIZES = [8, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
/** Cameras have few folders, and few fields in each; a hostile file may say anything. */
const [MOST_FOLDERS, MOST_FIELDS] = [16, 512]

interface Field {
  readonly tag: number
  readonly count: number
  /** The first value, where it is a short one. */
  readonly value: number
  /** Where the values lie. */
  readonly at: number
}

/** The fields of the first folder, of those within and of those that follow; null where the beginning does not show it. */
const fieldsOf = (head: Buffer): Field[] | null => {
  const little = head[0] === 0x49
  const short = (at: number): number => (little ? head.readUInt16LE(at) : head.readUInt16BE(at))
  const long = (at: number): number => (little ? head.readUInt32LE(at) : head.readUInt32BE(at))
  const folders = head.length < 8 ? [] : [long(4)]
  const fields: Field[] = []

  const add = (at: number): void => {
    const [tag, kind, count] = [short(at), short(at + 2), long(at + 4)]
    const field = { tag, count, value: short(at + 8), at: count * (SIZES[kind] ?? 8) > 4 ? long(at + 8) : at + 8 }
    fields.push(field)
    if (tag !== SUB_FOLDERS) return
    const end = Math.min(field.at + 4 * Math.min(count, MOST_FOLDERS), head.length - 3)
    for (let each = field.at; each < end; each += 4) folders.push(long(each))
  }

  for (let index = 0; index < Math.min(folders.length, MOST_FOLDERS); index += 1) {
    const start = folders[index] ?? 0
    const count = start >= 8 && start + 2 <= head.length ? short(start) : 0
    const end = start + 2 + count * 12
    if (count === 0 || count > MOST_FIELDS || end + 4 > head.length) continue
    for (let at = start + 2; at < end; at += 12) add(at)
    if (long(end) !== 0) folders.push(long(end))
  }
  return fields.length > 0 ? fields : null
}

/** Empty where there is none, null where the beginning of the file does not show it. */
const makeIn = (head: Buffer, fields: readonly Field[]): string | null => {
  const field = fields.find(({ tag }) => tag === MAKE)
  if (field === undefined) return ''
  return field.at + field.count <= head.length ? ascii(head, field.at, field.at + Math.min(field.count, 64)) : null
}

const isMosaic = ({ tag, value }: Field): boolean =>
  (tag === PHOTOMETRIC && value === MOSAIC) || (tag === COMPRESSION && RAW_PACKINGS.has(value))

const MAGIC = /^(?:II\*\0|MM\0\*)/

export const tiff: Detector = (head): Finding | null => {
  if (!MAGIC.test(ascii(head, 0, 4))) return null
  const fields = fieldsOf(head)
  if (fields === null) return found('tiff', ...RAWS)
  const make = makeIn(head, fields)
  const [, ...known] = MAKERS.find(([maker]) => maker.test(make ?? '')) ?? []
  if (fields.some(({ tag }) => tag === DNG_VERSION)) return found('dng', ...known)
  if (fields.some(isMosaic)) return known.length > 0 ? found(...known) : found('tiff', ...RAWS)
  return make === null ? found('tiff', ...RAWS) : found('tiff', ...known)
}
