/** Pictures out of a film: one moment of it, or one every so often. */
import { readdir } from 'node:fs/promises'
import type { Capability, Work } from '../../catalog/engine.ts'
import type { Ext } from '../../catalog/formats.ts'
import { options } from '../../catalog/option.ts'
import * as image from '../../catalog/vocabulary/image.ts'
import * as video from '../../catalog/vocabulary/video.ts'
import { Failure } from '../../core/errors.ts'
import { TONE_MAP } from './filters.ts'
import { shownSize, type VideoStream, videoOf } from './media.ts'
import { probe } from './probe.ts'
import { ffmpeg } from './run.ts'

const MOST = 1000

const resizing = {
  resize_type_image: image.resize_type_image,
  image_custom_width: image.image_custom_width,
  image_custom_height: image.image_custom_height,
  image_resize_percentage: image.image_resize_percentage,
}
const declared = options({
  frame_time: video.frame_time,
  frame_interval: video.frame_interval,
  ...resizing,
  quality: image.quality(90),
})
const lossless = options({
  frame_time: video.frame_time,
  frame_interval: video.frame_interval,
  ...resizing,
})
type FrameOptions = Work<typeof lossless>['options'] & { readonly quality?: number }

/** The size as shown; a side that is not given follows the other. */
function sizeOf(stream: VideoStream, wishes: FrameOptions): string {
  const { image_custom_width: w, image_custom_height: h, image_resize_percentage: percent } = wishes
  const { width, height } = shownSize(stream)
  const side = (length: number): number => Math.max(1, Math.round((length * (percent ?? 100)) / 100))
  if (w !== undefined && h !== undefined) {
    const scale = Math.min(w / width, h / height)
    return `${Math.max(1, Math.round(width * scale))}:${Math.max(1, Math.round(height * scale))}`
  }
  if (w !== undefined) return `${w}:${Math.max(1, Math.round((w * height) / width))}`
  if (h !== undefined) return `${Math.max(1, Math.round((h * width) / height))}:${h}`
  return `${side(width)}:${side(height)}`
}

function frameArgs(stream: VideoStream, wishes: FrameOptions, to: 'jpg' | 'png'): string[] {
  const { frame_interval: every, quality = 90 } = wishes
  const filters = [
    ...(every === undefined ? [] : [`fps=1/${every}:start_time=0:round=up`]),
    ...(stream.hdr ? TONE_MAP : []),
    `scale=${sizeOf(stream, wishes)}`,
    'setsar=1',
    to === 'jpg' ? 'format=yuvj420p' : 'format=rgb24',
  ]
  // mjpeg counts from 2, best, to 31.
  const coded =
    to === 'jpg' ? ['-c:v', 'mjpeg', '-q:v', String(Math.round(2 + ((100 - quality) * 29) / 100))] : ['-c:v', 'png']
  const most = every === undefined ? ['-frames:v', '1'] : ['-frames:v', String(MOST)]
  return [
    '-map',
    `0:${stream.index}`,
    '-vf',
    filters.join(','),
    ...most,
    ...coded,
    '-f',
    'image2',
    `file:frame-%04d.${to}`,
  ]
}

async function grab(work: Work, wishes: FrameOptions, to: 'jpg' | 'png'): Promise<readonly string[]> {
  const media = await probe(work)
  const { filename } = work.input
  const stream = videoOf(media)
  if (stream === null) throw new Failure('processing_failed', `There is no moving picture in "${filename}".`)
  const { frame_time: start, frame_interval: every } = wishes
  const late = `frame_time is behind the end of "${filename}".`
  if (media.seconds !== null && start > media.seconds) throw new Failure('processing_failed', late)
  const left = media.seconds === null ? null : media.seconds - start
  await ffmpeg(work, {
    before: start > 0 ? ['-ss', String(start)] : [],
    after: frameArgs(stream, wishes, to),
    seconds: every === undefined ? null : left,
  })
  const made = (await readdir(work.dir)).filter((name) => new RegExp(`^frame-\\d{4}\\.${to}$`).test(name)).sort()
  if (made.length === 0) throw new Failure('processing_failed', late)
  return made
}

export const frames = (from: readonly Ext[]): readonly Capability[] => [
  {
    ...{ does: 'convert', from, to: ['jpg'], cost: 2, terminal: true, heavy: true, options: declared },
    run: (work: Work<typeof declared>) => grab(work, work.options, 'jpg'),
  } satisfies Capability<typeof declared>,
  {
    ...{ does: 'convert', from, to: ['png'], cost: 2, terminal: true, heavy: true, options: lossless },
    run: (work: Work<typeof lossless>) => grab(work, work.options, 'png'),
  } satisfies Capability<typeof lossless>,
]
