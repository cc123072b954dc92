/**
 * What an operation declares: its endpoint, the validation in jobs, the documentation and the masking all derive from it.
 * An operation never names an engine: it asks the catalog.
 */
import type { Readable } from 'node:stream'
import type { Static, TObject } from 'typebox'
import type { Catalog } from '../catalog/catalog.ts'
import type { Doing, Engine, InputFile, Work } from '../catalog/engine.ts'
import type { Sniffed } from '../catalog/sniff.ts'
import type { Issue } from '../core/errors.ts'
import type { JsonObject, Lane, TaskFile } from '../core/task.ts'
import type { Guard } from '../net/guard.ts'

/** What an operation came to: files that the service keeps, and what else the result shall tell. */
export interface Outcome {
  files: TaskFile[]
  more?: JsonObject
}

/** Everything a running operation may do, and nothing else. */
export interface RunContext<P = Record<string, unknown>> {
  task: { id: string; user: string; name: string }
  params: P
  /** The files of all input tasks, in the order of `input`. */
  inputs: readonly TaskFile[]
  catalog: Catalog
  guard: Guard
  maxFileSize: number
  storages: StorageSettings
  signal: AbortSignal
  progress(percent: number): void
  /** A path to read an input from, until the task ends. */
  local(file: TaskFile): Promise<string>
  read(file: TaskFile): Readable
  /** What the content says it is, if it were called `name`. */
  identify(file: TaskFile, name: string): Promise<Sniffed>
  /** Takes bytes that come from outside. The format is found from the content; the name breaks ties. */
  receive(source: AsyncIterable<Uint8Array>, filename: string): Promise<TaskFile>
  /** Keeps a file that a hop made. */
  keep(made: InputFile, filename: string): Promise<TaskFile>
  /** Runs one hop in a private directory; what came out is checked and answered. */
  engine: HopRunner
  /** Visits a web page and keeps it as one file. */
  snapshot(page: PageOrder): Promise<KeptPage>
}

/** A web page to be visited, and how. */
export interface PageOrder {
  url: string
  viewport: { width: number; height: number }
  /** Seconds for the page itself to arrive. */
  timeout: number
  /** Milliseconds to wait when all is there. */
  delay: number
  hideCookie: boolean
}

export interface KeptPage {
  file: InputFile
  title: string
  /** Where it was found in the end. */
  url: string
  /** Something of it did not come in time. */
  incomplete: boolean
}

/** Where storages are and how much is taken from them at once: the operator's to say, never the caller's. */
export interface StorageSettings {
  /** `{account}` stands for the name of the account. */
  blobstoreUrl: string
  objstoreBUrl: string
  objstoreBTokenUrl: string
  /** Files that one task may bring in. */
  maxImportFiles: number
}

/** The same bytes under another name, without a copy. */
export type Share = (file: TaskFile, filename: string) => TaskFile

export type HopRunner = (
  hop: Pick<Work, 'does' | 'inputs' | 'to' | 'options' | 'passing' | 'progress' | 'tell'> & {
    /** Whose hop it is. */
    engine: Engine
    run(work: Work): Promise<readonly string[]>
  },
) => Promise<InputFile[]>

export interface Operation<P extends TObject = TObject> {
  /** As in `tasks.<name>.operation`; the endpoint is `/v1/process/` and this. */
  name: string
  summary: string
  lane: Lane
  /** How many input tasks it takes. */
  inputs: readonly [least: number, most: number]
  params: P
  /** For processing operations: what it asks the catalog for. */
  does?: Doing
  /** Parameters that are sealed at rest and shown as `***`. */
  secrets?: readonly (keyof P['properties'] & string)[]
  /** What its worker must have besides the engines of its route. */
  needs?: readonly 'browser'[]
  /** The caller finishes it (an upload). */
  waits?: true
  /** Where it takes no work at all: its beginning and its end are written together, often with the end of its input. */
  instant?: {
    when(params: Static<P>): boolean
    files(params: Static<P>, inputs: readonly TaskFile[], share: Share): TaskFile[]
  }
  /** What a schema cannot say about the parameters; paths are relative. */
  check?(params: Static<P>, where: { inJob: boolean }): Issue[]
  run(context: RunContext<Static<P>>): Promise<Outcome>
}

export const operation = <P extends TObject>(declared: Operation<P>): Operation<P> => declared
