/** Takes files in: bytes go to the blobs, the format is found from the content, never from the name alone. */
import { buffer } from 'node:stream/consumers'
import { type Sniffed, sniff } from '../catalog/sniff.ts'
import { Failure, TooLarge } from '../core/errors.ts'
import { bareName } from '../core/filename.ts'
import { newId } from '../core/ids.ts'
import type { TaskFile } from '../core/task.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'

/** What is shown when the content says nothing we know. */
export const UNKNOWN_FORMAT = 'bin'

/** As much of a file's beginning, and of its end, as detection looks at. */
const LOOK = 65_536

export interface Intake {
  receive(source: AsyncIterable<Uint8Array>, filename: string, signal?: AbortSignal): Promise<TaskFile>
  /** What the content says; the name breaks ties. */
  identify(file: Pick<TaskFile, 'blob' | 'size'>, name: string): Promise<Sniffed>
  /** Takes over a file on this machine's disk; it is gone from there afterwards. */
  adopt(path: string, filename: string, format?: string): Promise<TaskFile>
}

export function createIntake(blobs: Blobs, clock: Clock, maxFileSize: number): Intake {
  async function describe({ blob, size }: { blob: string; size: number }, given: string, format?: string) {
    const filename = bareName(given)
    const found = format ?? (await identify({ blob, size }, filename)).format ?? UNKNOWN_FORMAT
    return { id: newId(clock.now()), blob, filename, size, format: found }
  }

  async function identify({ blob, size }: Pick<TaskFile, 'blob' | 'size'>, name: string): Promise<Sniffed> {
    if (size === 0) return { format: null, sure: false }
    const head = await buffer(blobs.read(blob, { start: 0, end: Math.min(size, LOOK) - 1 }))
    const found = sniff(head, name)
    // Some containers tell at their end what they are.
    if (found.format || size <= LOOK) return found
    return sniff(head, name, await buffer(blobs.read(blob, { start: size - LOOK, end: size - 1 })))
  }

  return {
    identify,
    async receive(source, filename, signal) {
      try {
        return await describe(await blobs.write(source, { most: maxFileSize, ...(signal && { signal }) }), filename)
      } catch (error) {
        if (error instanceof TooLarge)
          throw new Failure('processing_failed', `The file is larger than the limit of ${maxFileSize} bytes.`)
        throw error
      }
    },
    adopt: async (path, filename, format) => describe(await blobs.adopt(path), filename, format),
  }
}
