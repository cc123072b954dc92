/** What can be completed where, the same for every shell. Pure. */
import type { Command, Commands } from '../command.ts'
import { COMMON, type Flag } from '../flags.ts'

export interface Offer {
  /** `jobs cancel`; empty for the program itself. */
  path: string
  command: Command | null
  /** Commands or verbs that may come next, with their summary. */
  words: readonly (readonly [name: string, summary: string])[]
  flags: readonly Flag[]
}

const below = (commands: Commands): (readonly [string, string])[] =>
  Object.entries(commands).map(([name, { summary }]) => [name, summary])

function ofCommand(path: string, command: Command): Offer[] {
  const verbs = command.verbs ?? {}
  const own = { path, command, words: below(verbs), flags: [...(command.flags ?? []), ...COMMON] }
  return [own, ...Object.entries(verbs).flatMap(([name, verb]) => ofCommand(`${path} ${name}`, verb))]
}

export function offers(commands: Commands): Offer[] {
  return [
    { path: '', command: null, words: below(commands), flags: [...COMMON, 'version'] },
    ...Object.entries(commands).flatMap(([name, command]) => ofCommand(name, command)),
  ]
}

/** Formats are the server's to tell; it is asked when they are needed. */
export const ASK_FORMATS = 'reforge formats 2>/dev/null'

/** Inside single quotes of any of the shells. */
export const quoted = (text: string): string => `'${text.replace(/'/g, "'\\''")}'`
