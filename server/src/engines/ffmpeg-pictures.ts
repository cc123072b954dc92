/**
 * Pictures that only ffmpeg knows here: Quite OK images, and OpenEXR, whose numbers count light; and some of other formats
 * that those who usually read them give up. It decodes and encodes pixels; sharp does everything the options ask, and writes
 * OpenEXR itself, for ffmpeg knows nothing of sRGB there.
 */
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { Failure } from '../core/errors.ts'
import { DEMUXERS, exrArgs, lookArgs, type Pictured, qoiWriteArgs, readArgs, readLook } from './ffmpeg-pictures/args.ts'
import { tool } from './kit/tool.ts'
import { TARGETS } from './sharp/encodings.ts'
import type { Job } from './sharp/job.ts'
import { afterStillOptions, before } from './sharp/options.ts'
import { finishPicture, preparePicture } from './sharp/run.ts'
import { MAX_PIXELS } from './sharp/settings.ts'

const FFMPEG = '/usr/bin/ffmpeg'
const FFPROBE = '/usr/bin/ffprobe'
const DEBIAN = 'ffmpeg'
const GB = 2 ** 30
const LIMITS = { wall: 120_000, cpu: 120, memory: 3 * GB }

const isPictured = (ext: string): ext is Pictured => Object.hasOwn(DEMUXERS, ext)

async function read(job: Job): Promise<readonly string[]> {
  const { format, filename } = job.input
  const { page = 1 } = job.options
  if (!isPictured(format) || page > 1)
    throw new Failure('processing_failed', `Picture ${page} of ${filename} cannot be read here.`)
  await tool(job, { program: FFMPEG, args: ([input]) => readArgs(format, input), limits: LIMITS })
  return finishPicture(job, { name: 'step.png', loader: 'png', upright: true })
}

async function readExr(job: Job): Promise<readonly string[]> {
  const { stdout } = await tool(job, { program: FFPROBE, args: ([input]) => lookArgs(input), limits: LIMITS })
  const planes = readLook(stdout)
  const { filename } = job.input
  if (!planes) throw new Failure('processing_failed', `The file ${filename} is not a readable OpenEXR image.`, stdout)
  // Floats take twice the room of other pixels.
  if (planes.width * planes.height > MAX_PIXELS / 4)
    throw new Failure('processing_failed', `The picture ${filename} has more pixels than are possible.`)
  await tool(job, { program: FFMPEG, args: ([input]) => exrArgs(input, planes.planes), limits: LIMITS })
  return finishPicture(job, { name: 'step.raw', loader: 'linear', planes, upright: true })
}

async function writeQoi(work: Work<typeof toQoi>): Promise<readonly string[]> {
  const { name } = await preparePicture(work)
  await tool(work, { program: FFMPEG, args: () => qoiWriteArgs(name), limits: LIMITS })
  return ['out.qoi']
}

const exr_precision = option.choice(
  { half: 'Half, 16 bits', float: 'Full, 32 bits' },
  { label: 'Precision', hint: 'How exactly each colour is noted down.', default: 'half' },
)
const exr_compression = option.choice(
  { zip: 'ZIP', none: 'None' },
  { label: 'Compression', hint: 'How the pixels are packed. Nothing is lost by it.', default: 'zip', more: true },
)
const toExr = options({ exr_precision, exr_compression, ...before })
const toQoi = options(before)

async function writeExr(work: Work<typeof toExr>): Promise<readonly string[]> {
  const { exr_precision: precision, exr_compression: compression } = work.options
  const encode = { as: 'exr', with: { half: precision === 'half', packed: compression === 'zip' } } as const
  const { name } = await preparePicture(work, { encode, depth: 16 }, 'out.exr')
  return [name]
}

const convert = <S extends Capability['options']>(one: Omit<Capability<S>, 'does' | 'cost'>): Capability<S> => ({
  does: 'convert',
  cost: 3,
  ...one,
})

export const ffmpegPictures: Engine = {
  id: 'ffmpeg-pictures',
  title: 'FFmpeg, pictures',
  tools: [{ program: FFMPEG, debian: DEBIAN }, { program: FFPROBE, debian: DEBIAN }, { program: 'sharp' }],
  can: [
    convert({ from: ['qoi'], to: ['png'], options: afterStillOptions.png, run: read }),
    convert({ from: ['exr'], to: ['png'], options: afterStillOptions.png, run: readExr }),
    convert({ from: ['png', 'jpg'], to: ['qoi'], options: toQoi, run: writeQoi }),
    convert({ from: ['png', 'jpg'], to: ['exr'], options: toExr, run: writeExr }),
  ],
  // Newer ways to pack textures, bitmaps that say something wrong of themselves, and pictures that move.
  rescues: [{ from: ['dds', 'bmp', 'avif', 'heic'], to: TARGETS, run: read }],
}
