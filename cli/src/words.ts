/** Numbers as people read them. Pure. */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

export function bytes(count: number): string {
  // Rounded before the unit is chosen, so that 999,999 is 1.0 MB and not 1000 kB.
  let power = 0
  while (power < UNITS.length - 1 && Number((count / 1000 ** power).toPrecision(3)) >= 1000) power++
  const value = count / 1000 ** power
  return `${power === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}

/** What became of the size: `−81%`, `+12%`, `×30` when it is far more, and `±0%` when it is the same to the eye. */
export function change(before: number, after: number): string {
  if (before === 0) return ''
  const percent = Math.round((after / before - 1) * 100)
  if (percent >= 1000) return `×${Math.round(after / before)}`
  return percent === 0 ? '±0%' : percent < 0 ? `−${-percent}%` : `+${percent}%`
}

export function seconds(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const whole = Math.round(ms / 1000)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}

/** A name in so many columns: its beginning and its end are what tells it from others. */
export function fit(name: string, width: number): string {
  const letters = [...name]
  if (letters.length <= width) return name + ' '.repeat(width - letters.length)
  const tail = Math.floor((width - 1) / 2)
  return `${letters.slice(0, width - 1 - tail).join('')}…${letters.slice(letters.length - tail).join('')}`
}

/** Rows with their columns under each other; the last column runs free. */
export function table(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : fit(cell, (widths[column] ?? 0) + gap)))
      .join('')
      .trimEnd(),
  )
}
