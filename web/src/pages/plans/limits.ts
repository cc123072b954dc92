/** The limits of a plan, as people set them: sizes in megabytes, everything else as the server has it. Pure. */
import type { Plan } from '@reforge/sdk'
import { readableNumber, readableSize } from '../../figures/figures.ts'
import type { Texts } from '../../texts/texts.tsx'

export type Limit = keyof Texts['plans']['limits']

export const GROUPS = {
  minutes: ['minutesPerDay', 'minutesPerMonth', 'minutesPerTask'],
  work: ['concurrency', 'maxFileSize', 'ratePerMinute'],
  kept: ['filesHours', 'recordsHours'],
} as const satisfies Record<string, readonly Limit[]>
export const LIMITS: readonly Limit[] = Object.values(GROUPS).flat()

export const MOST: Partial<Record<Limit, number>> = { filesHours: 4, recordsHours: 24 }
const WHOLE: readonly Limit[] = ['concurrency', 'ratePerMinute']
export const isWhole = (limit: Limit): boolean => WHOLE.includes(limit)

const MEGABYTE = 1e6

/** In a field; empty for no limit. */
export const shownIn = (limit: Limit, value: number | null): number | '' =>
  value === null ? '' : limit === 'maxFileSize' ? value / MEGABYTE : value

export function takenFrom(limit: Limit, shown: number | string): number | null {
  if (shown === '' || Number.isNaN(Number(shown))) return null
  return limit === 'maxFileSize' ? Math.round(Number(shown) * MEGABYTE) : Number(shown)
}

/** `10 min a day`, `100 MB a file`; null where there is no limit. */
export function inWords(plan: Plan, limit: Limit, texts: Texts['plans']): string | null {
  const value = plan[limit]
  if (value === null) return null
  const { unit, words } = texts.limits[limit]
  return words(limit === 'maxFileSize' ? readableSize(value) : `${readableNumber(value)} ${unit}`.trim())
}
