/**
 * Cuts exactly and writes anew only what lies between a cut and the next key picture; the rest is copied. What comes of it
 * is compared with the original, picture by picture, and is not taken where anything is off: players see no seam.
 */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { putFile, readMade } from '../kit/hop-files.ts'
import type { Container } from './containers.ts'
import type { VideoStream } from './media.ts'
import { ffmpeg } from './run.ts'
import { pictureAgain } from './trim-encode.ts'
import { joining, type Streams } from './trim-graph.ts'
import { lookedEarlier, packetsAround } from './trim-keyframes.ts'
import { type Piece, piecesOf } from './trim-pieces.ts'
import { type Span, seek, total, written } from './trim-ranges.ts'

type Job = Pick<Work, 'does' | 'inputs' | 'input' | 'to' | 'dir' | 'run' | 'progress' | 'tell' | 'limits' | 'signal'>

export interface SmartCut {
  video: VideoStream
  container: Container
  streams: Streams
  spans: readonly Span[]
  /** Arguments that write the sound, and the file. */
  sound: readonly string[]
  ending: readonly string[]
  output: string
}

const JOINABLE = new Set<string>(['mp4', 'm4v', 'mov', 'mkv'])
/** Percent of the work behind it when the result is compared, and when it has to be written anew after all. */
export const TRIED = 75
const LIST = 'parts.txt'
const FIGURES = 'likeness.txt'
/** A picture of another moment is worlds below; one that was coded again is far above. */
const LIKE = 24

const suits = ({ codec, pixelFormat, rotation, vfr, interlaced, fps }: VideoStream): boolean =>
  codec === 'h264' && pixelFormat === 'yuv420p' && rotation === 0 && !vfr && !interlaced && fps !== null

async function plan(work: Job, { video, spans }: SmartCut): Promise<Piece[] | null> {
  const all: Piece[] = []
  for (const span of spans) {
    const packets = await packetsAround(work, video, span)
    const pieces = packets && piecesOf(packets, span)
    if (!pieces) return null
    all.push(...pieces)
  }
  return all.some(({ copy }) => !copy) ? all : null
}

const OURS = ['-protocol_whitelist', 'file', '-format_whitelist', 'concat,mov,matroska', '-f', 'concat']

/** `tried`: there is a result, and it is not to be trusted. */
export async function smartCut(work: Job, cut: SmartCut): Promise<'done' | 'tried' | 'not for this'> {
  const { video, spans } = cut
  if (!JOINABLE.has(work.to) || work.input.format !== work.to || !suits(video)) return 'not for this'
  const pieces = await plan(work, cut)
  if (pieces === null) return 'not for this'
  try {
    await write(work, cut, pieces)
    if (!(await isLike(work, cut, pieces))) return 'tried'
  } catch (error) {
    // It can still be written anew as a whole.
    if (error instanceof Failure && !work.signal.aborted) return 'tried'
    throw error
  }
  const anew = pieces.reduce((sum, { pictures, copy }) => sum + (copy ? 0 : pictures), 0) / (video.fps ?? 25)
  work.progress(100)
  work.tell('copied', true)
  work.tell('encoded_seconds', Math.min(total(spans), Number(anew.toFixed(3))))
  return 'done'
}

async function write(work: Job, cut: SmartCut, pieces: readonly Piece[]): Promise<void> {
  const { video, container, streams, spans, sound, ending } = cut
  const fps = video.fps ?? 25
  const names = pieces.map((_, index) => `piece-${index}.${work.to}`)
  const quiet = { ...work, progress() {} }
  for (const [index, { from, pictures, copy }] of pieces.entries()) {
    // Half a picture to the side where the reader stops at the one that is meant.
    const at = Math.max(0, copy ? from + lookedEarlier(work.to) + 0.5 / fps : from - 0.5 / fps)
    const coded = copy
      ? ['-c:v', 'copy', '-avoid_negative_ts', 'make_zero']
      : ['-vf', 'setpts=PTS-STARTPTS', ...pictureAgain(container, video)]
    await ffmpeg(quiet, {
      before: ['-ss', written(at)],
      after: [
        ...['-map', `0:${video.index}`, ...coded, '-frames:v', String(pictures), '-map_metadata', '-1'],
        ...['-map_chapters', '-1', '-video_track_timescale', '90000', '-f', container.muxer, names[index] ?? ''],
      ],
      seconds: null,
    })
    work.progress(((index + 1) / pieces.length) * (TRIED - 15))
  }
  const lines = pieces.map(({ pictures }, index) => `file '${names[index]}'\nduration ${written(pictures / fps)}\n`)
  await putFile(work, LIST, lines.join(''))
  const { filter, maps } = joining(spans, { ...streams, video: null }, true)
  await ffmpeg(
    { ...quiet, inputs: spans.map(() => work.input) },
    {
      before: (part) => seek(spans[part]),
      after: [
        ...[...OURS, '-i', LIST],
        ...(filter === '' ? [] : ['-filter_complex', filter]),
        ...['-map', `${spans.length}:v:0`, '-c:v', 'copy', ...maps, ...sound, ...ending],
      ],
      seconds: null,
    },
  )
  work.progress(TRIED)
}

/** Every picture beside the one of the original that it should be. */
async function isLike(work: Job, { video, spans, output }: SmartCut, pieces: readonly Piece[]): Promise<boolean> {
  const wanted = pieces.reduce((sum, { pictures }) => sum + pictures, 0)
  const { filter } = joining(spans, { video: video.index, audio: [] }, true)
  // By its number, and by when it is shown: one that comes at the wrong time stands beside another.
  const number = `round((PTS-STARTPTS)*TB*${written(video.fps ?? 25)})`
  const even = (count: string): string => `settb=AVTB,setpts=${count}*40000`
  const graph = `${filter};[v]${even('N')}[was];[${spans.length}:v:0]${even(number)}[is];[is][was]psnr=stats_file=${FIGURES}:shortest=1[out]`
  const { stderr } = await ffmpeg(
    { ...work, progress() {}, inputs: spans.map(() => work.input) },
    {
      before: (part) => seek(spans[part]),
      after: [
        ...['-protocol_whitelist', 'file', '-format_whitelist', 'mov,matroska', '-i', output],
        ...['-filter_complex', graph, '-map', '[out]', '-f', 'null', '-'],
      ],
      seconds: null,
    },
  )
  if (stderr.trim() !== '') return false
  const figures = [...(await readMade(work, FIGURES, 2 ** 28)).matchAll(/psnr_avg:(inf|[\d.]+)/g)]
  return figures.length === wanted && figures.every(([, like]) => like === 'inf' || Number(like) > LIKE)
}
