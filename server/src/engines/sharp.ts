/** The sharp engine: everyday pictures, in milliseconds. It declares and asks; the pixels are touched in the box only. */
import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Capability, Doing, Engine, ResidentKind, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import type { OptionSet } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import type { JsonObject } from '../core/task.ts'
import { TARGETS, type Target } from './sharp-encodings.ts'
import { compressOptions, convertOptions, cropOptions, mergeOptions, trimOptions } from './sharp-options.ts'
import type { Done, Plan } from './sharp-plan.ts'
import { readAnswer } from './sharp-problems.ts'
import { sharpWorker } from './sharp-resident.ts'
import { type Ask, compressPlan, convertPlan, cropPlan, isSource, mergePlan, trimPlan } from './sharp-settings.ts'
import type { Wishes } from './sharp-wishes.ts'

/** A Work with any of our options. Merging asks with several inputs, as residents allow. */
type Job = Omit<Work, 'options' | 'ask'> & {
  options: Wishes
  ask(
    kind: ResidentKind,
    question: JsonObject,
    input: string | readonly string[] | null,
    output: string | null,
  ): Promise<JsonObject>
}

const isTarget = (ext: string): ext is Target => TARGETS.some((target) => target === ext)

function toAsk({ inputs, to, options }: Job): Ask {
  const from = inputs.map(({ format, filename }) => {
    if (!isSource(format)) throw new Failure('processing_failed', `The file ${filename} cannot be read as a picture.`)
    return { format, name: filename }
  })
  if (!isTarget(to)) throw new Failure('processing_failed', `Pictures cannot be written as ${to}.`)
  return { from, to, wishes: options }
}

/** A plan as it goes over the wire. */
const question = (plan: Plan): JsonObject => JSON.parse(JSON.stringify(plan))

const runner =
  (planFor: (ask: Ask) => Plan, tell: (job: Job, done: Done, plan: Plan) => void = () => {}) =>
  async (job: Job): Promise<readonly string[]> => {
    const plan = planFor(toAsk(job))
    const name = `out.${job.to}`
    const output = join(job.dir, name)
    const sources = job.inputs.length === 1 ? job.input.path : job.inputs.map((input) => input.path)
    const done = readAnswer(await job.ask(sharpWorker, question(plan), sources, output), job.inputs)
    if (done.unchanged) await copyFile(job.input.path, output, constants.COPYFILE_FICLONE)
    tell(job, done, plan)
    return [name]
  }

function tellCompressed(job: Job, done: Done, plan: Plan): void {
  if (done.unchanged) job.tell('unchanged', true)
  if (!done.reached) return
  const found = plan.reach?.ladder[done.reached.step]
  if (found && 'quality' in found.with && found.with.quality !== undefined) job.tell('quality', found.with.quality)
  if (done.reached.scale < 1) job.tell('dimensions', `${done.width}x${done.height}`)
}

function compress(job: Job): Promise<readonly string[]> {
  const { compress_image, compress_max_filesize } = job.options
  if (compress_image === 'by_size' && compress_max_filesize === undefined)
    throw new Failure('processing_failed', 'compress_image is by_size, but compress_max_filesize gives no size.')
  return runner(compressPlan, tellCompressed)(job)
}

const block = <S extends OptionSet>(
  does: Doing,
  from: readonly Ext[],
  to: readonly Ext[],
  cost: number,
  options: S,
  run: (work: Work<S>) => Promise<readonly string[]>,
): Capability<S> => ({ does, from, to, cost, options, run })

const convert = runner(convertPlan)
const crop = runner(cropPlan)
const trim = runner(trimPlan)
const merge = runner(mergePlan)

const STILL = ['jpg', 'png', 'avif'] as const
const PAGED = ['gif', 'webp', 'tiff'] as const
const MOVING = ['gif', 'webp'] as const
const DRAWINGS = ['svg', 'svgz'] as const
const PICTURES = [...STILL, ...PAGED] as const
/** A palette for a photograph takes sharp seconds where others take one. */
const TO_GIF = 4
/** Others draw SVG faster. */
const DRAWN = 2

export const sharp: Engine = {
  id: 'sharp',
  title: 'sharp',
  tools: [{ program: 'sharp' }],
  residents: [sharpWorker],
  can: [
    ...(['jpg', 'png', 'avif', 'tiff'] as const).flatMap((to) => [
      block('convert', STILL, [to], 1, convertOptions[to].still, convert),
      block('convert', PAGED, [to], 1, convertOptions[to].paged, convert),
      block('convert', DRAWINGS, [to], DRAWN, convertOptions[to].drawn, convert),
    ]),
    block('convert', STILL, ['webp'], 1, convertOptions.webp.still, convert),
    block('convert', ['tiff'], ['webp'], 1, convertOptions.webp.paged, convert),
    block('convert', MOVING, ['webp'], 1, convertOptions.webp.moving, convert),
    block('convert', DRAWINGS, ['webp'], DRAWN, convertOptions.webp.drawn, convert),
    block('convert', STILL, ['gif'], TO_GIF, convertOptions.gif.still, convert),
    block('convert', ['tiff'], ['gif'], TO_GIF, convertOptions.gif.paged, convert),
    block('convert', MOVING, ['gif'], 1, convertOptions.gif.moving, convert),
    block('convert', DRAWINGS, ['gif'], TO_GIF, convertOptions.gif.drawn, convert),
    ...TARGETS.map((to) => block('compress', [to], [to], 1, compressOptions[to], compress)),
    ...TARGETS.map((to) => block('crop', [to], [to], 1, cropOptions[to], crop)),
    ...MOVING.map((to) => block('trim', [to], [to], 1, trimOptions[to], trim)),
    ...MOVING.map((to) => block('merge', PICTURES, [to], 1, mergeOptions[to], merge)),
  ],
}
