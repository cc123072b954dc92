/** Which settings count, given the others: the options query's conditions. Pure, and the same rules as the server's. */
import type { OptionDescriptor } from '@reforge/sdk'

export type OptionField = OptionDescriptor['options'][number]
export type Values = Readonly<Record<string, string | number | boolean>>

/**
 * "required: the dependent option is effective only if the condition option is also present in the task with one of the
 * `meta` values"; a default counts as present. Not required: "may be used alone. If the condition option is also present,
 * it must have one of the `meta` values."
 */
export function isEffective(field: OptionField, fields: readonly OptionField[], values: Values, depth = 0): boolean {
  return field.conditions.every(({ name, required, meta }) => {
    const other = fields.find((each) => each.name === name)
    const given = values[name]
    if (!required) return given === undefined || meta.some(({ value }) => value === String(given))
    const present = given ?? (other?.default_value || undefined)
    if (!other || present === undefined || depth > fields.length) return false
    return meta.some(({ value }) => value === String(present)) && isEffective(other, fields, values, depth + 1)
  })
}

export const effectiveFields = (fields: readonly OptionField[], values: Values): OptionField[] =>
  fields.filter((field) => isEffective(field, fields, values))

/** What to send: no setting that would be ignored or refused, none that was left alone. */
export function effectiveValues(fields: readonly OptionField[], values: Values): Record<string, Values[string]> {
  const names = new Set(effectiveFields(fields, values).map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => names.has(name) && value !== ''))
}

/** The few that matter come first: the server lists options in that order. A size to reach always matters. */
export function firstOf(fields: readonly OptionField[], count = 3): OptionField[] {
  const sizes = fields.filter(({ type }) => type === 'size')
  return [...sizes, ...fields.filter(({ type }) => type !== 'size')].slice(0, count)
}
