/**
 * Reads one value as its option is declared, and shows it again. Wrong values are answered with what would be right;
 * nothing is thrown and nothing is guessed.
 */
import type { Kind, Length, Option, SizeUnit } from './option.ts'

export type Reading = { readonly value: unknown } | { readonly wrong: string }

const DEFAULT_MAX_LENGTH = 1000
const PLAIN_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** Decimal, so that a limit that is met is met by either count. */
export const SIZE_UNITS: Readonly<Record<SizeUnit, number>> = { B: 1, KB: 1e3, MB: 1e6 }
const UNITS: Readonly<Record<string, number>> = { ...SIZE_UNITS, GB: 1e9, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 }
const TRUE = new Set(['true', '1', 'yes', 'on'])
const FALSE = new Set(['false', '0', 'no', 'off'])

/** Scalars as text; anything else is no value of an option. */
const textOf = (given: unknown): string | null =>
  typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean' ? String(given).trim() : null

const toNumber = (text: string): number => (PLAIN_NUMBER.test(text) ? Number(text) : Number.NaN)

const range = ({ min, max }: Option, show: (n: number) => string = String): string => {
  if (min !== undefined && max !== undefined) return ` from ${show(min)} to ${show(max)}`
  if (min !== undefined) return ` of at least ${show(min)}`
  return max === undefined ? '' : ` of at most ${show(max)}`
}

const within = ({ min, max }: Option, n: number): boolean =>
  Number.isFinite(n) && n >= (min ?? -Number.MAX_VALUE) && n <= (max ?? Number.MAX_VALUE)

/** `HH:MM:SS[.ss]`, `MM:SS[.ss]` or plain seconds, as seconds. */
const toSeconds = (text: string): number => {
  if (!/^(\d{1,3}:){0,2}\d+(\.\d+)?$/.test(text)) return Number.NaN
  const parts = text.split(':').map(Number)
  if (parts.slice(1).some((part) => part >= 60)) return Number.NaN
  return parts.reduce((sum, part) => sum * 60 + part, 0)
}

const showTime = (seconds: number): string => {
  const ms = Math.round(seconds * 1000)
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0')
  const rest =
    ms % 1000 === 0
      ? ''
      : `.${String(ms % 1000)
          .padStart(3, '0')
          .replace(/0+$/, '')}`
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${rest}`
}

const toBytes = (text: string, unit: SizeUnit): number => {
  const [, amount = '', suffix] = /^([\d.]+)\s*([KMG]?i?B)?$/i.exec(text) ?? []
  return Math.round(toNumber(amount) * (UNITS[(suffix ?? unit).toUpperCase()] ?? Number.NaN))
}

const showBytes = (bytes: number): string => {
  const unit = bytes >= 1e6 ? 'MB' : bytes >= 1e3 ? 'KB' : 'B'
  return `${bytes / SIZE_UNITS[unit]} ${unit}`
}

const toLength = (text: string): Length | null => {
  const [, amount = '', unit] = /^([+-]?[\d.]+)\s*(px|%)?$/i.exec(text) ?? []
  const n = toNumber(amount)
  return Number.isFinite(n) ? { amount: n, unit: unit === '%' ? '%' : 'px' } : null
}

const toColor = (text: string, alpha: boolean): string | null => {
  if (alpha && text.toLowerCase() === 'transparent') return '#00000000'
  const [, hex = ''] = /^#?([0-9a-f]+)$/i.exec(text) ?? []
  const long = hex.length <= 4 ? hex.replace(/./g, '$&$&') : hex
  return long.length === 6 || (alpha && long.length === 8) ? `#${long.toLowerCase()}` : null
}

const readString = (option: Option, given: unknown): Reading => {
  const { pattern, expects, maxLength = DEFAULT_MAX_LENGTH, multiline } = option
  const text = typeof given === 'string' ? given : (textOf(given) ?? '')
  const forbidden = multiline ? /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/ : /[\0-\x1f\x7f\x85\u2028\u2029]/
  if (forbidden.test(text)) return { wrong: 'must not contain control characters.' }
  if (text.length > maxLength) return { wrong: `must be at most ${maxLength} characters.` }
  if (pattern && new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace(/[gy]/g, '')).test(text) === false) {
    return { wrong: expects ? `must be ${expects}.` : `must match ${pattern.source}.` }
  }
  return { value: text }
}

const readChoice = ({ choices = {} }: Option, text: string): Reading => {
  const names = Object.keys(choices)
  const name = names.find((n) => n === text) ?? names.find((n) => n.toLowerCase() === text.toLowerCase())
  return name === undefined ? { wrong: `must be one of ${names.join(', ')}.` } : { value: name }
}

const readNumber = (option: Option, n: number, what: string, show?: (n: number) => string): Reading =>
  within(option, n) ? { value: n } : { wrong: `must be ${what}${range(option, show)}.` }

const READ: Record<Kind, (option: Option, text: string, given: unknown) => Reading> = {
  boolean: (_, text) => {
    const word = text.toLowerCase()
    return TRUE.has(word) || FALSE.has(word) ? { value: TRUE.has(word) } : { wrong: 'must be true or false.' }
  },
  integer: (option, text) => {
    const n = toNumber(text)
    return readNumber(option, Number.isSafeInteger(n) ? n : Number.NaN, 'a whole number')
  },
  number: (option, text) => readNumber(option, toNumber(text), 'a number'),
  string: (option, _, given) => readString(option, given),
  choice: readChoice,
  color: ({ alpha }, text) => {
    const value = toColor(text, alpha === true)
    return value === null
      ? { wrong: `must be a colour like #RRGGBB${alpha ? ', #RRGGBBAA or transparent' : ''}.` }
      : { value }
  },
  time: (option, text) => readNumber(option, toSeconds(text), 'a time (00:01:30.5 or seconds)', showTime),
  size: (option, text) =>
    readNumber(
      option,
      toBytes(text, option.unit ?? 'B'),
      `a size (in ${option.unit ?? 'B'}, or like 500KB)`,
      showBytes,
    ),
  length: (option, text) => {
    const value = toLength(text)
    const fits =
      value !== null && (value.unit === '%' ? value.amount >= 0 && value.amount <= 100 : within(option, value.amount))
    return fits ? { value } : { wrong: `must be pixels${range(option)}, or a percentage like 50%.` }
  },
}

/** Reads what a caller sent. Numbers and booleans may come as strings. */
export const readValue = (option: Option, given: unknown): Reading => {
  const text = textOf(given)
  return text === null ? { wrong: 'must be a single value.' } : READ[option.kind](option, text, given)
}

/** A value as a caller may send it: what `applied` and `default_value` show. */
export const show = ({ kind, unit }: Pick<Option, 'kind' | 'unit'>, value: unknown): string | number | boolean => {
  if (kind === 'time' && typeof value === 'number') return showTime(value)
  if (kind === 'size' && typeof value === 'number') return `${value / SIZE_UNITS[unit ?? 'B']}${unit ?? 'B'}`
  if (typeof value === 'object' && value !== null && 'amount' in value && 'unit' in value) {
    return value.unit === '%' ? `${value.amount}%` : Number(value.amount)
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}
