/** The parts of the time that stay. Pure. */
export interface Range {
  readonly id: string
  readonly start: number
  readonly end: number
}

export type Edge = 'start' | 'end'

/** Less cannot be seen or heard. */
export const LEAST = 0.1

const rounded = (time: number): number => Math.round(time * 1000) / 1000
const between = (time: number, least: number, most: number): number => Math.max(least, Math.min(time, most))

/** Moves an edge; it passes neither the other nor the ends. */
export function withEdge(range: Range, edge: Edge, time: number, duration: number): Range {
  const least = Math.min(LEAST, duration)
  return edge === 'start'
    ? { ...range, start: rounded(between(time, 0, range.end - least)) }
    : { ...range, end: rounded(between(time, range.start + least, duration)) }
}

/** Where a further part most likely is wanted: after the last, else in the longest gap, else anywhere. */
export function further(ranges: readonly Range[], duration: number, id: string): Range {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  const ends = [0, ...sorted.map(({ end }) => end)]
  const starts = [...sorted.map(({ start }) => start), duration]
  const gaps = ends.map((end, at) => ({ start: end, end: starts[at] ?? duration }))
  const last = gaps.at(-1)
  const longest = gaps.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a))
  const gap = last && last.end - last.start >= 10 * LEAST ? last : longest
  const room = gap.end - gap.start
  if (room < 4 * LEAST) return { id, start: 0, end: rounded(duration) }
  return { id, start: rounded(gap.start + room / 4), end: rounded(gap.end - room / 4) }
}

export const total = (ranges: readonly Range[]): number => ranges.reduce((sum, { start, end }) => sum + end - start, 0)

/** What does not stay. */
export function gapsOf(ranges: readonly Range[], duration: number): [number, number][] {
  const gaps: [number, number][] = []
  let until = 0
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > until) gaps.push([until, start])
    until = Math.max(until, end)
  }
  if (until < duration) gaps.push([until, duration])
  return gaps
}

const written = (time: number): string => String(Number(time.toFixed(3)))

/** "Several parts to keep, joined in this order, instead of start and end: 0-5, 00:01:00-00:01:10, 90-" */
export function optionsOf(ranges: readonly Range[]): Record<string, string> {
  const [only] = ranges
  if (ranges.length === 1 && only) return { start: written(only.start), end: written(only.end) }
  return { ranges: ranges.map(({ start, end }) => `${written(start)}-${written(end)}`).join(',') }
}
