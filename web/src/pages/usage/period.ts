/** Which days a period is made of, in UTC as the server counts. Pure. */

export const PERIODS = ['week', 'month', 'quarter', 'this-month', 'last-month'] as const
export type Period = (typeof PERIODS)[number]

const DAY = 86_400_000
const LENGTHS = { week: 7, month: 30, quarter: 90 }

export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** First and last day. */
export function spanOf(period: Period, now: number): { from: string; to: string } {
  const date = new Date(now)
  const monthStart = (back: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)
  if (period === 'this-month') return { from: dayText(monthStart(0)), to: dayText(now) }
  if (period === 'last-month') return { from: dayText(monthStart(1)), to: dayText(monthStart(0) - DAY) }
  return { from: dayText(now - (LENGTHS[period] - 1) * DAY), to: dayText(now) }
}

/** Every day of it, also those on which nothing happened. */
export function daysOf({ from, to }: { from: string; to: string }): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  return Array.from({ length: Math.round((last - first) / DAY) + 1 }, (_, index) => dayText(first + index * DAY))
}

/** The end of an axis: the next of 1, 2, 5, 10, 20 … that holds it, and some steps up to it. */
export function axisOf(most: number): number[] {
  if (most <= 0) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(most))
  const top = [1, 2, 5, 10].map((step) => step * power).find((end) => end >= most) ?? most
  return [0, 0.25, 0.5, 0.75, 1].map((share) => share * top)
}
