/** Takes files in: bytes go to the blobs, the format is found from the content, never from the name alone. */
import { buffer } from 'node:stream/consumers'
import { sniff } from '../catalog/sniff.ts'
import { Failure } from '../core/errors.ts'
import { bareName } from '../core/filename.ts'
import { newId } from '../core/ids.ts'
import type { TaskFile } from '../core/task.ts'
import { type Blobs, TooLarge } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'

/** What is shown when the content says nothing we know. */
export const UNKNOWN_FORMAT = 'bin'

/** As much of a file as detection looks at. */
const HEAD = 65_536

export interface Intake {
  receive(source: AsyncIterable<Uint8Array>, filename: string, signal?: AbortSignal): Promise<TaskFile>
  /** Takes over a file on this machine's disk; it is gone from there afterwards. */
  adopt(path: string, filename: string, format?: string): Promise<TaskFile>
}

export function createIntake(blobs: Blobs, clock: Clock, maxFileSize: number): Intake {
  async function describe({ blob, size }: { blob: string; size: number }, given: string, format?: string) {
    const filename = bareName(given)
    const found = format ?? (await formatOf(blob, size, filename))
    return { id: newId(clock.now()), blob, filename, size, format: found }
  }

  async function formatOf(blob: string, size: number, filename: string): Promise<string> {
    if (size === 0) return UNKNOWN_FORMAT
    const head = await buffer(blobs.read(blob, { start: 0, end: Math.min(size, HEAD) - 1 }))
    return sniff(head, filename).format ?? UNKNOWN_FORMAT
  }

  return {
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
