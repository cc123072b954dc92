/**
 * Carries out a plan, inside the box: one picture, or several as the frames of one. It decides nothing a user could ask
 * for: that is settings.ts on the server's side.
 */
import sharp from 'sharp'
import { resized } from './geometry.ts'
import type { Done, Plan, Span } from './plan.ts'
import { reachLikeness, reachSize } from './reach.ts'
import { openPicture, PictureProblem, type Source } from './read.ts'
import { decoded, joined, openRoll, type Roll } from './roll.ts'
import { isLaborious, prepare, type Tell } from './shape.ts'
import { encoded, finish } from './write.ts'

export interface Result {
  answer: Done
  body?: Uint8Array
}

/** Several pictures become the frames of one animation, all as big as the first. */
async function together(plan: Plan, sources: readonly Source[], first: Source, tell: Tell): Promise<Result> {
  const canvas = plan.resize ? resized(first.size, plan.resize) : first.size
  const frames = sources.reduce((sum, source) => sum + source.frames, 0)
  if (canvas.width * canvas.height * frames > plan.maxPixels) {
    throw new PictureProblem('result-too-big', 0, 'all frames', { ...canvas, frames, most: plan.maxPixels })
  }
  const resize = { ...canvas, fit: 'pad', enlarge: true, gravity: 'center' } as const
  const parts: Roll[] = []
  for (const [index, source] of sources.entries()) {
    parts.push(await part({ ...plan, resize, crop: null }, source, index))
    tell((index + 1) / sources.length)
  }
  const pause = plan.delay ?? 100
  // What moves already keeps its own times.
  const delay = sources.flatMap((source) => (source.frames > 1 ? source.delay : [pause]))
  const times = { delay, loop: plan.loop ?? 0 }
  const whole = { ...first, ...times, frames, deep: false }
  const image = finish(openRoll(joined(parts, times)), { ...plan, delay: null }, whole, plan.encode)
  const { bytes, size } = await encoded(image, frames, plan.encode)
  return { answer: { ...size, frames, pages: frames, unchanged: false, reached: null }, body: bytes }
}

/** Parts of one animation, one after the other. */
async function spliced(plan: Plan, bytes: Buffer, spans: readonly Span[], tell: Tell): Promise<Result> {
  const sources: Source[] = []
  for (const span of spans) sources.push(await openPicture({ ...plan, orient: false }, bytes, 0, span))
  const [first] = sources
  if (!first) throw new PictureProblem('failed', 0, 'no parts')
  const frames = sources.reduce((sum, source) => sum + source.frames, 0)
  if (first.size.width * first.size.height * frames > plan.maxPixels)
    throw new PictureProblem('result-too-big', 0, 'all parts', { ...first.size, frames, most: plan.maxPixels })
  const parts: Roll[] = []
  for (const [index, source] of sources.entries()) {
    parts.push(await part(plan, source, 0))
    tell((index + 1) / sources.length)
  }
  const times = { delay: sources.flatMap((source) => source.delay), loop: first.loop }
  const whole = { ...first, ...times, frames, deep: false }
  const image = finish(openRoll(joined(parts, times)), { ...plan, keepMetadata: false }, whole, plan.encode)
  const { bytes: made, size } = await encoded(image, frames, plan.encode)
  return { answer: { ...size, frames, pages: first.pages, unchanged: false, reached: null }, body: made }
}

async function part(plan: Plan, source: Source, input: number): Promise<Roll> {
  try {
    const image = await prepare(plan, source, 1, () => {})
    return await decoded(image.toColourspace('srgb').ensureAlpha(), source.frames, source)
  } catch (error) {
    if (error instanceof PictureProblem) throw error
    throw new PictureProblem('unreadable', input, error instanceof Error ? error.message : String(error))
  }
}

/** From so many pixels on a second thread pays. */
const LARGE = 500_000

/**
 * As many processes as processors work at once, and threads of one mostly take turns with the others. Two pay where the work
 * can be divided, and there are never more: AVIF has a tile for each, and a picture is to be the same bytes on every machine.
 */
const threadsFor = (plan: Plan, { size }: Source): number =>
  size.width * size.height >= LARGE && (plan.encode.as === 'avif' || isLaborious(plan)) ? 2 : 1

async function alone(plan: Plan, source: Source, tell: Tell): Promise<Result> {
  const { reach, likeness } = plan
  const reached = reach
    ? await reachSize(plan, reach, source)
    : likeness && (await reachLikeness(plan, likeness, source))
  const { bytes, size } =
    reached ??
    (await encoded(finish(await prepare(plan, source, 1, tell), plan, source, plan.encode), source.frames, plan.encode))
  const unchanged = plan.onlySmaller && bytes.length >= source.bytes.length
  const how = reached && { step: reached.step, scale: reached.scale }
  const answer = { ...size, frames: source.frames, pages: source.pages, unchanged, reached: how }
  return unchanged ? { answer } : { answer, body: bytes }
}

export async function carryOut(
  plan: Plan,
  inputs: readonly Buffer[],
  progress: (percent: number) => void,
): Promise<Result> {
  const tell: Tell = (share) => progress(Math.floor(share * 100))
  sharp.concurrency(1)
  const [only] = inputs
  if (plan.spans && plan.spans.length > 1 && only) return spliced(plan, only, plan.spans, tell)
  const sources: Source[] = []
  for (const [index, bytes] of inputs.entries()) sources.push(await openPicture(plan, bytes, index))
  const [first] = sources
  if (!first) throw new PictureProblem('failed', 0, 'no pictures')
  if (sources.length > 1) return together(plan, sources, first, tell)
  sharp.concurrency(threadsFor(plan, first))
  return alone(plan, first, tell)
}
