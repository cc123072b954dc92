/**
 * ImageMagick writes cursors as icons. They differ in a few bytes: the kind, and for each picture the point that clicks
 * where an icon notes its colours.
 */
import { constants, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'

const MOST = 64
const PLAIN = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The directory of an icon as that of a cursor; the point is given in percent of the sides. */
export function asCursor(directory: Buffer, across: number, down: number): Buffer | null {
  const made = Buffer.from(directory)
  if (made.length < 6 || made.readUInt16LE(2) !== 1) return null
  const count = made.readUInt16LE(4)
  if (count === 0 || made.length < 6 + count * 16) return null
  made.writeUInt16LE(2, 2)
  for (let at = 6; at < 6 + count * 16; at += 16) {
    // A byte has no room for 256.
    const point = (side: number, percent: number): number =>
      Math.min((side || 256) - 1, Math.floor(((side || 256) * percent) / 100))
    made.writeUInt16LE(point(made[at] ?? 0, across), at + 4)
    made.writeUInt16LE(point(made[at + 1] ?? 0, down), at + 6)
  }
  return made.subarray(0, 6 + count * 16)
}

export async function makeCursor(work: Pick<Work, 'dir'>, name: string, across: number, down: number): Promise<void> {
  await using file = await open(join(work.dir, name), PLAIN)
  const length = 6 + MOST * 16
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
  const made = (await file.stat()).isFile() ? asCursor(buffer.subarray(0, bytesRead), across, down) : null
  if (!made) throw new Failure('processing_failed', 'The conversion produced no cursor.')
  await file.write(made, 0, made.length, 0)
}
