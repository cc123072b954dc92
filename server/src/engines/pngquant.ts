/**
 * Makes PNGs smaller by pngquant: as few colours as a quality needs, not 256, 16 or 4. Where nothing may be lost it is
 * sharp's work, as is everything else that the options ask.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, Work } from '../catalog/engine.ts'
import { onlySmaller, reachSize, sizeOf, sizeWanted } from './kit/reach.ts'
import { tool } from './kit/tool.ts'
import { scaled } from './sharp/geometry.ts'
import { compressOptions } from './sharp/options.ts'
import type { Plan } from './sharp/plan.ts'
import { preparePicture } from './sharp/run.ts'
import { changesPicture, compressPlan } from './sharp/settings.ts'
import { compressPicture } from './sharp.ts'

const PROGRAM = '/usr/bin/pngquant'
type PngWork = Work<typeof compressOptions.png>

/** `0-70`: as few colours as 70 needs; or so many colours. */
export type PngStep = { quality: number } | { colours: number }

const LADDER: readonly PngStep[] = [
  ...[99, 90, 80, 70, 60, 50, 40, 30, 20, 10].map((quality) => ({ quality })),
  ...[32, 16, 8, 4, 2].map((colours) => ({ colours })),
]

/** Speed 3 costs a fifth more time than 4, for a few percent. */
export const pngquantArgs = (input: string, output: string, step: PngStep): string[] => [
  ...['--force', '--strip', '--speed', '3', '--output', output],
  ...('quality' in step ? ['--quality', `0-${step.quality}`, '--', input] : [String(step.colours), '--', input]),
]

const quantise = (work: PngWork, input: string, output: string, step: PngStep): Promise<unknown> =>
  tool(work, { program: PROGRAM, args: () => pngquantArgs(input, output, step), limits: { wall: 180_000, cpu: 170 } })

const changes = (work: PngWork): boolean => {
  const from = [{ format: 'png', name: work.input.filename }] as const
  const plan = compressPlan({ from, to: 'png', wishes: work.options })
  return changesPicture({ ...plan, flatten: false })
}

/** What loses nothing comes first; then fewer colours, then fewer pixels. */
async function toSize(work: PngWork, bytes: number): Promise<string> {
  const exact = { ...work.options, compress_image: 'lossless', compress_max_filesize: undefined } as const
  const [whole = 'out.png'] = await compressPicture({ ...work, options: exact, tell: () => {} })
  if ((await sizeOf(work, whole)) <= bytes) return whole
  await rename(join(work.dir, whole), join(work.dir, 'whole.png'))
  const full = await preparePicture(work)
  const sources = new Map([[1, full.name]])
  const source = async (scale: number): Promise<string> => {
    const known = sources.get(scale)
    if (known !== undefined) return known
    const resize: Plan['resize'] = { ...scaled(full, scale), fit: 'stretch', enlarge: true, gravity: 'center' }
    const { name } = await preparePicture(work, { resize }, `step-${sources.size}.png`)
    sources.set(scale, name)
    return name
  }
  const make = async (step: PngStep, scale: number, name: string): Promise<void> => {
    await quantise(work, await source(scale), name, step)
  }
  const shrink = work.options.compress_allow_resize
  const { name, step, scale } = await reachSize(work, { bytes, ladder: LADDER, shrink, make })
  if ('quality' in step) work.tell('quality', step.quality)
  const size = scaled(full, scale)
  if (scale < 1) work.tell('dimensions', `${size.width}x${size.height}`)
  return name
}

async function compress(work: PngWork): Promise<readonly string[]> {
  const { compress_image, quality } = work.options
  const bytes = sizeWanted(work.options)
  if (bytes !== undefined) return [await onlySmaller(work, await toSize(work, bytes), changes(work))]
  // Interlacing is sharp's alone.
  if (compress_image === 'lossless' || quality === 100 || work.options.png_interlace) return compressPicture(work)
  const { name } = await preparePicture(work)
  await quantise(work, name, 'out.png', { quality })
  return [await onlySmaller(work, 'out.png', changes(work))]
}

export const pngquant: Engine = {
  id: 'pngquant',
  title: 'pngquant',
  tools: [{ program: PROGRAM, debian: 'pngquant' }, { program: 'sharp' }],
  can: [{ does: 'compress', from: ['png'], to: 'same', cost: 1, options: compressOptions.png, run: compress }],
}
