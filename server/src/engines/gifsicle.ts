/** Makes GIFs smaller by gifsicle: it keeps what the frames share, and gives up likeness bit by bit. */
import type { Engine, Work } from '../catalog/engine.ts'
import { option, options } from '../catalog/option.ts'
import * as image from '../catalog/vocabulary/image.ts'
import { GIF_LADDER, type GifStep, gifArgs, gifStep, readDelays, type Shown, slower } from './gifsicle/args.ts'
import { onlySmaller, reachSize, sizeWanted } from './kit/reach.ts'
import { tool } from './kit/tool.ts'

const PROGRAM = '/usr/bin/gifsicle'
const LIMITS = { wall: 120_000, cpu: 120 }

const gif_compress_lossy = option.integer({
  label: 'Loss',
  hint: 'How far colours may be off to save space, from 0, not at all; 80 hardly shows. Goes before the quality.',
  min: 0,
  max: 200,
})
const gif_compress_colors = option.integer({
  label: 'Colours',
  hint: 'How many colours there may be. Goes before the quality.',
  min: 2,
  max: 256,
})
const gif_compress_fps = option.number({
  label: 'Frames a second',
  hint: 'Leaves frames out until there are no more than that many a second. It lasts as long as before.',
  units: 'fps',
  min: 0.1,
  max: 50,
})

const declared = options({
  compress_image: image.compress_image,
  quality: image.compress_quality(75),
  compress_max_filesize: image.compress_max_filesize,
  compress_allow_resize: image.compress_allow_resize,
  gif_compress_lossy,
  gif_compress_colors,
  gif_compress_fps,
  resize_type_image: image.resize_type_image,
  image_custom_width: image.image_custom_width,
  image_custom_height: image.image_custom_height,
  image_resize_percentage: image.image_resize_percentage,
  image_grayscale: image.image_grayscale,
  strip: option.boolean({
    label: 'Remove metadata',
    hint: 'Removes comments, names and the like.',
    default: true,
    neutral: false,
  }),
})
type GifWork = Work<typeof declared>

function usual({
  quality,
  compress_image,
  gif_compress_lossy: lossy,
  gif_compress_colors: colors,
}: GifWork['options']): GifStep {
  const step = compress_image === 'lossless' ? { lossy: 0, colors: 256 } : gifStep(quality)
  return { lossy: lossy ?? step.lossy, colors: colors ?? step.colors }
}

async function frames(work: GifWork): Promise<Shown[] | null> {
  const fps = work.options.gif_compress_fps
  if (fps === undefined) return null
  const { stdout } = await tool(work, { program: PROGRAM, args: ([input]) => ['--info', input] })
  const delays = readDelays(stdout)
  const kept = slower(delays, fps)
  return kept.length === delays.length ? null : kept
}

async function compress(work: GifWork): Promise<readonly string[]> {
  const wishes = work.options
  const bytes = sizeWanted(wishes)
  const shown = await frames(work)
  const make = async (step: GifStep, scale: number, name: string): Promise<void> => {
    await tool(work, {
      program: PROGRAM,
      args: ([input]) => gifArgs(input, name, step, wishes, { scale, frames: shown }),
      limits: LIMITS,
    })
  }
  const { image_custom_width, image_custom_height, image_resize_percentage, image_grayscale } = wishes
  const resized = image_custom_width ?? image_custom_height ?? image_resize_percentage
  const changed = resized !== undefined || image_grayscale || shown !== null
  if (bytes === undefined) {
    await make(usual(work.options), 1, 'out.gif')
    return [await onlySmaller(work, 'out.gif', changed)]
  }
  const reached = await reachSize(work, { bytes, ladder: GIF_LADDER, shrink: wishes.compress_allow_resize, make })
  return [await onlySmaller(work, reached.name, changed)]
}

export const gifsicle: Engine = {
  id: 'gifsicle',
  title: 'Gifsicle',
  tools: [{ program: PROGRAM, debian: 'gifsicle' }, { program: 'sharp' }],
  can: [{ does: 'compress', from: ['gif'], to: 'same', cost: 1, options: declared, run: compress }],
}
