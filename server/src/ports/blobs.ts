/** Where the bytes of files are. A blob is written once, whole or not at all, and never changed. */
import type { Readable } from 'node:stream'

export interface Blobs {
  /**
   * Takes bytes to the end; nothing is kept when the source fails, exceeds `most` or the signal fires. `head` is how the
   * bytes begin, `LOOK` of them where there are as many.
   */
  write(
    source: AsyncIterable<Uint8Array>,
    limits: { most: number; signal?: AbortSignal },
  ): Promise<{ blob: string; size: number; head: Buffer }>
  /** Takes over a file that an engine or an upload left on this machine's disk; the path is gone afterwards. */
  adopt(path: string): Promise<{ blob: string; size: number }>
  /** `end` is inclusive, as in a Range header. */
  read(blob: string, range?: { start: number; end: number }): Readable
  /** A path on this machine that holds the bytes, to be read only, until released. On disk storage it is the file itself. */
  local(blob: string): Promise<{ path: string; release(): Promise<void> }>
  remove(blobs: readonly string[]): Promise<void>
  /** Every stored blob with the time it was written, for the janitor. */
  list(): AsyncIterable<{ blob: string; writtenAt: number }>
  /** Free and total bytes, where that has a meaning. */
  space(): Promise<{ free: number; total: number } | null>
  /** Removes what was begun before then and never ended, and answers how much that was. */
  tidy?(before: number): Promise<number>
  /** An address from which a client fetches the bytes without us; absent where clients come to us. */
  link?(blob: string, shown: { disposition: string; type: string; seconds: number }): Promise<string>
  /** Files that clients bring without us; absent where they bring them to us. */
  incoming?: Incoming
}

/** A request by which a client sends a file: a form with these fields before the field `file`, or the bare bytes. */
export interface Invitation {
  method: 'POST' | 'PUT'
  url: string
  parameters: Record<string, string>
}

export interface Incoming {
  /** For one file of this size, which will be known by this name. */
  invite(name: string, size: number, seconds: number): Promise<Invitation>
  /** Makes a blob of what came; null when nothing did. Nothing is kept of more than `most`: it throws TooLarge. */
  collect(name: string, most: number): Promise<{ blob: string; size: number } | null>
}
