/**
 * Data out of XML, and XML out of data. An element with nothing but text is that text; others are records: attributes as
 * `@name`, text among elements as `#text`, elements of one name as a list. A document that declares entities of its own is
 * refused: they may stand for other files, or for each other without end. Pure; runs in a box.
 */
import { parseXml, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml'
import { type Data, isRecord, typed, Unfit } from './shape.ts'

export interface XmlReading {
  attributes: boolean
  types: boolean
}

/** What may stand before the first element; sticky, so that nothing is looked at twice. */
const BEFORE = /\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^[\]<>"']|"[^"]*"|'[^']*')*([[>])/y

function checkDeclarations(text: string): void {
  BEFORE.lastIndex = 0
  for (let found = BEFORE.exec(text); found; found = BEFORE.exec(text))
    if (found[1] === '[')
      throw new Unfit('The file declares parts of its own (a DTD with entities), which are not accepted.')
}

/** "In the absence of external encoding information the declaration says it"; a mark at the beginning goes before it. */
export function codeOfXml(head: Buffer, found: string): string {
  const marked = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff|\0<|<\0)/.test(head.toString('latin1', 0, 3))
  const [, said] = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head.toString('latin1', 0, 200)) ?? []
  if (marked || said === undefined || /^utf-?16/i.test(said)) return found
  try {
    return new TextDecoder(said).encoding
  } catch {
    throw new Unfit(`The file says that it is written in "${said}", which is not known here.`)
  }
}

export function readXml(text: string, reading: XmlReading): Data {
  const plain = text.replace(/^\ufeff/, '')
  checkDeclarations(plain)
  try {
    const { root } = parseXml(plain)
    return root === null ? null : Object.fromEntries([[root.name, dataOf(root, reading)]])
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new Unfit(`The file is not XML: ${error.message.split('\n', 1)[0]?.slice(0, 200)}`)
  }
}

function dataOf({ attributes, children }: XmlElement, reading: XmlReading): Data {
  const members = new Map<string, Data>()
  if (reading.attributes)
    for (const [name, value] of Object.entries(attributes)) members.set(`@${name}`, scalar(value, reading))
  const elements = children.filter((child) => child instanceof XmlElement)
  const texts = children.flatMap((child) => (child instanceof XmlText ? [child.text] : []))
  if (elements.length === 0) {
    const text = texts.join('')
    const value = scalar(text.trim() === '' ? '' : text, reading)
    if (members.size === 0) return value
    if (value !== '') members.set('#text', value)
    return Object.fromEntries(members)
  }
  const among = texts.map((text) => text.trim()).filter(Boolean)
  if (among.length > 0) members.set('#text', among.join(' '))
  const lists = Map.groupBy(elements, ({ name }) => name)
  for (const [name, list] of lists) {
    const values = list.map((element) => dataOf(element, reading))
    members.set(name, values.length === 1 ? (values[0] ?? null) : values)
  }
  return Object.fromEntries(members)
}

const scalar = (text: string, { types }: XmlReading): Data => (types ? typed(text) : text)

/** The only list in the data, for tables: within what holds nothing else, or beside values that are none. */
export function listIn(data: Data): Data {
  if (!isRecord(data)) return data
  const inner = Object.entries(data).filter(([name]) => !name.startsWith('@'))
  const lists = inner.filter(([, value]) => Array.isArray(value))
  if (lists.length > 1)
    throw new Unfit(
      `The file holds more than one list (${lists.map(([name]) => `"${name}"`).join(', ')}): a table has one.`,
    )
  const [name = '', list] = lists[0] ?? []
  if (Array.isArray(list)) return list.map((value) => (isRecord(value) ? value : { [name]: value }))
  const records = inner.filter(([, value]) => isRecord(value))
  const [only] = records
  return records.length === 1 && only !== undefined && inner.length === 1 ? listIn(only[1]) : [data]
}
