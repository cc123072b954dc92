/** How work on files is told: what every way of telling it has in common. Types only. */
import type { Progress } from '@reforge/sdk'

export interface Done {
  input: string
  before: number
  outputs: readonly { path: string; size: number }[]
}

export interface Telling {
  /** As in "photo.png … converting". */
  word: string
  inputs: readonly string[]
  /** The result itself goes to standard output, so nothing else may. */
  toStdout?: boolean
}

export interface Report {
  progress(input: string, progress: Progress | { stage: 'saving'; percent: undefined }): void
  done(done: Done): void
  failed(input: string, error: unknown): void
  end(): void
}
