/** The table that is printed. */

export interface Row {
  what: string
  value: string
  /** What it should be, where there is such a thing. */
  target?: string
  ok?: boolean
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const perSecond = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)}/s`
export const times = (value: number): string => `${value.toFixed(2)}×`

export function print(title: string, rows: readonly Row[]): void {
  const wide = Math.max(...rows.map(({ what }) => what.length))
  const value = Math.max(...rows.map((row) => row.value.length))
  console.log(`\n${title}`)
  for (const row of rows) {
    const target = row.target ? `   target ${row.target}${row.ok === undefined ? '' : row.ok ? '  ✓' : '  ✗'}` : ''
    console.log(`  ${row.what.padEnd(wide)}  ${row.value.padStart(value)}${target}`)
  }
}
