/**
 * Data written as XML, the other way round than xml.ts reads it: `@name` is an attribute, `#text` text, a list the element
 * again and again. Names that XML does not allow are made so. Pure; runs in a box.
 */
import { type Data, isRecord, Unfit } from './shape.ts'

export interface XmlWriting {
  /** The element around everything, where the data has not one of its own. */
  root: string
  /** Elements of lists that have no name. */
  item: string
  /** Spaces; 0 writes all in one line. */
  indent: number
}

/** "NameStartChar" and "NameChar" of XML 1.0, without the colon at the beginning. */
const START =
  'A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u3001-\\ud7ff'
const NOT_IN_NAMES = new RegExp(`[^${START}:\\-.0-9\\u00b7\\u0300-\\u036f]`, 'g')
const NO_START = new RegExp(`^(?![${START}])`)

const nameOf = (name: string): string => name.replaceAll(NOT_IN_NAMES, '_').replace(NO_START, '_')

/** "Char": tab, line ends, and everything from the space on but halves of letters. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u
const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  const [bad] = FORBIDDEN.exec(text) ?? []
  if (bad !== undefined)
    throw new Unfit(`XML cannot hold the character U+${bad.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}.`)
  return text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign)
}

const textOf = (data: Data | undefined): string =>
  data === null || data === undefined ? '' : escaped(typeof data === 'object' ? JSON.stringify(data) : String(data))

const isAttribute = ([key]: readonly [string, Data]): boolean => key.startsWith('@') && key.length > 1
/** A line end or tab in an attribute would be read as a space. */
const attribute = ([key, value]: readonly [string, Data]): string =>
  ` ${nameOf(key.slice(1))}="${textOf(value).replaceAll('\n', '&#10;').replaceAll('\r', '&#13;').replaceAll('\t', '&#9;')}"`

/** Lines, each with how deep it is. */
type Lines = (readonly [depth: number, text: string])[]

function element(name: string, value: Data, depth: number, item: string): Lines {
  if (Array.isArray(value))
    return around(
      name,
      name,
      depth,
      value.flatMap((each) => element(item, each, depth + 1, item)),
    )
  if (isRecord(value)) return record(name, Object.entries(value), depth, item)
  return [[depth, value === null ? `<${name}/>` : `<${name}>${textOf(value)}</${name}>`]]
}

function record(name: string, entries: readonly [string, Data][], depth: number, item: string): Lines {
  const tag = name + entries.filter(isAttribute).map(attribute).join('')
  const text = textOf(entries.find(([key]) => key === '#text')?.[1])
  const inner = entries.filter((entry) => entry[0] !== '#text' && !isAttribute(entry))
  if (inner.length === 0) return [[depth, text === '' ? `<${tag}/>` : `<${tag}>${text}</${name}>`]]
  const lines = inner.flatMap(([key, value]) =>
    (Array.isArray(value) && value.length > 0 ? value : [value]).flatMap((each) =>
      element(nameOf(key), each, depth + 1, item),
    ),
  )
  return around(tag, name, depth, text === '' ? lines : [[depth + 1, text], ...lines])
}

const around = (tag: string, name: string, depth: number, lines: Lines): Lines =>
  lines.length === 0 ? [[depth, `<${tag}/>`]] : [[depth, `<${tag}>`], ...lines, [depth, `</${name}>`]]

export function writeXml(data: Data, { root, item, indent }: XmlWriting): string {
  const [name, value] = rootOf(data, root)
  const lines = element(nameOf(name), value, 0, nameOf(item)).map(([depth, text]) => ' '.repeat(depth * indent) + text)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join(indent === 0 ? '' : '\n')}\n`
}

/** Data of one name is that element; all else goes into one. */
function rootOf(data: Data, root: string): [string, Data] {
  const [only, ...more] = isRecord(data) ? Object.entries(data) : []
  const fits = only !== undefined && more.length === 0 && !/^[@#]/.test(only[0]) && !Array.isArray(only[1])
  return fits ? only : [root, data]
}
