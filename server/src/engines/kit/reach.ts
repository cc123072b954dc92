/** Tries programs until a file is small enough, and keeps the original where nothing smaller comes of it. */
import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../core/errors.ts'
import { keepInput } from '../sharp/chore.ts'
import type { Job } from '../sharp/job.ts'
import { unreachable } from '../sharp/problems.ts'
import { climb, SMALLEST_SCALE, scaleTo } from './ladder.ts'

export interface Aim<T> {
  /** Bytes the result may have. */
  bytes: number
  /** Ways to make it, from the best to the smallest. */
  ladder: readonly T[]
  /** When even the last is too big: the picture may become smaller. */
  shrink: boolean
  /** Makes one and answers its name in the folder of the hop; every call has its own. */
  make(step: T, scale: number, name: string): Promise<void>
}

export interface Reached<T> {
  name: string
  step: T
  scale: number
}

/** Of what a program left; some leave nothing and call it done. */
export async function sizeOf({ dir, input }: Pick<Job, 'dir' | 'input'>, name: string): Promise<number> {
  const made = await lstat(join(dir, name)).catch(() => null)
  if (made?.isFile() && made.size > 0) return made.size
  throw new Failure('processing_failed', `"${input.filename}" could not be read: it is damaged or incomplete.`, name)
}

export async function reachSize<T>(job: Job, { bytes, ladder, shrink, make }: Aim<T>): Promise<Reached<T>> {
  let smallest = Number.POSITIVE_INFINITY
  let attempts = 0
  for (let scale = 1; scale >= SMALLEST_SCALE; ) {
    const names = new Map<number, string>()
    let least = Number.POSITIVE_INFINITY
    const found = await climb(ladder.length, async (index) => {
      const step = ladder[index]
      if (step === undefined) return false
      attempts += 1
      const name = `try-${attempts}.${job.to}`
      await make(step, scale, name)
      names.set(index, name)
      const size = await sizeOf(job, name)
      least = Math.min(least, size)
      return size <= bytes
    })
    const [name, step] = found === null ? [] : [names.get(found), ladder[found]]
    if (name !== undefined && step !== undefined) return { name, step, scale }
    smallest = Math.min(smallest, least)
    if (!shrink) break
    scale *= scaleTo(bytes, least)
  }
  throw new Failure('processing_failed', unreachable(job.input.filename, bytes, smallest))
}

/** A result no smaller than what came is not wanted, unless the picture was to be another one. */
export async function onlySmaller(
  job: Pick<Job, 'ask' | 'dir' | 'input' | 'to' | 'tell'> & { options: object },
  name: string,
  changed: boolean,
): Promise<string> {
  if (changed || (await sizeOf(job, name)) < job.input.size) return name
  const kept = `kept.${job.to}`
  await rm(join(job.dir, name), { force: true })
  if (await keepInput(job, kept)) job.tell('unchanged', true)
  return kept
}

/** "by_size" says nothing without a size. */
export function sizeWanted({ compress_image, compress_max_filesize }: Job['options']): number | undefined {
  if (compress_image === 'by_size' && compress_max_filesize === undefined)
    throw new Failure('processing_failed', 'compress_image is by_size, but compress_max_filesize gives no size.')
  return compress_max_filesize
}
