/** Everything that happens to a picture between reading and writing, inside the box. */
import sharp, { type Sharp } from 'sharp'
import { cropBox, resized, scaled } from './geometry.ts'
import type { Fit, Plan, Size } from './plan.ts'
import { PictureProblem, type Source } from './read.ts'
import { decoded, joined, openRoll, type Roll } from './roll.ts'

/** Hears how much is done, from 0 to 1. */
export type Tell = (share: number) => void

const FIT = { max: 'inside', crop: 'cover', pad: 'contain', stretch: 'fill' } as const satisfies Record<Fit, string>

const turns = (plan: Plan): boolean => plan.flip || plan.flop || plan.rotate !== 0
const smears = ({ effects }: Plan): boolean => effects.blur > 0 || effects.sharpen > 0

/** Whether every pixel is made of many others, which takes longer than reading and writing. */
export const isLaborious = (plan: Plan): boolean => smears(plan) || plan.rotate % 90 !== 0

/** The size after cropping and turning, on which a resize works. */
function turned(plan: Plan, { width, height }: Size): Size {
  const radians = (plan.rotate * Math.PI) / 180
  const [sin, cos] = [Math.abs(Math.sin(radians)), Math.abs(Math.cos(radians))]
  return { width: Math.round(width * cos + height * sin), height: Math.round(width * sin + height * cos) }
}

function cropped(image: Sharp, plan: Plan, size: Size): Size {
  if (!plan.crop) return size
  const box = cropBox(size, plan.crop)
  if (!box) throw new PictureProblem('outside', 0, 'crop outside the picture', { ...size })
  image.extract(box)
  return box
}

/** What is being shaped: the size of a frame, how many there are, and whether channels have 16 bits. */
type Piece = Pick<Source, 'size' | 'frames' | 'deep'>

/** Turning, resizing and effects. `scale` makes the result that much smaller still. */
function shape(image: Sharp, plan: Plan, { size, frames, deep }: Piece, scale: number): Sharp {
  const { effects, resize, background } = plan
  if (plan.flip) image.flip()
  if (plan.flop) image.flop()
  if (plan.rotate !== 0) image.rotate(plan.rotate, { background })
  const from = turned(plan, size)
  const to = scaled(resize ? resized(from, resize) : from, scale)
  if (to.width * to.height * frames > plan.maxPixels) {
    throw new PictureProblem('result-too-big', 0, 'the result', { ...to, frames, most: plan.maxPixels })
  }
  if (resize && 'fit' in resize && resize.fit !== 'max') {
    const position = resize.gravity.replace('-', ' ').replace('center', 'centre')
    const sides = resize.width !== undefined && resize.height !== undefined
    image.resize({ ...to, fit: sides ? FIT[resize.fit] : 'fill', position, background })
  } else if (to.width !== from.width || to.height !== from.height) image.resize({ ...to, fit: 'fill' })
  if (effects.blur > 0) image.blur(effects.blur)
  if (effects.sharpen > 0) image.sharpen({ sigma: effects.sharpen })
  if (effects.saturation !== 1) image.modulate({ saturation: effects.saturation })
  // Contrast turns about the middle gray.
  if (effects.brightness !== 1 || effects.contrast !== 1)
    image.linear(effects.contrast * effects.brightness, (deep ? 0x8000 : 0x80) * (1 - effects.contrast))
  if (effects.negate) image.negate({ alpha: false })
  if (effects.grayscale) image.grayscale()
  if (plan.flatten) image.flatten({ background })
  return image
}

/** Sharp turns and blurs a roll as if it were one picture, so an animation is taken apart for that. */
async function frameByFrame(plan: Plan, roll: Roll, scale: number, tell: Tell): Promise<Roll> {
  const length = roll.width * roll.height * roll.channels
  const piece = { size: roll, frames: roll.frames, deep: false }
  const parts: Roll[] = []
  for (let index = 0; index < roll.frames; index++) {
    const pixels = roll.pixels.subarray(index * length, (index + 1) * length)
    const frame = shape(openRoll({ ...roll, pixels, frames: 1 }), plan, piece, scale)
    parts.push(await decoded(frame.ensureAlpha(), 1, roll))
    tell((index + 1) / roll.frames)
  }
  return joined(parts, roll)
}

/** A picture as a pipeline that ends before encoding. */
export async function prepare(plan: Plan, source: Source, scale: number, tell: Tell): Promise<Sharp> {
  const image = sharp(source.bytes, source.options)
  const size = cropped(image, plan, source.size)
  const animated = source.frames > 1
  if (animated && (turns(plan) || smears(plan))) {
    const roll = await decoded(image.ensureAlpha(), source.frames, source)
    return openRoll(await frameByFrame(plan, roll, scale, tell))
  }
  // An AVIF notes down how it is to be turned, wherever that came from.
  const straight = plan.encode.as === 'avif' && !plan.orient && !plan.keepMetadata && !source.deep
  // Sharp would turn first and crop then.
  const start = straight || (plan.crop && turns(plan)) ? openRoll(await decoded(image, 1, source)) : image
  return shape(start, plan, { ...source, size }, scale)
}
