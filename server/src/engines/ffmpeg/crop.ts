/** The ffmpeg engine's way to keep a part of the picture of a film. The sound stays as it is. */
import type { Capability, Work } from '../../catalog/engine.ts'
import { options } from '../../catalog/option.ts'
import { aspect_ratio, gravity, height, width, x, y } from '../../catalog/vocabulary/image.ts'
import { Failure } from '../../core/errors.ts'
import { cropBox } from '../sharp/geometry.ts'
import type { Box } from '../sharp/plan.ts'
import { keepInput } from './compress-kept.ts'
import { containerOf, isWritable, VIDEO_OUT } from './containers.ts'
import { type VideoStream, videoOf } from './media.ts'
import { probe } from './probe.ts'
import { ffmpeg } from './run.ts'
import { pictureAgain } from './trim-encode.ts'

/** As for pictures: the same names mean the same. */
const cropOptions = options({ x, y, width, height, aspect_ratio, gravity })
type Job = Work<typeof cropOptions>

/** The codecs take even sides only: an odd one loses a row. */
const even = (length: number): number => Math.max(2, Math.floor(length / 2) * 2)

interface Whole {
  width: number
  height: number
}

/** As it is turned before anything is cut. */
const standing = ({ width: across, height: down, rotation }: VideoStream): Whole =>
  rotation % 180 === 0 ? { width: across, height: down } : { width: down, height: across }

export function filmBox(whole: Whole, wishes: Job['options'], filename: string): Box {
  const [across, down] = wishes.aspect_ratio?.split(':').map(Number) ?? []
  const { x: left, y: top, width: wide, height: high, gravity: side } = wishes
  const wish = { x: left, y: top, width: wide, height: high, gravity: side }
  const box = cropBox(whole, across && down ? { ...wish, ratio: [across, down] } : wish)
  if (box && box.width >= 2 && box.height >= 2) return { ...box, width: even(box.width), height: even(box.height) }
  throw new Failure(
    'processing_failed',
    `The crop does not lie within the picture of "${filename}", which is ${whole.width} × ${whole.height} pixels, or leaves nothing of it.`,
  )
}

async function crop(work: Job): Promise<readonly string[]> {
  if (!isWritable(work.to)) throw new Failure('processing_failed', `Films cannot be written as ${work.to}.`)
  const container = containerOf(work.to)
  const media = await probe(work)
  const video = videoOf(media)
  if (video === null) throw new Failure('processing_failed', `There is no picture in "${work.input.filename}" to crop.`)
  const whole = standing(video)
  const box = filmBox(whole, work.options, work.input.filename)
  if (box.width === whole.width && box.height === whole.height) return [await keepInput(work)]
  const output = `out.${work.to}`
  await ffmpeg(work, {
    after: [
      ...['-map', `0:${video.index}`, '-map', '0:a?', ...(container.subtitles ? ['-map', '0:s?', '-c:s', 'copy'] : [])],
      ...['-vf', `crop=${box.width}:${box.height}:${box.left}:${box.top}:exact=1`],
      ...[...pictureAgain(container, video), '-c:a', 'copy', ...container.flags, '-f', container.muxer, output],
    ],
    seconds: media.seconds,
  })
  work.tell('dimensions', `${box.width}x${box.height}`)
  return [output]
}

export const cropFilm: Capability<typeof cropOptions> = {
  does: 'crop',
  from: VIDEO_OUT,
  to: 'same',
  cost: 1,
  heavy: true,
  options: cropOptions,
  run: crop,
}
