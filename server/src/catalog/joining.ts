/** Options that make one piece of work of two inputs, such as a film and the sound it shall have. Pure. */
import type { Ext } from './formats.ts'
import type { OptionSet } from './option.ts'

export interface Joining {
  /** The option. */
  readonly name: string
  /** What the second input may be. */
  readonly takes: readonly Ext[]
}

/** The option that joins the inputs of a task, where one is on. */
export function joiningOf(set: OptionSet, values: Readonly<Record<string, unknown>>): Joining | null {
  for (const [name, { joins }] of Object.entries(set)) if (joins && values[name] === true) return { name, takes: joins }
  return null
}

/** Why these inputs cannot be joined, or null. */
export function unfitToJoin({ name, takes }: Joining, formats: readonly Ext[]): string | null {
  const [, second] = formats
  if (second === undefined) return `${name} needs a second input, which goes into the first; there is only one.`
  if (formats.length > 2)
    return `${name} needs two inputs, the second of which goes into the first; there are ${formats.length}.`
  return takes.includes(second)
    ? null
    : `${name} cannot take a second input of the format ${second}. Possible: ${takes.join(', ')}.`
}
