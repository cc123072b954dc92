/** Makes a picture as small as was asked, at the best quality that allows it, inside the box. */
import type { Plan, Reach } from './sharp-plan.ts'
import { PictureProblem, type Source } from './sharp-read.ts'
import { decoded, openRoll } from './sharp-roll.ts'
import { prepare } from './sharp-shape.ts'
import { type Encoded, encoded, finish } from './sharp-write.ts'

export interface Reached extends Encoded {
  /** Of the ladder. */
  step: number
  scale: number
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

/** The best at one scale, or how small it becomes at least. */
async function reachAt(plan: Plan, { bytes, ladder }: Reach, source: Source, scale: number): Promise<Reached | number> {
  const found = new Map<number, Encoded>()
  const shaped = () => prepare(plan, source, scale, () => {})
  // Without metadata the pixels are all there is: decode once, encode often.
  const roll = plan.keepMetadata || source.deep ? null : await decoded(await shaped(), source.frames, source)
  let least = Number.POSITIVE_INFINITY
  const step = await climb(ladder.length, async (index) => {
    const encode = ladder[index]
    if (!encode) return false
    const image = roll ? openRoll(roll) : await shaped()
    const result = await encoded(finish(image, plan, source, encode), source.frames)
    found.set(index, result)
    least = Math.min(least, result.bytes.length)
    return result.bytes.length <= bytes
  })
  const best = step === null ? undefined : found.get(step)
  return best && step !== null ? { ...best, step, scale } : least
}

/** "must be met or the task fails saying the smallest reachable size" */
export async function reachSize(plan: Plan, reach: Reach, source: Source): Promise<Reached> {
  let smallest = Number.POSITIVE_INFINITY
  for (let scale = 1; scale >= SMALLEST_SCALE; ) {
    const reached = await reachAt(plan, reach, source, scale)
    if (typeof reached === 'object') return reached
    smallest = Math.min(smallest, reached)
    if (!reach.shrink) break
    // Bytes go with the area; a little less, to be there soon.
    scale *= Math.min(0.9, Math.sqrt(reach.bytes / reached) * 0.95)
  }
  throw new PictureProblem('unreachable', 0, 'too big', { smallest, wanted: reach.bytes })
}
