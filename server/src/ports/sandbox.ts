/** The box every engine runs in. Nothing of the host is visible but system programs, what is bound here, and `/work`. */
import type { Readable, Writable } from 'node:stream'

export interface Limits {
  /** Milliseconds of wall clock; for a resident, none unless given. */
  wall: number
  /** Seconds of CPU. */
  cpu: number
  /** Bytes of memory of the whole box. */
  memory: number
  /** Bytes of address space of one process; `null` for programs that reserve more than they use (V8, Chromium). */
  addressSpace: number | null
  /** Bytes of one file. */
  file: number
  /** Bytes below `/work` and the writable folders in all, files that were deleted but are still open included. */
  disk: number
  processes: number
  /** Bytes of standard output kept; more ends the run. */
  output: number
  /** Bytes of the private `/tmp`. */
  tmp: number
}

export type Profile = 'strict' | 'browser'

/**
 * Where a path inside the box (`/work/in.png`, `/tmp/profile`, a key of `readOnly`) really is for the program: the same
 * place where the box has a file system of its own, the host's path where it has none. An argument or variable that holds
 * such a path must go through it; paths relative to the current directory need not, nor the program itself.
 */
export type At = (inside: string) => string

/** An absolute path of the program as seen inside, then its arguments. Never a shell. */
export type Command = readonly [string, ...string[]]
export type Environment = Readonly<Record<string, string>>

export interface BoxSpec {
  command: Command | ((at: At) => Command)
  /** Host directory bound as `/work`, writable, and the current directory. Without it `/work` is an empty read-only folder. */
  work?: string
  /** Host paths bound read-only, by their path inside. A server run by root boxes as somebody else: files must be readable for all. */
  readOnly?: Readonly<Record<string, string>>
  /** Host directories bound writable, by their path inside. */
  writable?: Readonly<Record<string, string>>
  env?: Environment | ((at: At) => Environment)
  limits?: Partial<Limits>
  /** `browser` keeps what Chromium needs for its own sandbox. */
  profile?: Profile
}

/** Why a run was ended by us. */
export type Ended = 'wall' | 'cpu' | 'memory' | 'disk' | 'output' | 'canceled'

export interface BoxResult {
  code: number | null
  signal: string | null
  /** Set when a limit or the caller ended it. */
  ended: Ended | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  signal?: AbortSignal
  /** Sees standard output while it comes, for progress. */
  onOutput?: (text: string) => void
}

/** A boxed program that stays, and is spoken to over its standard streams. */
export interface Resident {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly at: At
  /** Resolves when it is gone, however it went. */
  readonly gone: Promise<BoxResult>
  /** Bytes of memory it holds now, or null when that cannot be told. */
  memory(): Promise<number | null>
  kill(): void
}

export interface Sandbox {
  /** What closes the box, for `/health`: `bubblewrap`, `landlock`, or `none` when the operator switched it off. */
  readonly kind: 'bubblewrap' | 'landlock' | 'none'
  /** Without namespaces of its own a browser cannot be held: `run` and `start` throw for a profile that is not listed. */
  readonly profiles: readonly Profile[]
  run(spec: BoxSpec, options?: RunOptions): Promise<BoxResult>
  start(spec: BoxSpec): Promise<Resident>
  /** Kills whatever still runs. */
  close(): Promise<void>
}
