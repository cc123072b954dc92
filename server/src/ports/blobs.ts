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
}
