/** Films that become animations: GIF with colours chosen for the film, and moving WebP. */
import type { Capability, Work } from '../../catalog/engine.ts'
import type { Ext } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import { sizeOfMade } from '../kit/hop-files.ts'
import {
  coloursFor,
  firstLook,
  framesOf,
  gifLoop,
  inOne,
  PALETTE,
  type Palette,
  type Shown,
  secondLook,
  shownAs,
  waiting,
} from './gif-graph.ts'
import { gifOptions, webpOptions } from './gif-options.ts'
import { type VideoStream, videoOf } from './media.ts'
import { probe } from './probe.ts'
import { ffmpeg } from './run.ts'
import { type Span, spansOf, written } from './trim-ranges.ts'

type Any = Omit<Work, 'options'>

/** Longer ones are a mistake: they would fill a disk. */
const MOST_FRAMES = 20_000
/** Bytes of frames that may wait in memory for their colours. */
const MOST_WAITING = 400 * 2 ** 20

interface Cut {
  video: VideoStream
  span: Span
  shown: Shown
}

async function cutOf(
  work: Any,
  wanted: { start: number; end: number | undefined; fps: number; width: number | undefined },
): Promise<Cut> {
  const media = await probe(work)
  const video = videoOf(media)
  if (video === null) throw new Failure('processing_failed', `There is no picture in "${work.input.filename}".`)
  const { start, end } = wanted
  const wishes = { start, end, duration: undefined, ranges: undefined, trim_mode: 'precise' } as const
  // Where nobody knows the end, it plays to it.
  const [span] = media.seconds === null && end === undefined ? [] : spansOf(wishes, media.seconds, work.input.filename)
  const whole = span ?? { start, end: Number.POSITIVE_INFINITY }
  const shown = shownAs(video, span ? span.end - span.start : 1, wanted)
  if (shown.frames > MOST_FRAMES)
    throw new Failure(
      'processing_failed',
      `The animation of "${work.input.filename}" would have ${shown.frames} frames; at most ${MOST_FRAMES} are made. Cut out a part, or show fewer a second.`,
    )
  return { video, span: whole, shown }
}

/** From and to, as ffmpeg is told before an input. The usual readers of VP8 and VP9 do not see what is transparent. */
function before({ video, span }: Cut, transparent: boolean): string[] {
  const { start, end } = span
  const reader = { vp8: 'libvpx', vp9: 'libvpx-vp9' }[video.codec]
  return [
    ...(transparent && reader ? ['-c:v', reader] : []),
    ...(start > 0 ? ['-ss', written(start)] : []),
    ...(Number.isFinite(end) ? ['-t', written(end - start)] : []),
  ]
}

const secondsOf = ({ span }: Cut): number | null => (Number.isFinite(span.end) ? span.end - span.start : null)

async function filled(work: Any, name: string): Promise<string> {
  if ((await sizeOfMade(work, name)) > 0) return name
  throw new Failure(
    'processing_failed',
    `No picture of "${work.input.filename}" could be read: it is damaged or empty.`,
  )
}

async function toGif(work: Work<typeof gifOptions>): Promise<readonly string[]> {
  const wishes = work.options
  const { cut_start_video_to_gif: start, cut_end_gif: end, gif_fps: fps, video_custom_width_gif: width } = wishes
  const cut = await cutOf(work, { start, end, fps, width })
  const palette: Palette = {
    colours: coloursFor(wishes.video_to_gif_compression),
    dither: wishes.video_to_gif_dither,
    transparent: wishes.video_to_gif_transparency,
    still: wishes.video_to_gif_optimize_static_bg,
  }
  const { index } = cut.video
  const run = (filter: string, ending: string[], share: readonly [number, number]) =>
    ffmpeg(work, {
      before: before(cut, palette.transparent),
      after: ['-filter_complex', filter, '-map', '[out]', ...ending],
      seconds: secondsOf(cut),
      share,
    })
  const ending = ['-loop', gifLoop(wishes.loop_count_video_to_gif), '-f', 'gif', 'out.gif']
  const known = Number.isFinite(cut.span.end)
  if (known && waiting(cut.shown) <= MOST_WAITING) await run(inOne(index, cut.shown, palette), ending, [0, 100])
  else {
    await run(
      firstLook(index, cut.shown, palette),
      ['-frames:v', '1', '-update', '1', '-f', 'image2', PALETTE],
      [0, 50],
    )
    await run(secondLook(index, cut.shown, palette), ending, [50, 100])
  }
  return [await filled(work, 'out.gif')]
}

async function toWebp(work: Work<typeof webpOptions>): Promise<readonly string[]> {
  const { cut_start: start, cut_end: end, webp_fps: fps, video_custom_width_webp: width, ...wishes } = work.options
  const cut = await cutOf(work, { start, end, fps, width })
  const lossless = wishes.webp_lossless ? ['-lossless', '1'] : ['-lossless', '0', '-quality', String(wishes.quality)]
  await ffmpeg(work, {
    before: before(cut, true),
    after: [
      ...['-map', `0:${cut.video.index}`, '-vf', framesOf(cut.shown), '-c:v', 'libwebp_anim', ...lossless],
      ...['-compression_level', String(wishes.webp_effort), '-loop', String(wishes.animation_loop)],
      ...['-f', 'webp', 'out.webp'],
    ],
    seconds: secondsOf(cut),
  })
  return [await filled(work, 'out.webp')]
}

const usual = { does: 'convert', cost: 2, heavy: true } as const

/** @param from films that are read */
export const animations = (
  from: readonly Ext[],
): readonly [Capability<typeof gifOptions>, Capability<typeof webpOptions>] => [
  { ...usual, from, to: ['gif'], options: gifOptions, run: toGif },
  { ...usual, from, to: ['webp'], options: webpOptions, run: toWebp },
]
