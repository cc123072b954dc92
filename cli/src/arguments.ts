/** Reads what was typed, by the declarations. Refuses what a command does not take and says what is near it. */
import type { Argument, Command, Commands } from './command.ts'
import { UsageError } from './exit.ts'
import { COMMON, FLAGS, type Flag, parse, specOf, type Values } from './flags.ts'
import { didYouMean, nearest } from './nearest.ts'

const isFlag = (name: string): name is Flag => Object.hasOwn(FLAGS, name)

export function readArguments(args: string[]): ReturnType<typeof parse> {
  try {
    return parse(args)
  } catch (error) {
    const { message } = error as Error
    const unknown = /Unknown option '--?([^']+)'/.exec(message)?.[1]
    if (unknown !== undefined) {
      const dashed = Object.keys(FLAGS).map((name) => `--${name}`)
      throw new UsageError(`There is no option --${unknown}.${didYouMean(`--${unknown}`, dashed)} See: reforge --help`)
    }
    // Node's message goes on with advice about "--"; the first sentence is enough.
    throw new UsageError(`${message.split('. ')[0]?.replace(/\.$/, '')}. See: reforge --help`)
  }
}

export interface Chosen {
  /** `jobs cancel` */
  path: string
  command: Command
  names: readonly string[]
}

/** The command that the first word names, or its verb that the second names. */
export function choose(commands: Commands, positionals: readonly string[]): Chosen {
  const [name = '', ...names] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const all = Object.keys(commands)
    throw new UsageError(`There is no command "${name}".${didYouMean(name, all)} There are: ${all.join(', ')}.`)
  }
  const [verb = '', ...rest] = names
  const chosen = command.verbs && Object.hasOwn(command.verbs, verb) ? command.verbs[verb] : undefined
  if (chosen) return { path: `${name} ${verb}`, command: chosen, names: rest }
  // An id is like no verb; what is, was meant as one.
  const wantsVerb = names.length > (command.takes?.length ?? 0) || nearest(verb, Object.keys(command.verbs ?? {}))
  if (command.verbs && verb !== '' && wantsVerb) throw noVerb(name, verb, command.verbs)
  return { path: name, command, names }
}

function noVerb(name: string, verb: string, verbs: Commands): UsageError {
  const all = Object.keys(verbs)
  return new UsageError(`There is no "${name} ${verb}".${didYouMean(verb, all)} There are: ${all.join(', ')}.`)
}

/** A flag that is not this command's would be ignored, and a name too many as well: better said. */
export function check({ path, command, names }: Chosen, values: Values): void {
  const see = `See: reforge ${path} --help`
  const own: readonly string[] = [...(command.flags ?? []), ...COMMON]
  const foreign = Object.keys(values).find((flag) => !own.includes(flag))
  if (foreign) throw new UsageError(`reforge ${path} takes no --${foreign}. ${see}`)
  const takes = command.takes ?? []
  const missing = takes.filter(({ optional }) => !optional)[names.length]
  if (missing) throw new UsageError(`Say which ${missing.word}. For example: ${command.examples[0]?.[0]}`)
  if (!takes.some(({ many }) => many) && names.length > takes.length)
    throw new UsageError(`reforge ${path} has no use for "${names[takes.length]}". ${see}`)
}

/** `--option quality=80 --width 100`: both are settings of the conversion. */
export function readOptions(values: Values): Record<string, string> {
  const named = (values.option ?? []).map((text): [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`"${text}" is no setting. Write --option name=value.`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
  const own = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    isFlag(name) && specOf(name).isOption && typeof value === 'string' ? [[name, value]] : [],
  )
  return Object.fromEntries([...named, ...own])
}

/** `FILE…`, `[ID]` */
export const shape = ({ name, many, optional }: Argument): string => {
  const whole = many ? `${name}…` : name
  return optional ? `[${whole}]` : whole
}
