/**
 * Carries out a plan, inside the box: reads pictures, changes them, encodes the result. It decides nothing a user could
 * ask for: that is sharp-settings.ts on the server's side.
 */
import sharp, { type Sharp } from 'sharp'
import { cropBox, resized, scaled } from './sharp-geometry.ts'
import type { Done, Encoding, Fit, Plan, Size } from './sharp-plan.ts'
import { openPicture, PictureProblem, type Source } from './sharp-read.ts'

export interface Result {
  answer: Done
  body?: Uint8Array
}

/** Decoded frames, one below the other. */
interface Roll extends Size {
  pixels: Buffer
  channels: 1 | 2 | 3 | 4
  frames: number
  delay: number[]
  loop: number
}

const FIT = { max: 'inside', crop: 'cover', pad: 'contain', stretch: 'fill' } as const satisfies Record<Fit, string>

const open = (roll: Roll): Sharp => {
  const { width, height, channels, frames } = roll
  return sharp(roll.pixels, {
    raw: { width, height: height * frames, channels, pageHeight: height },
    limitInputPixels: false,
  })
}

async function decoded(image: Sharp, frames: number, times: Pick<Roll, 'delay' | 'loop'>): Promise<Roll> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const { width, channels } = info
  return { pixels: data, width, height: info.height / frames, channels, frames, delay: times.delay, loop: times.loop }
}

const turns = (plan: Plan): boolean => plan.flip || plan.flop || plan.rotate !== 0
const smears = ({ effects }: Plan): boolean => effects.blur > 0 || effects.sharpen > 0

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
    const frame = shape(open({ ...roll, pixels, frames: 1 }), plan, piece, scale)
    parts.push(await decoded(frame.ensureAlpha(), 1, roll))
    tell((index + 1) / roll.frames)
  }
  return joined(parts, roll)
}

const joined = (parts: readonly Roll[], { delay, loop }: Pick<Roll, 'delay' | 'loop'>): Roll => {
  const [first] = parts
  if (!first) throw new PictureProblem('failed', 0, 'no frames')
  const frames = parts.reduce((sum, part) => sum + part.frames, 0)
  return { ...first, pixels: Buffer.concat(parts.map((part) => part.pixels)), frames, delay, loop }
}

type Tell = (share: number) => void

/** A picture as a pipeline that ends before encoding, with the times of its frames. */
async function prepare(plan: Plan, source: Source, scale: number, tell: Tell): Promise<Sharp> {
  const image = sharp(source.bytes, source.options)
  const size = cropped(image, plan, source.size)
  const animated = source.frames > 1
  if (animated && (turns(plan) || smears(plan))) {
    const roll = await decoded(image.ensureAlpha(), source.frames, source)
    return open(await frameByFrame(plan, roll, scale, tell))
  }
  // Sharp would turn first and crop then.
  const start = plan.crop && turns(plan) ? open(await decoded(image, 1, source)) : image
  return shape(start, plan, { ...source, size }, scale)
}

function finish(image: Sharp, plan: Plan, source: Source, encode: Encoding): Sharp {
  const deep = source.deep && ((encode.as === 'png' && !encode.with.palette) || encode.as === 'tiff')
  if (plan.effects.grayscale) image.toColourspace(deep ? 'grey16' : 'b-w')
  else if (deep) image.toColourspace(source.gray ? 'grey16' : 'rgb16')
  if (plan.keepMetadata) source.cmyk ? image.keepExif().keepXmp() : image.keepMetadata()
  const times = {
    ...(source.delay.length > 0
      ? { delay: plan.delay === null ? source.delay : source.delay.map(() => plan.delay ?? 0) }
      : {}),
    ...(source.frames > 1 ? { loop: plan.loop ?? source.loop } : {}),
  }
  return written(image, encode, times)
}

function written(image: Sharp, encode: Encoding, times: { delay?: number[]; loop?: number }): Sharp {
  switch (encode.as) {
    case 'jpeg':
      return image.jpeg(encode.with)
    case 'png':
      return image.png(encode.with)
    case 'webp':
      return image.webp({ ...encode.with, ...times })
    case 'avif':
      return image.avif(encode.with)
    case 'gif':
      return image.gif({ ...encode.with, ...times })
    case 'tiff':
      return image.tiff(encode.with)
  }
}

interface Encoded {
  bytes: Buffer
  size: Size
}

async function encoded(image: Sharp, frames: number): Promise<Encoded> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return {
    bytes: data,
    size: { width: info.width, height: info.pageHeight ?? info.height / (info.pages ? 1 : frames) },
  }
}

/** The first step of the ladder, from the best, whose result is small enough: found by halving. */
async function climb(steps: number, fits: (step: number) => Promise<boolean>): Promise<number | null> {
  let [low, high] = [0, steps - 1]
  if (await fits(0)) return 0
  if (!(await fits(high))) return null
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await fits(middle)) high = middle
    else low = middle
  }
  return high
}

const SMALLEST_SCALE = 0.02

/** "must be met or the task fails saying the smallest reachable size" */
async function reachSize(plan: Plan, source: Source, tell: Tell): Promise<Encoded & { step: number; scale: number }> {
  const reach = plan.reach
  if (!reach) throw new PictureProblem('failed', 0, 'nothing to reach')
  const { ladder } = reach
  let smallest = Number.POSITIVE_INFINITY
  let tries = 0
  for (let scale = 1; scale >= SMALLEST_SCALE; ) {
    const found = new Map<number, Encoded>()
    // Without metadata the pixels are all there is: decode once, encode often.
    const still =
      plan.keepMetadata || source.deep
        ? null
        : await decoded(await prepare(plan, source, scale, () => {}), source.frames, source)
    let least = Number.POSITIVE_INFINITY
    const step = await climb(ladder.length, async (index) => {
      const image = still ? open(still) : await prepare(plan, source, scale, () => {})
      const encode = ladder[index]
      if (!encode) return false
      const result = await encoded(finish(image, plan, source, encode), source.frames)
      found.set(index, result)
      least = Math.min(least, result.bytes.length)
      tries += 1
      // Nobody knows how many tries it takes; it comes closer with each.
      tell(1 - 0.8 ** tries)
      return result.bytes.length <= reach.bytes
    })
    smallest = Math.min(smallest, least)
    const best = step === null ? undefined : found.get(step)
    if (best && step !== null) return { ...best, step, scale }
    if (!reach.shrink) break
    scale *= Math.min(0.9, Math.sqrt(reach.bytes / least) * 0.95)
  }
  throw new PictureProblem('unreachable', 0, 'too big', { smallest, wanted: reach.bytes })
}

/** Several pictures become the frames of one animation, all as big as the first. */
async function together(plan: Plan, sources: readonly Source[], tell: Tell): Promise<{ roll: Roll; source: Source }> {
  const first = sources[0]
  if (!first) throw new PictureProblem('failed', 0, 'no pictures')
  const canvas = plan.resize ? resized(first.size, plan.resize) : first.size
  const total = sources.reduce((sum, source) => sum + source.frames, 0)
  if (canvas.width * canvas.height * total > plan.maxPixels) {
    throw new PictureProblem('result-too-big', 0, 'all frames', { ...canvas, frames: total, most: plan.maxPixels })
  }
  const resize = { ...canvas, fit: 'pad', enlarge: true, gravity: 'center' } as const
  const parts: Roll[] = []
  for (const [index, source] of sources.entries()) {
    const image = await prepare({ ...plan, resize, crop: null }, source, 1, () => {})
    parts.push(await decoded(image.toColourspace('srgb').ensureAlpha(), source.frames, source))
    tell((index + 1) / sources.length)
  }
  const pause = plan.delay ?? 100
  const delay = sources.flatMap((source) => (source.frames > 1 ? source.delay : [pause]))
  const loop = plan.loop ?? 0
  return { roll: joined(parts, { delay, loop }), source: { ...first, frames: total, delay, loop, deep: false } }
}

export async function carryOut(
  plan: Plan,
  inputs: readonly Buffer[],
  progress: (percent: number) => void,
): Promise<Result> {
  const tell: Tell = (share) => progress(Math.floor(share * 100))
  const sources: Source[] = []
  for (const [index, bytes] of inputs.entries()) sources.push(await openPicture(plan, bytes, index))
  const [source] = sources
  if (!source) throw new PictureProblem('failed', 0, 'no pictures')

  if (sources.length > 1) {
    const merged = await together(plan, sources, tell)
    const each = merged.source.delay
    const { bytes, size } = await encoded(
      finish(open(merged.roll), { ...plan, delay: null }, { ...merged.source, delay: each }, plan.encode),
      each.length,
    )
    return { answer: { ...size, frames: each.length, unchanged: false, reached: null }, body: bytes }
  }

  const reached = plan.reach ? await reachSize(plan, source, tell) : null
  const { bytes, size } =
    reached ?? (await encoded(finish(await prepare(plan, source, 1, tell), plan, source, plan.encode), source.frames))
  const unchanged = plan.onlySmaller && bytes.length >= source.bytes.length
  const answer = {
    ...size,
    frames: source.frames,
    unchanged,
    reached: reached && { step: reached.step, scale: reached.scale },
  }
  return unchanged ? { answer } : { answer, body: bytes }
}
