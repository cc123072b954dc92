/** Option sets as the API describes them ("Option descriptor"). Pure presentation: what is true is declared in the set. */
import type { Conditions, Kind, Option, OptionSet } from './option.ts'
import { SIZE_UNITS, show } from './read.ts'

export interface OptionDescription {
  name: string
  label: string
  hint: string
  /** "Type the engine accepts, for example `boolean`, `string`." */
  data_type: 'boolean' | 'integer' | 'number' | 'string'
  /** Always a string; empty when there is none. */
  default_value: string
  /** "`enum` when the data type is string but only listed values are accepted"; otherwise what kind of value it is. */
  type: string
  enum_values?: { value: string; label: string; hint: string }[]
  conditions: { name: string; required: boolean; meta: { value: string; label: string }[] }[]
  units?: string
  min?: number
  max?: number
  /** How many inputs a task must have that uses it; any number where it says nothing. */
  inputs?: number
}

export interface OptionsDescription {
  sourceExt: string
  targetExt: string
  operation: string
  options: OptionDescription[]
  /** Which engines a task may name in `engine`, the usual one first; some do more than the pair says, with further options. */
  engines: { value: string; label: string }[]
}

const DATA_TYPE: Record<Kind, OptionDescription['data_type']> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  string: 'string',
  choice: 'string',
  color: 'string',
  time: 'string',
  size: 'string',
  length: 'string',
}

/** `image_custom_width` → `Image custom width`, for options that were given no label. */
const labelOf = (name: string, { label }: Option): string => {
  if (label !== undefined) return label
  const words = name.replace(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const conditions = (set: OptionSet, named: Conditions | undefined, required: boolean) =>
  Object.entries(named ?? {}).map(([name, values = []]) => ({
    name,
    required,
    meta: values.map((value) => ({
      value: String(value),
      label: set[name]?.choices?.[String(value)] ?? String(value),
    })),
  }))

const describeOne = (set: OptionSet, name: string, option: Option): OptionDescription => ({
  name,
  label: labelOf(name, option),
  hint: option.hint,
  data_type: DATA_TYPE[option.kind],
  default_value: option.default === undefined ? '' : String(show(option, option.default)),
  type: option.kind === 'choice' ? 'enum' : option.kind,
  ...(option.choices && {
    enum_values: Object.entries(option.choices).map(([value, label]) => ({ value, label, hint: label })),
  }),
  conditions: [...conditions(set, option.needs, true), ...conditions(set, option.agrees, false)],
  ...measures(option),
  ...(option.joins && { inputs: 2 }),
})

/** Bounds as a caller would write them: those of a size are declared in bytes. */
const measures = ({ kind, unit = 'B', units, min, max }: Option): Pick<OptionDescription, 'units' | 'min' | 'max'> => {
  const scale = kind === 'size' ? SIZE_UNITS[unit] : 1
  const counts = units ?? (kind === 'size' ? unit : undefined)
  return {
    ...(counts !== undefined && { units: counts }),
    ...(min !== undefined && { min: min / scale }),
    ...(max !== undefined && { max: max / scale }),
  }
}

/** Those for the top of a form first. */
export const describeOptions = (set: OptionSet): OptionDescription[] => {
  const all = Object.entries(set)
  return [...all.filter(([, o]) => !o.more), ...all.filter(([, o]) => o.more)].map(([name, o]) =>
    describeOne(set, name, o),
  )
}
