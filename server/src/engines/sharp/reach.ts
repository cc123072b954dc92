/** Makes a picture as small as was asked, or as like, inside the box. */
import { climb, SMALLEST_SCALE, scaleTo } from '../kit/ladder.ts'
import { grayOf, likeness } from './likeness.ts'
import type { Likeness, Plan, Reach } from './plan.ts'
import { PictureProblem, type Source } from './read.ts'
import { decoded, openRoll } from './roll.ts'
import { prepare } from './shape.ts'
import { type Encoded, encoded, finish } from './write.ts'

export interface Reached extends Encoded {
  /** Of the ladder. */
  step: number
  scale: number
}

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
    const result = await encoded(finish(image, plan, source, encode), source.frames, encode)
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
    scale *= scaleTo(reach.bytes, reached)
  }
  throw new PictureProblem('unreachable', 0, 'too big', { smallest, wanted: reach.bytes })
}

/** The smallest result of the ladder that looks enough like the picture; the best one where none does. */
export async function reachLikeness(plan: Plan, { least, ladder }: Likeness, source: Source): Promise<Reached> {
  const shaped = () => prepare(plan, source, 1, () => {})
  const original = await grayOf(await shaped())
  const found = new Map<number, Encoded>()
  const make = async (step: number): Promise<Encoded> => {
    const encode = ladder[step] ?? plan.encode
    const made = found.get(step) ?? (await encoded(finish(await shaped(), plan, source, encode), source.frames, encode))
    found.set(step, made)
    return made
  }
  const unlike = await climb(
    ladder.length,
    async (step) => likeness(original, await grayOf((await make(step)).bytes)) < least,
  )
  const step = unlike === null ? ladder.length - 1 : Math.max(0, unlike - 1)
  return { ...(await make(step)), step, scale: 1 }
}
