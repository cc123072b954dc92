/** Tables as text: values between delimiters, in quotes where they need them ("RFC 4180"). Pure; runs inside a box. */

export type Delimiter = ',' | ';' | '\t' | '|' | ':'
/** A colon is in too many texts to be found out. */
const USUAL: readonly Delimiter[] = [',', ';', '\t', '|']

/** What stands most often in the first line, outside of quotes. */
export function delimiterOf(text: string): Delimiter {
  const [line = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1)
  const counts = USUAL.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter
}

/** Every row with its values. A quote that is never closed holds all the rest. */
export function rowsOf(text: string, delimiter: Delimiter): string[][] {
  // Each value is a quoted one with what sticks to it, or whatever comes before the next delimiter or line end.
  const value = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$)([^${delimiter}\\r\\n]*)|([^${delimiter}\\r\\n]*))(${delimiter === '|' ? '\\|' : delimiter}|\\r?\\n|\\r|$)`,
    'y',
  )
  const rows: string[][] = []
  let row: string[] = []
  while (value.lastIndex < text.length) {
    const [, quoted, rest = '', plain = '', end] = value.exec(text) ?? []
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest)
    if (end === delimiter) {
      if (value.lastIndex === text.length) row.push('')
      else continue
    }
    rows.push(row)
    row = []
  }
  // An empty line is no row of one empty value.
  return rows.filter((each) => each.length > 1 || each[0] !== '')
}

/** "Fields containing line breaks (CRLF), double quotes, and commas should be enclosed in double-quotes." */
const written = (value: string, delimiter: Delimiter): string =>
  /["\r\n]/.test(value) || value.includes(delimiter) || value !== value.trim()
    ? `"${value.replaceAll('"', '""')}"`
    : value

export const tableOf = (rows: readonly (readonly string[])[], delimiter: Delimiter): string =>
  rows
    .map(
      (row) =>
        `${row.length === 1 && row[0] === '' ? '""' : row.map((value) => written(value, delimiter)).join(delimiter)}\r\n`,
    )
    .join('')
