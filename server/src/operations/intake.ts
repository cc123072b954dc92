/** Takes files in: bytes go to the blobs, the format is found from the content, never from the name alone. */
import { buffer } from 'node:stream/consumers'
import { type Sniffed, sniff } from '../catalog/sniff.ts'
import { Failure, TooLarge } from '../core/errors.ts'
import { bareName } from '../core/filename.ts'
import { newId } from '../core/ids.ts'
import { LOOK } from '../core/look.ts'
import type { TaskFile } from '../core/task.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'

/** What is shown when the content says nothing we know. */
export const UNKNOWN_FORMAT = 'bin'

type Kept = Pick<TaskFile, 'blob' | 'size'>

export interface Intake {
  /** Throws a Failure when there are more than `most` bytes; nothing is kept then. */
  receive(
    source: AsyncIterable<Uint8Array>,
    filename: string,
    limits: { most: number; signal?: AbortSignal },
  ): Promise<TaskFile>
  /** Names what is kept already. */
  take(kept: Kept, filename: string): Promise<TaskFile>
  /** What the content says; the name breaks ties. */
  identify(file: Kept, name: string): Promise<Sniffed>
  /** Takes over a file on this machine's disk; it is gone from there afterwards. */
  adopt(path: string, filename: string, format?: string): Promise<TaskFile>
}

export function createIntake(blobs: Blobs, clock: Clock): Intake {
  const file = ({ blob, size }: Kept, filename: string, format: string): TaskFile => {
    return { id: newId(clock.now()), blob, filename, size, format }
  }

  const begin = (blob: string, size: number) => buffer(blobs.read(blob, { start: 0, end: Math.min(size, LOOK) - 1 }))

  async function identify({ blob, size }: Kept, name: string, known?: Buffer): Promise<Sniffed> {
    if (size === 0) return { format: null, sure: false }
    const head = known ?? (await begin(blob, size))
    const found = sniff(head, name)
    // Some containers tell at their end what they are.
    if (found.format || size <= LOOK) return found
    return sniff(head, name, await buffer(blobs.read(blob, { start: size - LOOK, end: size - 1 })))
  }

  async function named(kept: Kept & { head?: Buffer }, given: string): Promise<TaskFile> {
    const filename = bareName(given)
    return file(kept, filename, (await identify(kept, filename, kept.head)).format ?? UNKNOWN_FORMAT)
  }

  return {
    take: (kept, filename) => named(kept, filename),
    identify: (kept, name) => identify(kept, name),
    async receive(source, filename, limits) {
      try {
        return await named(await blobs.write(source, limits), filename)
      } catch (error) {
        if (error instanceof TooLarge)
          throw new Failure('processing_failed', `The file is larger than the limit of ${limits.most} bytes.`)
        throw error
      }
    },
    async adopt(path, filename, format) {
      const kept = await blobs.adopt(path)
      return format ? file(kept, bareName(filename), format) : named(kept, filename)
    },
  }
}
