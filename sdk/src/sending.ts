/** What the two ways of sending a file share: how they are called. Types only. */
import type { Http } from './http.ts'
import type { Frame } from './multipart.ts'
import type { Task } from './schema.ts'
import type { Source } from './source.ts'

export interface UploadOptions {
  /** Needed unless the file brings its name. */
  filename?: string
  /** `total` is unknown for a stream. */
  onProgress?: (sent: number, total: number | undefined) => void
  signal?: AbortSignal
}

export type Send = (http: Http, url: string, framed: Frame, source: Source, options: UploadOptions) => Promise<Task>
