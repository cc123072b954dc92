/**
 * What qpdf tells of a document (`--json`), and what it is told in turn (`--update-from-json`), inside the box. It is about
 * structure only: the contents of a document never come here, so that its size does not matter.
 */
import { DocumentProblem } from './trouble.ts'

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value }
export type Dict = { [key: string]: Value }

export const isDict = (value: Value | undefined): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface Told {
  /** The pages' references, like `3 0 R`, in order. */
  pages: string[]
  outlines: Value
  encrypted: boolean
  /** The highest number of an object. */
  last: number
  version: string
  /** Of all objects that were asked for. */
  references(): string[]
  /** What an object is, where it was asked for. */
  object(reference: string): Value | undefined
  trailer: Dict
}

const MOST = 256 * 2 ** 20
const REFERENCE = /^\d+ \d+ R$/
export const isReference = (value: Value | undefined): value is string =>
  typeof value === 'string' && REFERENCE.test(value)

const contentOf = (entry: Value | undefined): Value | undefined => {
  if (!isDict(entry)) return undefined
  return isDict(entry.stream) ? entry.stream.dict : entry.value
}

export function readTold(bytes: Buffer): Told {
  // Longer texts are more than Node can hold in one piece.
  if (bytes.length > MOST) throw new DocumentProblem('too-complex', `${bytes.length} bytes of structure`)
  const told: Value = JSON.parse(bytes.toString())
  if (!isDict(told)) throw new DocumentProblem('failed', 'qpdf told nothing')
  const [head, objects] = Array.isArray(told.qpdf) ? told.qpdf : []
  const entries = isDict(objects) ? objects : {}
  const trailer = contentOf(entries.trailer)
  const listed = Array.isArray(told.pages) ? told.pages : []
  return {
    pages: listed.flatMap((page) => (isDict(page) && isReference(page.object) ? [page.object] : [])),
    outlines: told.outlines ?? [],
    encrypted: isDict(told.encrypt) && told.encrypt.encrypted === true,
    last: isDict(head) && typeof head.maxobjectid === 'number' ? head.maxobjectid : 0,
    version: isDict(head) && typeof head.pdfversion === 'string' ? head.pdfversion : '1.7',
    references: () => Object.keys(entries).flatMap((key) => (key.startsWith('obj:') ? [key.slice(4)] : [])),
    object: (reference) => contentOf(entries[`obj:${reference}`]),
    trailer: isDict(trailer) ? trailer : {},
  }
}

/** Objects to be put in place of those that are there, or added. */
export function update({ version }: Told, objects: ReadonlyMap<string, Dict>, last: number): Uint8Array {
  const head = { jsonversion: 2, pdfversion: version, maxobjectid: last }
  const entries = [...objects].map(([reference, value]) => [`obj:${reference}`, { value }])
  return Buffer.from(JSON.stringify({ version: 2, qpdf: [head, Object.fromEntries(entries)] }))
}
