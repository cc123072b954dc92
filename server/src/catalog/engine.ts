/** What an engine declares and what it is given to do it. Types only: engines fill them in, the catalog reads them. */

import type { Json, JsonObject } from '../core/task.ts'
import type { BoxResult, BoxSpec } from '../ports/sandbox.ts'
import type { Ext } from './formats.ts'
import type { OptionSet, Values } from './option.ts'

export const OPERATIONS = ['convert', 'compress', 'merge', 'crop', 'trim'] as const
export type Doing = (typeof OPERATIONS)[number]

/** A file an engine may read. `path` is on the host: bind it into the box or stream it. */
export interface InputFile {
  path: string
  format: Ext
  filename: string
  size: number
}

/** What the operator takes of sound and moving pictures. */
export interface MediaLimits {
  seconds: number
  /** Of one picture. */
  pixels: number
}

/** Everything one run of a capability gets. */
export interface Work<S extends OptionSet = OptionSet> {
  does: Doing
  inputs: readonly InputFile[]
  /** The first input; most capabilities have only this one. */
  input: InputFile
  to: Ext
  options: Values<S>
  /** What it makes is read by another hop and thrown away: quickly written is better than small. */
  passing?: boolean
  /** A private, empty host directory for this hop. What `run` answers are names of plain files in it. */
  dir: string
  limits: MediaLimits
  /** Whose work it is; a warm process never serves two. */
  user: string
  signal: AbortSignal
  /** 0–100, as far as the engine really knows. */
  progress(percent: number): void
  /** Something the user should know about the result, shown in `result`. */
  tell(key: string, value: Json): void
  /**
   * Runs a tool in a box of its own with `dir` as `/work`; throws a Failure on a limit, answers otherwise. `onOutput` sees
   * standard output while it comes.
   */
  run(spec: Omit<BoxSpec, 'work'>, onOutput?: (text: string) => void): Promise<BoxResult>
  /** Has parts of it done elsewhere; absent where all is done here. */
  spread?: Spread
  /** Asks a warm worker; see engines/resident.ts. */
  ask(
    resident: ResidentKind,
    question: JsonObject,
    input: string | readonly string[] | null,
    output: string | null,
  ): Promise<JsonObject>
}

/** Several machines work on one hop: each part of it is an order that the engine itself wrote, and understands anywhere. */
export interface Spread {
  /** Of sound or film that a part should have. */
  seconds: number
  /**
   * Has `Engine.part` carry out every order, on whichever machines have room. Answers their files in `dir`, in order. A part
   * that fails again and again is a Failure.
   */
  hand(orders: readonly JsonObject[], progress: (percent: number) => void): Promise<readonly string[]>
}

/** A program kept warm in a box: how to start it. Its protocol is framed on stdin and stdout (engines/resident.ts). */
export interface ResidentKind {
  id: string
  spec: BoxSpec
  /** Requests after which it is replaced. */
  recycleAfter: number
  /** Milliseconds for one request. */
  timeout: number
  /**
   * It forks a child for every request, which closes itself in: then one process serves all users, several at once, from
   * folders that it shares with the server (engines/resident/forking.ts). Seconds of work and bytes that one child may use,
   * and milliseconds after which a process that nobody asks goes. `impatient`: whoever asks goes another way while it starts.
   */
  forks?: { cpu?: number; memory?: number; file?: number; disk?: number; idle?: number; impatient?: true }
}

/** A block: every `from` to every `to`, one option set, one way to do it. */
export interface Capability<S extends OptionSet = OptionSet> {
  does: Doing
  from: readonly Ext[]
  /** `same`: every format to itself. */
  to: readonly Ext[] | 'same'
  /** 1 native and faithful … 9 last resort. */
  cost: number
  /** Keeps a core busy for long: such tasks have a lane of their own, so that small ones need not wait for them. */
  heavy?: true
  /** Its output feeds no other engine (a frame grab, a text dump). */
  terminal?: true
  /** The bytes of its inputs are in its output as they came: they had better be small. */
  embeds?: true
  /** Taken only when the task names its engine: it does more than the pair says (it recognises text, say). */
  onRequest?: true
  options: S
  run(work: Work<S>): Promise<readonly string[]>
}

/**
 * Reads what the engine that usually does it gave up, with the options that one was given: its pairs are declared by that
 * engine, and it is asked only then.
 */
export interface Rescue {
  from: readonly Ext[]
  to: readonly Ext[]
  run(work: Work): Promise<readonly string[]>
}

/** A program an engine needs; it is probed at start and its capabilities leave the catalog when it is missing. */
export interface Tool {
  /** Absolute path, or the name of a package of ours. */
  program: string
  /** The Debian package that brings it, for the hint. */
  debian?: string
}

export interface Engine {
  id: string
  title: string
  tools: readonly Tool[]
  /** Those started with the server. What holds much memory is not here: it starts with its first question. */
  residents?: readonly ResidentKind[]
  // biome-ignore lint/suspicious/noExplicitAny: a list of capabilities with different option sets; each stays typed where it is declared
  can: readonly Capability<any>[]
  rescues?: readonly Rescue[]
  /** Carries out one order of a `Spread`, on the same input as the hop that gave it; answers the name of a file in `dir`. */
  part?(work: Work, order: JsonObject): Promise<string>
}
