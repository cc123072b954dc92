/**
 * HEIC, the photographs of phones, by libheif's own programs; sharp does the rest before and after them. libheif turns a
 * picture as its container says, so what the Exif says of the camera no longer holds.
 */
import type { Capability, Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import { quality } from '../catalog/vocabulary/image.ts'
import { Failure } from '../core/errors.ts'
import { type HeifBoxes, readHeifBoxes, readHeifCount, readHeifPrimary } from './heif/info.ts'
import { tool } from './kit/tool.ts'
import { afterOptions, before } from './sharp/options.ts'
import { finishPicture, type Job, preparePicture } from './sharp/run.ts'
import { MAX_PIXELS } from './sharp/settings.ts'

const GB = 2 ** 30
const DEBIAN = 'libheif-examples'
const INFO = '/usr/bin/heif-info'
/** A photograph of 50 megapixels takes x265 half a minute. */
const LIMITS = { wall: 300_000, cpu: 300, memory: 3 * GB }

async function look(job: Job): Promise<HeifBoxes> {
  const { stdout } = await tool(job, { program: INFO, args: ([input]) => ['--dump-boxes', input] })
  const found = readHeifBoxes(stdout)
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

/** A JPEG at 100 costs a ninth of the PNG's time and keeps the colours as they are stored; but not transparency. */
function through({ options: wishes, to }: Job, alpha: boolean): 'jpeg' | 'png' {
  const lossy = to === 'jpg' || (to === 'webp' && !wishes.webp_lossless) || (to === 'avif' && !wishes.avif_lossless)
  return lossy && !alpha ? 'jpeg' : 'png'
}

async function decode(job: Job): Promise<readonly string[]> {
  const loader = through(job, (await look(job)).alpha)
  const ext = loader === 'jpeg' ? 'jpg' : 'png'
  const { stdout } = await tool(job, {
    program: '/usr/bin/heif-convert',
    args: ([input]) => ['-q', '100', input, `step.${ext}`],
    limits: LIMITS,
  })
  // It decodes all of them, whichever is wanted.
  const count = readHeifCount(stdout)
  const index = await wanted(job, count)
  return finishPicture(job, { loader, name: count > 1 ? `step-${index + 1}.${ext}` : `step.${ext}`, upright: true })
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

const toHeic = options({ quality: quality(60), heic_lossless, heic_effort, ...before })

/** A photograph of 12 megapixels: 2, 9 and 18 seconds. */
const PRESET = { fast: 'ultrafast', usual: 'medium', small: 'slow' } as const

/** "to get lossless encoding, you need this set of options" */
const LOSSLESS = ['-L', '-p', 'chroma=444', '--matrix_coefficients=0']

export const heifEncArgs = (
  input: string,
  wishes: { quality: number; heic_lossless: boolean; heic_effort: keyof typeof PRESET },
): string[] => [
  ...(wishes.heic_lossless ? LOSSLESS : ['-q', String(wishes.quality)]),
  ...['-p', `preset=${PRESET[wishes.heic_effort]}`, '-o', 'out.heic', input],
]

async function encode(work: Work<typeof toHeic>): Promise<readonly string[]> {
  const { name } = await preparePicture(work)
  await tool(work, { program: '/usr/bin/heif-enc', args: () => heifEncArgs(name, work.options), limits: LIMITS })
  return ['out.heic']
}

export const heif: Engine = {
  id: 'heif',
  title: 'libheif',
  tools: [
    { program: '/usr/bin/heif-convert', debian: DEBIAN },
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
  ],
}
