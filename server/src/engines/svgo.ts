/** Makes drawings smaller by SVGO, and packs and unpacks them. The work is done in a warm box: svgo/worker.ts. */
import { join } from 'node:path'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import { onlySmaller, reachSize } from './kit/reach.ts'
import { nodeResident } from './resident/node.ts'
import type { DrawingPlan } from './svgo/worker.ts'

const MB = 2 ** 20

const worker = nodeResident({
  id: 'svgo',
  files: ['svgo/worker', 'resident/inside'],
  module: 'svgo',
  recycleAfter: 500,
  timeout: 60_000,
  limits: { memory: 1024 * MB, addressSpace: null, processes: 32, file: 128 * MB, tmp: 16 * MB },
})

const compressing = options({
  svg_precision: option.integer({
    label: 'Precision',
    hint: 'Decimal places that are kept: fewer make it smaller and coarser.',
    min: 0,
    max: 8,
    default: 3,
  }),
  compress_max_filesize: option.size({
    label: 'Largest size',
    hint: 'The result is not bigger than this, or the task fails and tells the smallest reachable size.',
    units: 'KB',
    unit: 'KB',
    min: 10,
  }),
  strip: option.boolean({
    label: 'Remove metadata',
    hint: 'Removes comments, descriptions and what editors note down.',
    default: true,
    neutral: false,
  }),
  svg_remove_scripts: option.boolean({ label: 'Remove scripts', hint: 'Removes what could run.', default: false }),
  svg_pretty: option.boolean({ label: 'Readable', hint: 'With line breaks and indents.', default: false, more: true }),
})
type Drawing = Work<typeof compressing>

async function ask(work: Pick<Work, 'ask' | 'input' | 'dir' | 'to'>, plan: DrawingPlan, name: string): Promise<void> {
  const question = { optimize: plan.optimize && { ...plan.optimize }, packed: plan.packed }
  const answer = await work.ask(worker, question, work.input.path, join(work.dir, name))
  if (answer.made === true) return
  const detail = typeof answer.detail === 'string' ? answer.detail : ''
  throw new Failure('processing_failed', `The file ${work.input.filename} is not a readable SVG drawing.`, detail)
}

async function compress(work: Drawing): Promise<readonly string[]> {
  const { svg_precision, strip, svg_pretty: pretty, svg_remove_scripts, compress_max_filesize: bytes } = work.options
  const packed = work.to === 'svgz'
  const make = (precision: number, _scale: number, name: string): Promise<void> =>
    ask(work, { optimize: { precision, strip, pretty, scripts: !svg_remove_scripts }, packed }, name)
  const changed = svg_remove_scripts || pretty
  if (bytes === undefined) {
    await make(svg_precision, 1, `out.${work.to}`)
    return [await onlySmaller(work, `out.${work.to}`, changed)]
  }
  const ladder = Array.from({ length: svg_precision + 1 }, (_, index) => svg_precision - index)
  const { name, step } = await reachSize(work, { bytes, ladder, shrink: false, make })
  work.tell('precision', step)
  return [await onlySmaller(work, name, changed)]
}

const nothing = options({})
async function repack(work: Work<typeof nothing>): Promise<readonly string[]> {
  await ask(work, { optimize: null, packed: work.to === 'svgz' }, `out.${work.to}`)
  return [`out.${work.to}`]
}

const packing = (from: 'svg' | 'svgz', to: 'svg' | 'svgz'): Capability<typeof nothing> => ({
  does: 'convert',
  from: [from],
  to: [to],
  cost: 1,
  options: nothing,
  run: repack,
})

export const svgo: Engine = {
  id: 'svgo',
  title: 'SVGO',
  tools: [{ program: 'svgo' }],
  residents: [worker],
  can: [
    { does: 'compress', from: ['svg', 'svgz'], to: 'same', cost: 1, options: compressing, run: compress },
    packing('svg', 'svgz'),
    packing('svgz', 'svg'),
  ],
}
