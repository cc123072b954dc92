/** The sharp engine: everyday pictures, in milliseconds. It declares and asks; the pixels are touched in the box only. */
import type { Capability, Doing, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import type { OptionSet } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import { TARGETS } from './sharp/encodings.ts'
import type { Job } from './sharp/job.ts'
import { compressOptions, convertOptions, cropOptions, mergeOptions, trimOptions } from './sharp/options.ts'
import type { Done, Plan } from './sharp/plan.ts'
import { sharpWorker } from './sharp/resident.ts'
import { convertPicture, runner } from './sharp/run.ts'
import { compressPlan, cropPlan, mergePlan, trimPlan } from './sharp/settings.ts'

function tellCompressed(job: Job, done: Done, plan: Plan): void {
  if (done.unchanged) job.tell('unchanged', true)
  if (!done.reached) return
  const found = (plan.reach ?? plan.likeness)?.ladder[done.reached.step]
  if (found && 'quality' in found.with && found.with.quality !== undefined) job.tell('quality', found.with.quality)
  if (done.reached.scale < 1) job.tell('dimensions', `${done.width}x${done.height}`)
}

export function compressPicture(job: Job): Promise<readonly string[]> {
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

const convert = convertPicture
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
/** Where others pack better (jpegoptim, pngquant, gifsicle); without them it is done here. */
const PACKED = { jpg: true, png: true, gif: true }

export const sharp: Engine = {
  id: 'sharp',
  title: 'sharp',
  tools: [{ program: 'sharp' }],
  residents: [sharpWorker],
  can: [
    ...(['jpg', 'png', 'avif', 'tiff'] as const).flatMap((to) => [
      block('convert', STILL, [to], 1, convertOptions[to].still, convert),
      block('convert', PAGED, [to], 1, convertOptions[to].paged, convert),
      block('convert', DRAWINGS, [to], 1, convertOptions[to].drawn, convert),
    ]),
    block('convert', STILL, ['webp'], 1, convertOptions.webp.still, convert),
    block('convert', ['tiff'], ['webp'], 1, convertOptions.webp.paged, convert),
    block('convert', MOVING, ['webp'], 1, convertOptions.webp.moving, convert),
    block('convert', DRAWINGS, ['webp'], 1, convertOptions.webp.drawn, convert),
    block('convert', STILL, ['gif'], TO_GIF, convertOptions.gif.still, convert),
    block('convert', ['tiff'], ['gif'], TO_GIF, convertOptions.gif.paged, convert),
    block('convert', MOVING, ['gif'], 1, convertOptions.gif.moving, convert),
    block('convert', DRAWINGS, ['gif'], TO_GIF, convertOptions.gif.drawn, convert),
    ...TARGETS.map((to) => block('compress', [to], [to], to in PACKED ? 2 : 1, compressOptions[to], compressPicture)),
    ...TARGETS.map((to) => block('crop', [to], [to], 1, cropOptions[to], crop)),
    ...MOVING.map((to) => block('trim', [to], [to], 1, trimOptions[to], trim)),
    ...MOVING.map((to) => block('merge', PICTURES, [to], 1, mergeOptions[to], merge)),
  ],
}
