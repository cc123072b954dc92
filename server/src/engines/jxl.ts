/**
 * JPEG XL by libjxl's own programs; sharp does the rest before and after them. A JPEG can be packed as it is, and had back
 * as it was: then nothing else is done to it.
 */
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { quality } from '../catalog/vocabulary/image.ts'
import { Failure } from '../core/errors.ts'
import { readJxlInfo } from './jxl/info.ts'
import { tool } from './kit/tool.ts'
import type { Job } from './sharp/job.ts'
import { afterStillOptions, before } from './sharp/options.ts'
import { finishPicture, preparePicture } from './sharp/run.ts'
import { changesPicture, convertPlan, MAX_PIXELS } from './sharp/settings.ts'

const GB = 2 ** 30
const DEBIAN = 'libjxl-tools'
const LIMITS = { wall: 300_000, cpu: 300, memory: 3 * GB }

async function look(job: Job) {
  const { stdout } = await tool(job, { program: '/usr/bin/jxlinfo', args: ([input]) => [input] })
  const found = readJxlInfo(stdout)
  if (found && found.width * found.height > MAX_PIXELS)
    throw new Failure('processing_failed', `The picture ${job.input.filename} has more pixels than are possible.`)
  return found
}

const djxl = (job: Job, output: string): Promise<unknown> =>
  tool(job, { program: '/usr/bin/djxl', args: ([input]) => [input, output, '--quiet'], limits: LIMITS })

async function decode(job: Job): Promise<readonly string[]> {
  const found = await look(job)
  // Plain pixels take a tenth of the PNG's time, but know no profile.
  const ext = found?.srgb ? 'ppm' : 'png'
  await djxl(job, `step.${ext}`)
  return finishPicture(job, { name: `step.${ext}`, loader: ext === 'ppm' ? 'pnm' : 'png', upright: true })
}

const jxl_restore_jpeg = option.boolean({
  label: 'Restore the JPEG',
  hint: 'Gives back the very JPEG the file was made from, metadata included. Fails where it was not made from one.',
  default: false,
})
const toJpg = options({ jxl_restore_jpeg, ...afterStillOptions.jpg })

async function decodeJpeg(work: Work<typeof toJpg>): Promise<readonly string[]> {
  if (!work.options.jxl_restore_jpeg) return decode(work)
  if (!(await look(work))?.jpeg)
    throw new Failure('processing_failed', `The file ${work.input.filename} was not made from a JPEG.`)
  await djxl(work, 'out.jpg')
  return ['out.jpg']
}

const jxl_effort = option.integer({
  label: 'Effort',
  hint: 'From 1, quick, to 9, small and very slow.',
  min: 1,
  max: 9,
  default: 5,
  more: true,
})
const lossless = { label: 'Lossless', default: false } as const
const jxl_lossless = option.boolean({ ...lossless, hint: 'Keeps every pixel as it is.' })
const jxl_lossless_jpeg = option.boolean({
  ...lossless,
  hint: 'Packs the JPEG a fifth smaller as it is, metadata included; it can be restored. If the picture is changed, its new pixels are kept.',
})
const fromPicture = options({ quality: quality(90), jxl_lossless, jxl_effort, ...before })
const fromJpeg = options({ ...fromPicture, jxl_lossless: jxl_lossless_jpeg })
type Wishes = Work<typeof fromPicture>['options']

export const cjxlArgs = (input: string, wishes: Pick<Wishes, 'quality' | 'jxl_lossless' | 'jxl_effort'>): string[] => [
  ...[input, 'out.jxl', '--quiet', '-e', String(wishes.jxl_effort)],
  ...(wishes.jxl_lossless ? ['-d', '0'] : ['-q', String(wishes.quality)]),
]

async function encode(work: Work<typeof fromPicture>): Promise<readonly string[]> {
  const { name } = await preparePicture(work)
  await tool(work, { program: '/usr/bin/cjxl', args: () => cjxlArgs(name, work.options), limits: LIMITS })
  return ['out.jxl']
}

/** Nothing but the packing was asked for. */
function asItIs({ options: wishes, input }: Work<typeof fromJpeg>): boolean {
  const plan = convertPlan({ from: [{ format: 'jpg', name: input.filename }], to: 'png', wishes })
  return wishes.jxl_lossless && !changesPicture({ ...plan, flatten: false })
}

async function encodeJpeg(work: Work<typeof fromJpeg>): Promise<readonly string[]> {
  if (!asItIs(work)) return encode(work)
  const effort = ['-e', String(work.options.jxl_effort)]
  await tool(work, {
    program: '/usr/bin/cjxl',
    args: ([input]) => [input, 'out.jxl', '--quiet', '--lossless_jpeg=1', ...effort],
    limits: LIMITS,
  })
  return ['out.jxl']
}

const capability = <S extends Capability['options']>(one: Capability<S>): Capability<S> => one

export const jxl: Engine = {
  id: 'jxl',
  title: 'libjxl',
  tools: [
    { program: '/usr/bin/cjxl', debian: DEBIAN },
    { program: '/usr/bin/djxl', debian: DEBIAN },
    { program: '/usr/bin/jxlinfo', debian: DEBIAN },
    { program: 'sharp' },
  ],
  can: [
    capability({ does: 'convert', from: ['jxl'], to: ['jpg'], cost: 1, options: toJpg, run: decodeJpeg }),
    ...(['png', 'webp', 'tiff'] as const).map((to) =>
      capability({ does: 'convert', from: ['jxl'], to: [to], cost: 1, options: afterStillOptions[to], run: decode }),
    ),
    capability({ does: 'convert', from: ['png'], to: ['jxl'], cost: 1, options: fromPicture, run: encode }),
    capability({ does: 'convert', from: ['jpg'], to: ['jxl'], cost: 1, options: fromJpeg, run: encodeJpeg }),
  ],
}
