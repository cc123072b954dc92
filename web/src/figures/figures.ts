/** Numbers in words: sizes, spans of time, moments. Pure; the language is the page's. */

const LANGUAGE = 'en'
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** 1 KB is 1000 bytes, as in the API. */
export function readableSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  const digits = power === 0 || value >= 100 ? 0 : 1
  return `${value.toLocaleString(LANGUAGE, { maximumFractionDigits: digits, minimumFractionDigits: digits })} ${UNITS[power]}`
}

/** `340 ms`, `4.2 s`, `3 min 5 s`, `2 h 4 min`. */
export function readableDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' })
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `3 minutes ago`, `in 2 hours`; within a minute it is now. */
export function readableWhen(at: number, now: number): string | null {
  const [unit, length] = STEPS.find(([, span]) => Math.abs(at - now) >= span) ?? []
  return unit && length ? relative.format(Math.trunc((at - now) / length), unit) : null
}

const moment = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' })
export const readableMoment = (at: number): string => moment.format(at)

/** What became of a size, in percent: `−63 %`, `+4 %`; `×12` where percents say nothing any more. */
export function readableChange(before: number, after: number): string {
  if (after >= before * 10) return `×${Math.round(after / Math.max(1, before)).toLocaleString(LANGUAGE)}`
  const percent = Math.round((after / Math.max(1, before) - 1) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent).toLocaleString(LANGUAGE)} %`
}

/** With digits after the point where they say something: `0.25`, `12.5`, `1,200`. */
export const readableNumber = (value: number): string =>
  value.toLocaleString(LANGUAGE, { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
