/**
 * The pictures nothing else here knows, and those that sharp gives up, by ImageMagick 6. It is given PNG and gives TIFF, under
 * a policy of ours that lets it touch only what is declared; sharp does everything that the options ask.
 */
import { open } from 'node:fs/promises'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { option, options } from '../catalog/option.ts'
import { gif_colors, gif_dither, quality } from '../catalog/vocabulary/image.ts'
import { Failure } from '../core/errors.ts'
import {
  CLEAR,
  layersArgs,
  listArgs,
  mayBeDeep,
  OPAQUE,
  RESCUED,
  type Readable,
  readArgs,
  readList,
  SEVERAL,
  SINGLE,
  saysDamaged,
  writeArgs,
} from './magick/args.ts'
import { makeCursor } from './magick/cursor.ts'
import { MAGICK, magick } from './magick/run.ts'
import { TARGETS } from './sharp/encodings.ts'
import type { Job } from './sharp/job.ts'
import { afterOptions, afterStillOptions, before, beforeIcon, beforeOpaque } from './sharp/options.ts'
import type { Plan } from './sharp/plan.ts'
import { finishPicture, preparePicture } from './sharp/run.ts'
import { MAX_PIXELS } from './sharp/settings.ts'

const isReadable = (ext: string): ext is Readable => [...SINGLE, ...SEVERAL, ...RESCUED].some((each) => each === ext)

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

/** A drawing by GIMP is layers on a canvas; how big that is stands at a fixed place. */
async function canvasOf({ input }: Job): Promise<{ width: number; height: number }> {
  await using file = await open(input.path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(22), 0, 22, 0)
  const [width, height] = bytesRead < 22 ? [0, 0] : [buffer.readUInt32BE(14), buffer.readUInt32BE(18)]
  if (width > 0 && height > 0 && width * height <= MAX_PIXELS) return { width, height }
  const what = width > 0 ? 'has more pixels than are possible' : 'could not be read: it is damaged'
  throw new Failure('processing_failed', `The picture "${input.filename}" ${what}.`)
}

/** Of a file whose pictures are pages. */
function pageOf({ options: { page = 1, image_pages }, input }: Job): number {
  if (image_pages !== 'separate') return page - 1
  throw new Failure('processing_failed', `The pages of ${input.filename} can only be read one at a time.`)
}

async function read(job: Job): Promise<readonly string[]> {
  const from = sourceOf(job)
  const index = SEVERAL.some((each) => each === from) ? await chosen(job, from) : pageOf(job)
  const canvas = from === 'xcf' ? await canvasOf(job) : null
  const decode = async (bits: number | null): Promise<void> => {
    const { stderr } = await magick(job, ([input]) =>
      canvas ? layersArgs(from, input, canvas) : readArgs(from, input, index, bits),
    )
    if (saysDamaged(stderr))
      throw new Failure('processing_failed', `"${job.input.filename}" could not be read: it is damaged.`, stderr)
  }
  const finish = () => finishPicture(job, { name: 'step.tiff', loader: 'tiff', upright: true })
  await decode(null)
  try {
    return await finish()
  } catch (error) {
    // What has nine bits a channel, or twelve, is rare.
    if (!(error instanceof Failure && error.errorCode === 'processing_failed' && mayBeDeep(from))) throw error
    await decode(16)
    return finish()
  }
}

type Extra = { ico_sizes?: string; dds_compression?: string }

/** They have a place for what their colours mean; of other metadata ImageMagick carries nothing over. */
const PROFILED = ['psd', 'bmp', 'gif'] as const

async function write(job: Job & { options: Extra }, change: Partial<Plan> = {}): Promise<readonly string[]> {
  // Without its profile a colour would mean another one.
  const keepMetadata = job.options.strip === false && PROFILED.some((each) => each === job.to)
  const { name, width, height } = await preparePicture(job, { keepMetadata, ...change })
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
function writeIcon(work: Job & { options: { ico_sizes: string } }): Promise<readonly string[]> {
  const side = Math.max(...work.options.ico_sizes.split(',').map(Number))
  const resize: Plan['resize'] = { width: side, height: side, fit: 'pad', enlarge: true, gravity: 'center' }
  return write(work, { resize })
}

const hotspot = (label: string, hint: string) =>
  option.number({ label, hint, units: '%', min: 0, max: 100, default: 0 })
const cur_hotspot_x = hotspot('Point, across', 'Where the cursor points to, from the left, in percent of its width.')
const cur_hotspot_y = hotspot('Point, down', 'Where the cursor points to, from the top, in percent of its height.')
const toCursor = options({ ico_sizes: { ...ico_sizes, default: '32' }, cur_hotspot_x, cur_hotspot_y, ...beforeIcon })

async function writeCursor(work: Work<typeof toCursor>): Promise<readonly string[]> {
  await writeIcon(work)
  await makeCursor(work, 'out.cur', work.options.cur_hotspot_x, work.options.cur_hotspot_y)
  return ['out.cur']
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
  tools: [MAGICK, { program: 'sharp' }],
  can: [
    convert(SINGLE, ['png'], 3, afterStillOptions.png, read),
    convert(SINGLE, ['jpg'], 3, afterStillOptions.jpg, read),
    convert(SEVERAL, ['png'], 3, afterOptions.png, read),
    convert(FROM, CLEAR, 3, toClear, (work) => write(work)),
    convert(FROM, OPAQUE, 3, toOpaque, flat),
    convert(FROM, ['ico'], 3, toIcon, writeIcon),
    convert(FROM, ['cur'], 3, toCursor, writeCursor),
    convert(FROM, ['dds'], 3, toDds, (work) => write(work)),
    convert(FROM, ['jp2', 'j2k'], 3, toJpeg2000, (work) => write(work)),
    convert(FROM, ['gif'], 2, toGif, (work) => write(work)),
  ],
  rescues: [{ from: RESCUED, to: TARGETS, run: read }],
}
