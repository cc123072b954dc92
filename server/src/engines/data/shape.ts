/** Between tables and data: rows become records by the names in the first row, and records rows. Pure; runs in a box. */

/** What JSON can say; whole numbers of any length are bigints. */
export type Data = null | boolean | number | bigint | string | Data[] | { [name: string]: Data }

export class Unfit extends Error {}

/** A number only where it is written exactly as numbers are: 007 and 1.50 are texts. */
export const typed = (text: string): Data => {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?(?:0|[1-9]\d{0,14})$/.test(text) && text !== '-0') return Number(text)
  return /^-?(?:0|[1-9]\d*)\.\d*[1-9]$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

export function recordsOf(rows: readonly string[][], { header, types }: { header: boolean; types: boolean }): Data {
  const value = (text: string): Data => (types ? typed(text) : text)
  if (!header) return rows.map((row) => row.map(value))
  const [names = [], ...rest] = rows
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Unfit(`The table has two columns called "${twice}".`)
  return rest.map((row, at) => {
    if (row.length > names.length) throw new Unfit(`Row ${at + 2} of the table has more values than there are columns.`)
    return Object.fromEntries(names.map((name, column) => [name, value(row[column] ?? '')]))
  })
}

export const isRecord = (data: Data): data is { [name: string]: Data } =>
  typeof data === 'object' && data !== null && !Array.isArray(data)

/** Texts and numbers as they are, nothing as nothing; what is nested stays JSON within its cell. */
const cell = (data: Data | undefined, json: (data: Data) => string): string => {
  if (data === null || data === undefined) return ''
  return typeof data === 'object' ? json(data) : String(data)
}

export function rowsOfData(data: Data, header: boolean, json: (data: Data) => string): string[][] {
  if (!Array.isArray(data)) throw new Unfit('Only a list can become a table: of records, or of lists of values.')
  if (data.every((row) => Array.isArray(row))) return data.map((row) => row.map((value) => cell(value, json)))
  if (!data.every(isRecord)) throw new Unfit('Only a list of records, or of lists of values, can become a table.')
  const names = [...new Set(data.flatMap((row) => Object.keys(row)))]
  const rows = data.map((row) => names.map((name) => cell(Object.hasOwn(row, name) ? row[name] : null, json)))
  return header ? [names, ...rows] : rows
}
