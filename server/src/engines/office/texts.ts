/** How tables and texts without a format of their own are read and written: LibreOffice's words for it. Pure. */
import type { Delimiter, Encoding, Quote } from '../../catalog/vocabulary/office.ts'

const DELIMITERS: Record<Delimiter, string> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|', colon: ':' }
const QUOTES: Record<Quote, string> = { double: '"', single: "'" }

/** LibreOffice counts encodings for tables and names them for texts. */
const ENCODINGS: Record<Encoding, readonly [number: number, name: string]> = {
  'utf-8': [76, 'UTF8'],
  'utf-16': [65535, 'UCS2'],
  'windows-1250': [33, 'MS_1250'],
  'windows-1251': [34, 'MS_1251'],
  'windows-1252': [1, 'MS_1252'],
  'iso-8859-1': [12, 'ISO_8859_1'],
  'iso-8859-15': [22, 'ISO_8859_15'],
  'shift-jis': [64, 'SHIFT_JIS'],
  gb18030: [85, 'GB_18030'],
  'euc-kr': [70, 'EUC_KR'],
}

const code = (mark: string): number => mark.charCodeAt(0)

export interface Table {
  delimiter: Delimiter
  encoding: Encoding
  quote: Quote
}

/** Separator, quote, encoding, first line, columns, language, quoted is text, recognise dates and the like. */
export const tableToRead = ({ delimiter, encoding, quote }: Table): string =>
  [code(DELIMITERS[delimiter]), code(QUOTES[quote]), ENCODINGS[encoding][0], 1, '', 0, false, true].join(',')

export interface Writing extends Table {
  quoteAll: boolean
  formatted: boolean
  sheet: number | undefined
}

/** The same, then: as shown, formulas, without spaces, which sheet (0: the first). */
export const tableToWrite = ({ delimiter, encoding, quote, quoteAll, formatted, sheet = 0 }: Writing): string => {
  const how = [code(DELIMITERS[delimiter]), code(QUOTES[quote]), ENCODINGS[encoding][0], 1, '', 0]
  return [...how, quoteAll, !formatted, formatted, false, false, sheet].join(',')
}

/** Encoding, end of lines, font, language, mark at the beginning. */
export const textToWrite = (encoding: Encoding): string => `${ENCODINGS[encoding][1]},LF,,,${encoding === 'utf-16'}`

export const textToRead = (encoding: Encoding): string => `${ENCODINGS[encoding][1]},LF,,,`

const isUtf8 = (head: Buffer): boolean => {
  try {
    // The last letter may be cut in half.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

export function encodingOf(head: Buffer): Encoding {
  const mark = head.subarray(0, 2).toString('hex')
  if (mark === 'fffe' || mark === 'feff') return 'utf-16'
  return isUtf8(head) ? 'utf-8' : 'windows-1252'
}

/** The one that cuts most lines into the same number of values, of two at least. */
export function delimiterOf(head: Buffer, encoding: Encoding, quote: Quote): Delimiter {
  const decoded = new TextDecoder(encoding === 'utf-16' && head[0] === 0xfe ? 'utf-16be' : encoding).decode(head)
  const mark = QUOTES[quote]
  const plain = decoded.replaceAll(new RegExp(`${mark}[^${mark}]*${mark}`, 'g'), '')
  const lines = plain
    .split(/\r?\n|\r/)
    .filter(Boolean)
    .slice(0, 50)
  const scores = Object.entries(DELIMITERS).map(([name, letter]) => {
    const counts = lines.map((line) => line.split(letter).length - 1).filter((count) => count > 0)
    const usual = counts.filter((count) => count === counts[0]).length
    return { name: name as Delimiter, score: usual * 1000 + (counts[0] ?? 0) }
  })
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a))
  return best.score === 0 ? 'comma' : best.name
}
