/** Small things the worker does beside making pictures, inside the box. */
import sharp from 'sharp'
import { readAppleIcon } from './apple-icon.ts'
import { bare } from './bare.ts'
import type { Chore } from './plan.ts'
import { openDrawing, PictureProblem } from './read.ts'

export interface Answered {
  answer: { [name: string]: boolean | string }
  body?: Uint8Array
}

/** What a picture shows, as its header says; null where the library cannot tell. */
async function shown(bytes: Buffer): Promise<string | null> {
  try {
    const { width, height, pages, orientation, channels } = await sharp(bytes, { limitInputPixels: false }).metadata()
    return [width, height, pages, orientation ?? 1, channels].join()
  } catch {
    return null
  }
}

/** The picture without metadata, where it has any and is still the same one without. */
async function stripped(bytes: Buffer, made: Buffer | null): Promise<Answered> {
  const found = made !== null && !made.equals(bytes) && (await shown(made)) === (await shown(bytes))
  return found ? { answer: { made: true }, body: made } : { answer: { made: false } }
}

/** A picture of an icon as a file that others read. */
async function icon(bytes: Buffer, page: number | null): Promise<Answered> {
  const pictures = readAppleIcon(bytes)
  const count = pictures.length
  const found = pictures.at(page === null ? -1 : page - 1)
  if (count === 0) throw new PictureProblem('unreadable', 0, 'no picture in it')
  if (!found) throw new PictureProblem('no-such-page', 0, `picture ${page} of ${count}`, { pages: count })
  const raw = { width: found.side, height: found.side, channels: 4 } as const
  const body = found.as === 'pixels' ? await sharp(found.bytes, { raw }).png().toBuffer() : found.bytes
  return { answer: { made: true, as: found.as === 'jp2' ? 'jp2' : 'png' }, body }
}

export async function doChore(chore: Chore, bytes: Buffer): Promise<Answered> {
  if (chore.chore === 'bare') return stripped(bytes, bare(bytes, chore.loader))
  if (chore.chore === 'icon') return icon(bytes, chore.page)
  openDrawing(bytes, 0)
  return { answer: { made: false } }
}
