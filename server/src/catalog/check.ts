/**
 * Looks over what the engines declare, before the server starts: it refuses to run on any mistake found here, since each
 * would show only later, as a query that promises what a task refuses.
 */
import type { Capability, Engine } from './engine.ts'
import { EXTS, type Ext } from './formats.ts'
import type { Option, OptionSet } from './option.ts'
import { readValue, show } from './read.ts'

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/
const known = new Set<string>(EXTS)

const twice = <T>(items: readonly T[]): T[] => [...new Set(items.filter((item, i) => items.indexOf(item) !== i))]

/** A default must be what a caller could have sent. */
function* checkValue(option: Option, what: 'default' | 'neutral'): Generator<string> {
  const value = option[what]
  if (value === undefined || (option.kind === 'string' && value === '')) return
  const reading = readValue(option, show(option, value))
  if ('wrong' in reading) yield `its ${what} ${reading.wrong}`
}

function* checkConditions(set: OptionSet, option: Option): Generator<string> {
  for (const kind of ['needs', 'agrees'] as const) {
    for (const [other, values = []] of Object.entries(option[kind] ?? {})) {
      const named = Object.hasOwn(set, other) ? set[other] : undefined
      if (named === undefined) {
        yield `${kind} ${other}, which is no option of the set.`
        continue
      }
      if (values.length === 0) yield `${kind} ${other} to have no value at all.`
      for (const value of values) {
        const reading = readValue(named, value)
        if ('wrong' in reading) yield `${kind} ${other} to be ${value}, but ${other} ${reading.wrong}`
      }
      // Else the option given alone and the default of the other would be in force together, and contradict each other.
      if (kind === 'agrees' && named.default !== undefined && !values.map(String).includes(String(named.default))) {
        yield `agrees with ${other} only when it is ${values.join(' or ')}, but the default of ${other} is ${named.default}.`
      }
    }
  }
}

/** Whether an option hangs on itself. */
const circles = (set: OptionSet, name: string, seen: readonly string[] = []): boolean =>
  seen.includes(name) || Object.keys(set[name]?.needs ?? {}).some((other) => circles(set, other, [...seen, name]))

function* checkOptions(set: OptionSet): Generator<string> {
  for (const [name, option] of Object.entries(set)) {
    const say = (mistake: string): string => `option ${name} ${mistake}`
    if (!NAME.test(name)) yield say('is not named in letters, digits, dashes and underscores.')
    if (option.kind === 'choice' && Object.keys(option.choices ?? {}).length === 0) yield say('has no choices.')
    if (option.joins && option.kind !== 'boolean') yield say('joins inputs, but is neither on nor off.')
    if ((option.min ?? Number.NEGATIVE_INFINITY) > (option.max ?? Number.POSITIVE_INFINITY))
      yield say('has min over max.')
    for (const mistake of checkValue(option, 'default')) yield say(`is wrong: ${mistake}`)
    for (const mistake of checkValue(option, 'neutral')) yield say(`is wrong: ${mistake}`)
    for (const mistake of checkConditions(set, option)) yield say(mistake)
    if (circles(set, name)) yield say('needs itself.')
  }
}

function* checkCapability({ from, to, cost, options }: Capability): Generator<string> {
  if (from.length === 0) yield 'takes no format.'
  if (to.length === 0) yield 'makes no format.'
  const named: readonly Ext[] = to === 'same' ? from : [...from, ...to]
  for (const ext of new Set(named)) if (!known.has(ext)) yield `names ${ext}, which is no known format.`
  for (const ext of twice(from)) yield `takes ${ext} twice.`
  for (const ext of to === 'same' ? [] : twice(to)) yield `makes ${ext} twice.`
  if (!(cost >= 1 && cost <= 9)) yield `costs ${cost}, not 1 to 9.`
  yield* checkOptions(options)
}

const pairs = ({ does, from, to }: Capability): string[] =>
  from.flatMap((f) => (to === 'same' ? [f] : to).map((t) => `${does} ${f} → ${t}`))

function* checkEngine(engine: Engine): Generator<string> {
  if (!NAME.test(engine.id)) yield 'its id is not in letters, digits, dashes and underscores.'
  for (const capability of engine.can) {
    for (const mistake of checkCapability(capability)) yield `${capability.does}: ${mistake}`
  }
  for (const pair of twice(engine.can.flatMap((capability) => [...new Set(pairs(capability))])))
    yield `can ${pair} twice.`
}

/** Every mistake in the declarations, in words for who wrote them; empty when all is well. */
export const checkEngines = (engines: readonly Engine[]): string[] => [
  ...twice(engines.map(({ id }) => id)).map((id) => `${id}: two engines have this id.`),
  ...engines.flatMap((engine) => [...checkEngine(engine)].map((mistake) => `${engine.id}: ${mistake}`)),
]
