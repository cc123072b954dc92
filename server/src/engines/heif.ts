/**
 * HEIC, the photographs of phones, by libheif's own programs; sharp does the rest before and after them. libheif turns a
 * picture as its container says, so what the Exif says of the camera no longer holds.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import * as image from '../catalog/vocabulary/image.ts'
import { Failure } from '../core/errors.ts'
import { type HeifBoxes, readHeif } from './heif/boxes.ts'
import { readHeifCount, readHeifPrimary } from './heif/info.ts'
import { removeMade, sizeOfMade } from './kit/hop-files.ts'
import { onlySmaller, reachSize, sizeWanted } from './kit/reach.ts'
import { X265_POOLS } from './kit/threads.ts'
import { tool } from './kit/tool.ts'
import { keepWarm } from './kit/warm.ts'
import { bareOf } from './sharp/chore.ts'
import { scaled } from './sharp/geometry.ts'
import type { Job } from './sharp/job.ts'
import { afterOptions, before, smallerUpright } from './sharp/options.ts'
import type { Plan } from './sharp/plan.ts'
import { finishPicture, type Prepared, preparePicture } from './sharp/run.ts'
import { changesPicture, compressPlan, convertPlan, MAX_PIXELS, resizeWish } from './sharp/settings.ts'
import type { Wishes } from './sharp/wishes.ts'

const GB = 2 ** 30
const DEBIAN = 'libheif-examples'
const INFO = '/usr/bin/heif-info'
const CONVERT = '/usr/bin/heif-convert'
const warm = keepWarm('heif-convert', CONVERT)
/** A photograph of 50 megapixels takes x265 half a minute. */
const LIMITS = { wall: 300_000, cpu: 300, memory: 3 * GB }

async function look(job: Job): Promise<HeifBoxes> {
  const found = await readHeif(job.input.path)
  if (found.pixels <= MAX_PIXELS) return found
  throw new Failure('processing_failed', `The picture ${job.input.filename} has more pixels than are possible.`)
}

/** Which of several pictures, counted from 0: the one asked for, else the main one. */
async function wanted(job: Job, count: number): Promise<number> {
  const { page } = job.options
  if (page === undefined && count === 1) return 0
  if (page === undefined)
    return readHeifPrimary((await tool(job, { program: INFO, args: ([input]) => [input] })).stdout)
  if (page <= count) return page - 1
  const has = count === 1 ? 'only one picture' : `${count} pictures`
  throw new Failure('processing_failed', `The file ${job.input.filename} has no picture ${page}; it has ${has}.`)
}

/**
 * A JPEG at 100 costs a ninth of the PNG's time. It keeps the colours as they are stored, but for rounding, where a JPEG can
 * store them so; transparency it never keeps.
 */
function through({ options: wishes, to }: Job, { alpha, likeJpeg }: HeifBoxes): 'jpeg' | 'png' {
  const lossy = to === 'jpg' || (to === 'webp' && !wishes.webp_lossless) || (to === 'avif' && !wishes.avif_lossless)
  return (lossy || likeJpeg) && !alpha ? 'jpeg' : 'png'
}

/** The quality, where the program's own JPEG is just what is asked for: sharp would write the same once more. */
function straight({ options: wishes, to, input }: Job, { alpha, profile }: HeifBoxes): number | null {
  if (to !== 'jpg' || alpha || profile) return null
  const plan = (given: Wishes): Plan =>
    convertPlan({ from: [{ format: 'jpg', name: input.filename }], to, wishes: given })
  const { encode, ...asked } = plan({ ...wishes, page: undefined })
  const { encode: _, ...usual } = plan({})
  if (encode.as !== 'jpeg' || JSON.stringify(asked) !== JSON.stringify(usual)) return null
  const { quality = null, progressive, chromaSubsampling } = encode.with
  return progressive || chromaSubsampling !== '4:2:0' ? null : quality
}

async function decode(job: Job): Promise<readonly string[]> {
  const found = await look(job)
  const quality = straight(job, found)
  if (quality !== null) {
    const name = await decodedAs(job, 'jpg', quality)
    await sizeOfMade(job, name)
    return [await bareOf(job, name, 'jpeg', 'out.jpg')]
  }
  const loader = through(job, found)
  const name = await decodedAs(job, loader === 'jpeg' ? 'jpg' : 'png')
  return finishPicture(job, { loader, name, upright: true })
}

/** The picture that is wanted, in the folder of the hop. */
async function decodedAs(job: Job, ext: 'jpg' | 'png', quality = 100): Promise<string> {
  const output = `step.${ext}`
  const args = (input: string, path: string): string[] => ['-q', String(quality), input, path]
  // Several pictures are not where one would be, and are made the usual way.
  if ((job.options.page ?? 1) === 1 && (await warm(job, { input: job.input, output, args }))?.ok) return output
  const { stdout } = await tool(job, { program: CONVERT, args: ([input]) => args(input, output), limits: LIMITS })
  // It decodes all of them, whichever is wanted.
  const count = readHeifCount(stdout)
  const index = await wanted(job, count)
  return count > 1 ? `step-${index + 1}.${ext}` : `step.${ext}`
}

/** The program rounds when it changes to the colours of HEVC and back. */
const heic_lossless = option.boolean({
  label: 'Lossless',
  hint: 'Keeps every pixel but for rounding: no colour changes by more than 1 of 255.',
  default: false,
})

const heic_effort = option.choice(
  { fast: 'Quick', usual: 'Balanced', small: 'Small' },
  { label: 'Effort', hint: 'How long to look for a smaller result.', default: 'fast', more: true },
)

const toHeic = options({ quality: image.quality(60), heic_lossless, heic_effort, ...before })

/** A photograph of 12 megapixels: 2, 9 and 18 seconds. */
const PRESET = { fast: 'ultrafast', usual: 'medium', small: 'slow' } as const

/** "to get lossless encoding, you need this set of options" */
const LOSSLESS = ['-L', '-p', 'chroma=444', '--matrix_coefficients=0']

export const heifEncArgs = (
  input: string,
  wishes: { quality: number; heic_lossless: boolean; heic_effort: keyof typeof PRESET },
  output = 'out.heic',
): string[] => [
  ...(wishes.heic_lossless ? LOSSLESS : ['-q', String(wishes.quality)]),
  ...['-p', `preset=${PRESET[wishes.heic_effort]}`, '-p', `x265:${X265_POOLS}`, '-o', output, input],
]

async function encode(work: Work<typeof toHeic>): Promise<readonly string[]> {
  const { name } = await preparePicture(work)
  await tool(work, { program: '/usr/bin/heif-enc', args: () => heifEncArgs(name, work.options), limits: LIMITS })
  return ['out.heic']
}

const compressing = options({
  compress_image: image.compress_image_lossy,
  quality: image.compress_quality(45),
  compress_max_filesize: image.compress_max_filesize,
  compress_allow_resize: image.compress_allow_resize,
  heic_effort,
  ...smallerUpright,
})

const QUALITIES = [90, 80, 70, 60, 50, 40, 30, 20, 10, 1]

/** Only the main picture stays; the others of a file are versions of it. */
async function compress(work: Work<typeof compressing>): Promise<readonly string[]> {
  const bytes = sizeWanted(work.options)
  const decoded = await decodedInput(work)
  const sources = new Map<number, Prepared>()
  const source = async (scale: number): Promise<Prepared> => {
    const full = sources.get(1)
    const resize: Plan['resize'] = full
      ? { ...scaled(full, scale), fit: 'stretch', enlarge: true, gravity: 'center' }
      : resizeWish(work.options)
    const change = { resize, orient: false, upright: true }
    const found = sources.get(scale) ?? (await preparePicture(decoded, change, `source-${sources.size}.png`))
    sources.set(scale, found)
    return found
  }
  const make = async (quality: number, scale: number, name: string): Promise<void> => {
    const wishes = { quality, heic_lossless: false, heic_effort: work.options.heic_effort }
    const { name: from } = await source(scale)
    await tool(work, { program: '/usr/bin/heif-enc', args: () => heifEncArgs(from, wishes, name), limits: LIMITS })
  }
  const plan = compressPlan({ from: [{ format: 'png', name: '' }], to: 'png', wishes: work.options })
  const changed = changesPicture({ ...plan, flatten: false })
  if (bytes === undefined) {
    await make(work.options.quality, 1, 'out.heic')
    return [await onlySmaller(work, 'out.heic', changed)]
  }
  const shrink = work.options.compress_allow_resize
  const { name, step, scale } = await reachSize(work, { bytes, ladder: QUALITIES, shrink, make })
  work.tell('quality', step)
  const size = sources.get(scale)
  if (scale < 1 && size) work.tell('dimensions', `${size.width}x${size.height}`)
  return [await onlySmaller(work, name, changed)]
}

/** The main picture as a PNG that takes the place of the input. */
async function decodedInput(job: Job): Promise<Job> {
  await look(job)
  const name = await decodedAs(job, 'png')
  await removeMade(job, 'input.png')
  await rename(join(job.dir, name), join(job.dir, 'input.png'))
  const input = { ...job.input, format: 'png', path: join(job.dir, 'input.png') } as const
  return { ...job, input, inputs: [input] }
}

export const heif: Engine = {
  id: 'heif',
  title: 'libheif',
  tools: [
    { program: CONVERT, debian: DEBIAN },
    { program: '/usr/bin/heif-enc', debian: DEBIAN },
    { program: INFO, debian: DEBIAN },
    { program: 'sharp' },
  ],
  can: [
    ...(['jpg', 'png', 'webp', 'avif'] as const).map(
      (to): Capability<(typeof afterOptions)[typeof to]> => ({
        does: 'convert',
        from: ['heic'],
        to: [to],
        cost: 1,
        options: afterOptions[to],
        run: decode,
      }),
    ),
    { does: 'convert', from: ['jpg', 'png'], to: ['heic'], cost: 2, options: toHeic, run: encode } satisfies Capability<
      typeof toHeic
    >,
    { does: 'compress', from: ['heic'], to: 'same', cost: 1, options: compressing, run: compress } satisfies Capability<
      typeof compressing
    >,
  ],
}
