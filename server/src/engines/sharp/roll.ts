/** Decoded frames, inside the box: pixels that can be taken apart, put together and opened again. */
import sharp, { type Sharp } from 'sharp'
import type { Size } from './plan.ts'
import { PictureProblem } from './read.ts'

/** How long each frame is shown, and how often all of them. */
export interface Times {
  delay: number[]
  loop: number
}

/** Frames, one below the other. */
export interface Roll extends Size, Times {
  pixels: Buffer
  channels: 1 | 2 | 3 | 4
  frames: number
}

export const openRoll = (roll: Roll): Sharp => {
  const { width, height, channels, frames } = roll
  return sharp(roll.pixels, {
    raw: { width, height: height * frames, channels, pageHeight: height },
    limitInputPixels: false,
  })
}

export async function decoded(image: Sharp, frames: number, times: Times): Promise<Roll> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const { width, channels } = info
  return { pixels: data, width, height: info.height / frames, channels, frames, delay: times.delay, loop: times.loop }
}

/** One roll of several, all of the same size. */
export const joined = (parts: readonly Roll[], { delay, loop }: Times): Roll => {
  const [first] = parts
  if (!first) throw new PictureProblem('failed', 0, 'no frames')
  const frames = parts.reduce((sum, part) => sum + part.frames, 0)
  return { ...first, pixels: Buffer.concat(parts.map((part) => part.pixels)), frames, delay, loop }
}
