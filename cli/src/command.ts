/** What a command is: a declaration from which its parsing, help, completion and manual derive. Types only. */
import type { Reforge } from '@reforge/sdk'
import type { Completes, Flag, Values } from './flags.ts'

export interface Context {
  values: Values
  /** What follows the command's name. */
  names: readonly string[]
  /** Connected on first use. */
  reforge(): Promise<Reforge>
  in: NodeJS.ReadStream
  out: NodeJS.WriteStream
  err: NodeJS.WriteStream
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  env: Readonly<Record<string, string | undefined>>
}

export interface Argument {
  name: string
  /** As in "Say which file." */
  word: string
  optional?: true
  many?: true
  completes?: Completes
}

export interface Command {
  summary: string
  /** More to say, in help, manual and docs; one paragraph each. */
  about?: readonly string[]
  takes?: readonly Argument[]
  flags?: readonly Flag[]
  /** What to type, and what it does. */
  examples: readonly (readonly [line: string, what: string])[]
  verbs?: Readonly<Record<string, Command>>
  /** Answers the exit code. A command with verbs runs itself when none is named. */
  run(context: Context): Promise<number>
}

export type Commands = Readonly<Record<string, Command>>
