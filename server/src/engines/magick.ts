/**
 * The pictures nothing else here knows, by ImageMagick 6. It is given PNG and gives PNG, under a policy of ours that lets it
 * touch only what is declared; sharp does everything that the options ask.
 */
import { fileURLToPath } from 'node:url'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { option, options } from '../catalog/option.ts'
import { gif_colors, gif_dither, quality } from '../catalog/vocabulary/image.ts'
import { Failure } from '../core/errors.ts'
import { type ToolRun, tool } from './kit/tool.ts'
import {
  CLEAR,
  listArgs,
  OPAQUE,
  type Readable,
  readArgs,
  readList,
  SEVERAL,
  SINGLE,
  writeArgs,
} from './magick/args.ts'
import { afterOptions, afterStillOptions, before, beforeIcon, beforeOpaque } from './sharp/options.ts'
import type { Plan } from './sharp/plan.ts'
import { finishPicture, type Job, preparePicture } from './sharp/run.ts'

const PROGRAM = '/usr/bin/convert-im6.q16'
const GB = 2 ** 30
const POLICY = '/opt/reforge/magick/policy.xml'

const TOO_BIG =
  /exceeds limit|cache resources exhausted|width or height exceeds|memory allocation failed|TooManyPixels/i

function magick(job: Job, args: ToolRun['args']) {
  return tool(job, {
    program: PROGRAM,
    args,
    readOnly: { [POLICY]: fileURLToPath(import.meta.resolve('./magick/policy.xml')) },
    env: (at) => ({ MAGICK_CONFIGURE_PATH: at(POLICY).replace(/\/[^/]+$/, ''), MAGICK_TEMPORARY_PATH: at('/tmp') }),
    limits: { wall: 250_000, cpu: 240, memory: 3 * GB },
    explain: (words) =>
      TOO_BIG.test(words) ? `The picture "${job.input.filename}" has more pixels than are possible.` : null,
  })
}

const isReadable = (ext: string): ext is Readable => [...SINGLE, ...SEVERAL].some((each) => each === ext)

function sourceOf({ input }: Job): Readable {
  if (!isReadable(input.format)) throw new Failure('processing_failed', `${input.filename} cannot be read here.`)
  return input.format
}

/** The one that was asked for, otherwise the biggest. */
async function chosen(job: Job, from: Readable): Promise<number> {
  const { stdout } = await magick(job, ([input]) => listArgs(from, input))
  const pictures = readList(stdout)
  const { page } = job.options
  if (page === undefined) return pictures.toSorted((a, b) => b.pixels - a.pixels)[0]?.index ?? 0
  const found = pictures[page - 1]
  if (found) return found.index
  const has = pictures.length === 1 ? 'only one picture' : `${pictures.length} pictures`
  throw new Failure('processing_failed', `The file ${job.input.filename} has no picture ${page}; it has ${has}.`)
}

async function read(job: Job): Promise<readonly string[]> {
  const from = sourceOf(job)
  const index = SEVERAL.some((each) => each === from) ? await chosen(job, from) : 0
  await magick(job, ([input]) => readArgs(from, input, index))
  return finishPicture(job, { name: 'step.png', loader: 'png', upright: true })
}

type Extra = { ico_sizes?: string; dds_compression?: string }

async function write(job: Job & { options: Extra }, change: Partial<Plan> = {}): Promise<readonly string[]> {
  const { name, width, height } = await preparePicture(job, change)
  await magick(job, () => writeArgs(name, job.to, { ...job.options, width, height }))
  return [`out.${job.to}`]
}

const ico_sizes = option.string({
  label: 'Sizes',
  hint: 'Sides of the pictures in the icon, in pixels, each at most 256.',
  pattern: /(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-6])(?:,(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-6])){0,11}/,
  expects: 'numbers from 1 to 256 like 16,32,48',
  maxLength: 48,
  default: '16,32,48,256',
})
const toIcon = options({ ico_sizes, ...beforeIcon })

/** Icons are square: what is missing stays clear. */
function writeIcon(work: Work<typeof toIcon>): Promise<readonly string[]> {
  const side = Math.max(...work.options.ico_sizes.split(',').map(Number))
  const resize: Plan['resize'] = { width: side, height: side, fit: 'pad', enlarge: true, gravity: 'center' }
  return write(work, { resize })
}

const dds_compression = option.choice(
  { dxt5: 'DXT5', dxt1: 'DXT1, hardly transparent', none: 'None' },
  { label: 'Compression', hint: 'How the pixels are packed.', default: 'dxt5' },
)
const toDds = options({ dds_compression, ...before })
const toJpeg2000 = options({ quality: quality(80), ...before })
const toGif = options({ gif_colors, gif_dither, ...before })
const toClear = options(before)
const toOpaque = options(beforeOpaque)
const flat = (work: Work<typeof toOpaque>) => write(work, { flatten: true })

const convert = <S extends Capability['options']>(
  from: readonly Ext[],
  to: readonly Ext[],
  cost: number,
  declared: S,
  run: Capability<S>['run'],
): Capability<S> => ({ does: 'convert', from, to, cost, options: declared, run })

const FROM = ['png', 'jpg'] as const

export const magickEngine: Engine = {
  id: 'imagemagick',
  title: 'ImageMagick',
  tools: [{ program: PROGRAM, debian: 'imagemagick' }, { program: 'sharp' }],
  can: [
    convert(SINGLE, ['png'], 3, afterStillOptions.png, read),
    convert(SEVERAL, ['png'], 3, afterOptions.png, read),
    convert(FROM, CLEAR, 3, toClear, (work) => write(work)),
    convert(FROM, OPAQUE, 3, toOpaque, flat),
    convert(FROM, ['ico'], 3, toIcon, writeIcon),
    convert(FROM, ['dds'], 3, toDds, (work) => write(work)),
    convert(FROM, ['jp2', 'j2k'], 3, toJpeg2000, (work) => write(work)),
    convert(FROM, ['gif'], 2, toGif, (work) => write(work)),
  ],
}
