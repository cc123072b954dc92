/** ZIP files are containers of many formats: what they hold decides. Nothing is unpacked but one small list, bounded. */
import { constants, inflateRawSync } from 'node:zlib'
import type { Ext } from '../formats.ts'
import { ascii, type Detector, type Finding, found } from './finding.ts'

interface Entry {
  readonly name: string
  readonly method: number
  readonly data: Buffer
}

const LOCAL = Buffer.from('PK\x03\x04', 'latin1')
const END = Buffer.from('PK\x05\x06', 'latin1')
const MOST = 2000
const STREAMED = 8

/** The entries as they lie in the file, as far as its beginning shows. */
const localEntries = (head: Buffer): Entry[] => {
  const entries: Entry[] = []
  let at = 0
  while (entries.length < MOST && at + 30 <= head.length && head.subarray(at, at + 4).equals(LOCAL)) {
    const [flags, method, size] = [head.readUInt16LE(at + 6), head.readUInt16LE(at + 8), head.readUInt32LE(at + 18)]
    const start = at + 30 + head.readUInt16LE(at + 26) + head.readUInt16LE(at + 28)
    const known = size !== 0xffff_ffff && !(flags & STREAMED && size === 0)
    // Of a stored entry without a length the end cannot be seen: it may hold a ZIP itself.
    const end = known ? start + size : method === 0 ? -1 : head.indexOf(LOCAL, start)
    const name = head.toString('utf8', at + 30, at + 30 + head.readUInt16LE(at + 26))
    entries.push({ name, method, data: head.subarray(start, end < 0 ? head.length : end) })
    if (end < 0) break
    at = end
  }
  return entries
}

/** The names in the directory at the end, where the end is known. */
const listedNames = (tail: Buffer): string[] => {
  const end = tail.lastIndexOf(END)
  if (end < 0 || end + 22 > tail.length) return []
  const names: string[] = []
  let at = end - tail.readUInt32LE(end + 12)
  while (at >= 0 && at + 46 <= end && tail.readUInt32LE(at) === 0x02014b50 && names.length < MOST) {
    const length = tail.readUInt16LE(at + 28)
    names.push(tail.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)
  }
  return names
}

/** At most 8 KB go in, so at most a few MB can come out, whatever was packed. */
const contentOf = ({ method, data }: Entry): string => {
  if (method === 0) return data.toString('utf8', 0, 8192)
  if (method !== 8) return ''
  try {
    const bounds = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 2 ** 24 }
    return inflateRawSync(data.subarray(0, 8192), bounds).toString('utf8')
  } catch {
    return ''
  }
}

const ODF: Record<string, Ext> = {
  text: 'odt',
  'text-template': 'ott',
  spreadsheet: 'ods',
  'spreadsheet-template': 'ots',
  presentation: 'odp',
  'presentation-template': 'otp',
  graphics: 'odg',
}

/** OpenDocument and EPUB say what they are in an entry `mimetype`. */
const byMimetype = (entries: readonly Entry[]): Finding | null => {
  const entry = entries.find(({ name }) => name === 'mimetype')
  const mime = entry ? contentOf(entry).trim() : ''
  if (mime.startsWith('application/epub+zip')) return found('epub')
  const kind = ODF[mime.replace(/^application\/vnd\.oasis\.opendocument\./, '')]
  return kind === undefined ? null : found(kind)
}

const MAIN_PARTS: readonly (readonly [part: RegExp, ...among: Ext[]])[] = [
  [/ms-word\.(document|template)\.macroEnabled/, 'docm'],
  [/wordprocessingml\.template\.main/, 'dotx'],
  [/wordprocessingml\.document\.main/, 'docx'],
  [/ms-excel\.sheet\.binary/, 'xlsb'],
  [/ms-excel\.(sheet|template)\.macroEnabled/, 'xlsm'],
  [/spreadsheetml\.(sheet|template)\.main/, 'xlsx'],
  [/ms-powerpoint\.(presentation|slideshow|template)\.macroEnabled/, 'pptm'],
  [/presentationml\.slideshow\.main/, 'ppsx', 'pptx'],
  [/presentationml\.(presentation|template)\.main/, 'pptx'],
  [/ms-visio\.(drawing|template|stencil)/, 'vsdx'],
  [/fixeddocumentsequence/i, 'xps'],
]
const FOLDERS: readonly (readonly [name: RegExp, ...among: Ext[]])[] = [
  [/^word\/document\d*\.xml$/, 'docx', 'docm', 'dotx'],
  [/^xl\/workbook\.bin$/, 'xlsb'],
  [/^xl\/workbook\d*\.xml$/, 'xlsx', 'xlsm'],
  [/^ppt\/presentation\d*\.xml$/, 'pptx', 'pptm', 'ppsx'],
  [/^visio\/document\.xml$/, 'vsdx'],
  [/\.fdseq$/i, 'xps'],
  [/^word\//, 'docx', 'docm', 'dotx'],
  [/^xl\//, 'xlsx', 'xlsm', 'xlsb'],
  [/^ppt\//, 'pptx', 'pptm', 'ppsx'],
  [/^Documents\/\d+\/(Pages|FixedDoc)/, 'xps'],
]
const OFFICE: readonly Ext[] = ['docx', 'xlsx', 'pptx', 'docm', 'dotx', 'xlsm', 'xlsb', 'pptm', 'ppsx', 'vsdx', 'xps']

/** Office Open XML: the list of content types names the main part; else the folders tell. */
const byParts = (entries: readonly Entry[], names: readonly string[]): Finding | null => {
  const types = entries.find(({ name }) => name === '[Content_Types].xml')
  const text = types ? contentOf(types) : ''
  const [, ...main] = MAIN_PARTS.find(([part]) => part.test(text)) ?? []
  if (main.length > 0) return found(...main)
  const packaged = names.some((name) => name === '[Content_Types].xml' || name === '_rels/.rels')
  const rules = packaged ? FOLDERS : FOLDERS.slice(0, 6)
  const [, ...among] = rules.find(([folder]) => names.some((name) => folder.test(name))) ?? []
  if (among.length > 0) return found(...among)
  return packaged ? { among: OFFICE, weak: true } : null
}

const PICTURE = /\.(jpe?g|png|gif|webp|avif|bmp)$/i

/** Apple's: one text in markup up to 2009, which says whose it is, and a folder of binary parts since; perhaps in a folder. */
const apple = (entries: readonly Entry[], names: readonly string[]): Finding | null => {
  const some = (pattern: RegExp): boolean => names.some((name) => pattern.test(name))
  if (some(/^Index\/(?:Master)?Slide/) || some(/^index\.apxl/)) return found('key')
  const text = entries.find(({ name }) => name === 'index.xml')
  const [, kind] = /<(sl|ls):document\s/.exec(text ? contentOf(text) : '') ?? []
  if (kind !== undefined) return found(kind === 'sl' ? 'pages' : 'numbers')
  if (some(/^Index\/(?:Document|Tables)|^(?:[^/]+\/)?Index\.zip$|^index\.xml(?:\.gz)?$/))
    return found('pages', 'numbers', 'key')
  return null
}

const byNames = (names: readonly string[]): Finding => {
  const some = (pattern: RegExp): boolean => names.some((name) => pattern.test(name))
  if (some(/^META-INF\/container\.xml$/)) return found('zip', 'epub')
  if (some(/^META-INF\/manifest\.xml$/) && some(/^(content|styles)\.xml$/)) {
    return { among: ['odt', 'ods', 'odp', 'odg', 'ott', 'ots', 'otp'], weak: true }
  }
  if (some(/^content\/(riffData|root)\.(cdr|dat)$/)) return found('cdr')
  return some(PICTURE) ? found('zip', 'cbz') : found('zip')
}

export const zip: Detector = (head, tail) => {
  const empty = head.subarray(0, 4).equals(END)
  if (!empty && !head.subarray(0, 4).equals(LOCAL)) return null
  const entries = localEntries(head)
  const names = [...entries.map(({ name }) => name), ...listedNames(tail.length > 0 ? tail : head)]
  return byMimetype(entries) ?? byParts(entries, names) ?? apple(entries, names) ?? byNames(names)
}

/** RAR is no format of ours, but comics in it are. */
export const rar: Detector = (head) =>
  ascii(head, 0, 6) === 'Rar!\x1a\x07' ? { among: ['cbr', 'cbz'], weak: true } : null
