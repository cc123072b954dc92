/**
 * What a caller gave, against what is declared: the values an engine reads, what was ignored and why, and everything that
 * is wrong, at once. Pure; reading one value is read.ts.
 */
import type { Issue } from '../core/errors.ts'
import { nearest } from './nearest.ts'
import type { Conditions, Option, OptionSet, Scalar, Values } from './option.ts'
import { readValue, show } from './read.ts'

export interface Resolved<S extends OptionSet = OptionSet> {
  readonly values: Values<S>
  /** What is in force, defaults included, as a caller would write it. */
  readonly applied: Record<string, Scalar>
  readonly ignored: { name: string; reason: string }[]
  /** Paths are option names. */
  readonly issues: Issue[]
}

/** Nothing was given: absent, null, or empty, as a form sends a field that was left alone. */
const isBlank = (given: unknown): boolean =>
  given === undefined || given === null || (typeof given === 'string' && given.trim() === '')

const list = (values: readonly Scalar[]): string => values.map(String).join(' or ')

const unknown = (set: OptionSet, name: string): Issue => {
  const names = Object.keys(set)
  const meant = nearest(name, names)
  const hint = meant === null ? '' : ` Did you mean ${meant}?`
  const valid = names.length === 0 ? ' There are no options here.' : ` Valid options: ${names.join(', ')}.`
  return {
    path: name.slice(0, 100),
    message: `There is no option ${JSON.stringify(name.slice(0, 100))} here.${hint}${valid}`,
  }
}

/** Reads all that was given; what cannot be read is an issue. */
const readAll = (set: OptionSet, given: Readonly<Record<string, unknown>>, elsewhere: OptionSet) => {
  const read = new Map<string, unknown>()
  const ignored: Resolved['ignored'] = []
  const issues: Issue[] = []
  for (const [name, raw] of Object.entries(given)) {
    const option = Object.hasOwn(set, name) ? set[name] : undefined
    if (option !== undefined) {
      if (isBlank(raw)) continue
      const reading = readValue(option, raw)
      if ('wrong' in reading) issues.push({ path: name, message: `${name} ${reading.wrong}` })
      else read.set(name, reading.value)
    } else if (Object.hasOwn(elsewhere, name)) {
      ignored.push({ name, reason: `${name} has no effect for these inputs.` })
    } else issues.push(unknown(set, name))
  }
  return { read, ignored, issues }
}

/** What an option is at the end: given or default, and whether its conditions let it count. */
const createJudge = (set: OptionSet, read: ReadonlyMap<string, unknown>) => {
  const known = new Map<string, { effective: boolean; reason: string }>()

  const current = (name: string): unknown => (read.has(name) ? read.get(name) : set[name]?.default)

  /**
   * Rule 1: "the dependent option is effective only if the condition option is also present in the task with one of the
   * `meta` values." A default counts as present, for the specification also says of `default_value`: "Used when the option
   * is omitted"; else a caller who relies on a default would see his option ignored although the condition holds. An
   * option that is itself without effect is not present.
   */
  const unmet = (needs: Conditions): string => {
    for (const [name, values = []] of Object.entries(needs)) {
      const value = current(name)
      if (value === undefined || !matches(set[name], value, values) || !judge(name).effective) {
        return `it takes effect only when ${name} is ${list(values)}.`
      }
    }
    return ''
  }

  /** Rule 2: "If the condition option is also present, it must have one of the `meta` values." Only what was given counts. */
  const against = (agrees: Conditions): string => {
    for (const [name, values = []] of Object.entries(agrees)) {
      if (read.has(name) && !matches(set[name], read.get(name), values)) return `${name} must then be ${list(values)}.`
    }
    return ''
  }

  const judge = (name: string): { effective: boolean; reason: string } => {
    const before = known.get(name)
    if (before) return before
    // Entered first, so that conditions in a circle (check.ts refuses them) end.
    known.set(name, { effective: false, reason: '' })
    const reason = unmet(set[name]?.needs ?? {})
    const verdict = { effective: reason === '', reason }
    known.set(name, verdict)
    return verdict
  }
  return { judge, against }
}

const matches = (option: Option | undefined, value: unknown, values: readonly Scalar[]): boolean =>
  option !== undefined && values.some((v) => v === value || String(v) === String(show(option, value)))

/** `elsewhere`: options that are known but not used on this route; they are ignored, not wrong. */
export const resolve = <S extends OptionSet>(
  set: S,
  given: Readonly<Record<string, unknown>>,
  elsewhere: OptionSet = {},
): Resolved<S> => {
  const { read, ignored, issues } = readAll(set, given, elsewhere)
  const { judge, against } = createJudge(set, read)
  const values: Record<string, unknown> = {}
  const applied: Record<string, Scalar> = {}
  for (const [name, option] of Object.entries(set)) {
    const { effective, reason } = judge(name)
    const dispute = against(option.agrees ?? {})
    if (read.has(name) && !effective) ignored.push({ name, reason: `${name} was ignored: ${reason}` })
    if (read.has(name) && effective && dispute)
      issues.push({ path: name, message: `${name} cannot be used here: ${dispute}` })
    values[name] = read.has(name) && effective ? read.get(name) : option.default
    if (effective && !dispute && values[name] !== undefined) applied[name] = show(option, values[name])
  }
  // Every value was read as its option is declared, which is what `Values` says.
  return { values: values as Values<S>, applied, ignored, issues }
}
