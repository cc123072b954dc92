/**
 * The program in the box: data in one notation becomes data in another. It is started by path (see data.ts), never
 * imported by the server, and may use nothing but yaml, parse-xml, Node's own modules and the files bound beside it.
 */
import { LineCounter, parseAllDocuments, stringify } from 'yaml'
import { type Reply, serve } from '../resident/inside.ts'
import { type Data, recordsOf, rowsOfData, Unfit } from './shape.ts'
import { type Delimiter, delimiterOf, rowsOf, tableOf } from './table.ts'
import { codeOfXml, listIn, readXml } from './xml.ts'
import { writeXml } from './xml-text.ts'

export interface DataPlan {
  from: string
  to: string
  /** The name of the code the text is in, for TextDecoder. */
  code: string
  indent: number
  sorted: boolean
  header: boolean
  types: boolean
  /** Null finds out. */
  delimiter: Delimiter | null
  attributes: boolean
  root: string
  item: string
}

/** Puts digits into JSON as they are; TypeScript does not know it yet. */
const raw: (text: string) => unknown = Reflect.get(JSON, 'rawJSON')

const isTable = (ext: string): boolean => ext === 'csv' || ext === 'tsv'

/** Whole numbers that a double cannot hold are kept to the last digit. */
const exact = (_key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' && source !== undefined && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)
    ? BigInt(source)
    : value

function readJson(text: string): Data {
  try {
    return JSON.parse(text, exact)
  } catch (error) {
    throw new Unfit(`The file is not JSON: ${String(error instanceof Error ? error.message : error).slice(0, 200)}.`)
  }
}

function readYaml(text: string): Data {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { intAsBigInt: true, lineCounter: lines, strict: true })
  const list = Array.isArray(documents) ? documents : []
  const [error] = list.flatMap((document) => document.errors)
  if (error) throw new Unfit(`The file is not YAML: line ${lines.linePos(error.pos[0]).line} is wrong.`)
  // Names that stand for others are written out, but not endlessly.
  const values = list.map((document): Data => document.toJS({ maxAliasCount: 100 }))
  return values.length === 1 ? (values[0] ?? null) : values
}

function writeJson(data: Data, indent: number): string {
  return JSON.stringify(
    data,
    (_key, value: unknown) => {
      if (typeof value === 'bigint') return raw(String(value))
      if (typeof value === 'number' && !Number.isFinite(value)) throw new Unfit(`JSON has no number like ${value}.`)
      return value
    },
    indent,
  )
}

function sorted(data: Data): Data {
  if (Array.isArray(data)) return data.map(sorted)
  if (typeof data !== 'object' || data === null) return data
  const names = Object.keys(data).sort()
  return Object.fromEntries(names.map((name) => [name, sorted(data[name] ?? null)]))
}

function read(text: string, { from, to, header, types, attributes, delimiter }: DataPlan): Data {
  if (from === 'xml') {
    const data = readXml(text, { attributes, types })
    return isTable(to) ? listIn(data) : data
  }
  if (!isTable(from)) return from === 'yaml' ? readYaml(text) : readJson(text)
  const rows = rowsOf(text, from === 'tsv' ? '\t' : (delimiter ?? delimiterOf(text)))
  return recordsOf(rows, { header, types })
}

function write(data: Data, { to, indent, header, delimiter, root, item }: DataPlan): string {
  if (to === 'xml') return writeXml(data, { root, item, indent })
  if (isTable(to)) {
    const rows = rowsOfData(data, header, (value) => writeJson(value, 0))
    return tableOf(rows, to === 'tsv' ? '\t' : (delimiter ?? ','))
  }
  if (to === 'json') return `${writeJson(data, indent)}\n`
  return stringify(data, { lineWidth: 0, indent: Math.max(2, indent), aliasDuplicateObjects: false })
}

await serve(async (question, [input]): Promise<Reply> => {
  const plan = question as DataPlan
  try {
    const code = plan.from === 'xml' && input ? codeOfXml(input, plan.code) : plan.code
    const text = new TextDecoder(code).decode(input)
    const data = read(text, plan)
    return { answer: {}, body: Buffer.from(write(plan.sorted ? sorted(data) : data, plan)) }
  } catch (error) {
    const detail = String(error).slice(0, 500)
    if (error instanceof Unfit) return { answer: { problem: true, words: error.message, detail } }
    return { answer: { problem: true, detail } }
  }
})
