/** The ffmpeg engine's way to keep parts of films and sound: exact to the frame, or as quick as copying. */
import type { Capability, Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { putFile } from '../kit/hop-files.ts'
import { tool } from '../kit/tool.ts'
import { keepInput } from './compress-kept.ts'
import { AUDIO_OUT, type Container, containerOf, isWritable, VIDEO_OUT } from './containers.ts'
import { isLossless } from './encoders.ts'
import { explain } from './explain.ts'
import { audioOf, coverOf, type Media, videoOf } from './media.ts'
import { probe } from './probe.ts'
import { FFMPEG, ffmpeg } from './run.ts'
import { pictureAgain, soundAgain } from './trim-encode.ts'
import { joining, listOf, mapped, type Streams } from './trim-graph.ts'
import { copyable, keyBefore, lookedEarlier } from './trim-keyframes.ts'
import { type Span, seek, spansOf, total, trimOptions, written } from './trim-ranges.ts'
import { smartCut, TRIED } from './trim-smart.ts'

type Job = Work<typeof trimOptions>

interface Trimming {
  media: Media
  container: Container
  streams: Streams
  spans: readonly Span[]
  output: string
}

/** Files in which ffmpeg finds a place exactly; in others it is decoded from the beginning. */
const SEEKS = new Set<string>(['mp4', 'm4v', 'mov', '3gp', 'mkv', 'webm'])

/** In these it finds only later ones: they are read from the beginning. */
const LOST = new Set<string>(['ts'])
/** Of these it copies parts with half their pictures missing. */
const TORN = new Set<string>(['mpg'])

/** The film or the sound that can be in such a file. */
function streamsOf(media: Media, container: Container): Streams {
  const video = container.video ? videoOf(media) : null
  const all = media.streams.filter((stream) => stream.kind === 'audio')
  const main = container.audio?.most === 1 ? audioOf(media) : null
  const sounds = container.audio ? (main ? [main] : all) : []
  const audio = sounds.map(({ index, layout, channels }) => ({
    index,
    layout: layout === '' || layout === 'unknown' ? (LAYOUTS[channels] ?? null) : null,
  }))
  return { video: video?.index ?? null, audio }
}
/** What so many channels usually are. */
const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' }

const ending = ({ container, output }: Trimming): string[] => [...container.flags, '-f', container.muxer, output]

/** The picture of a record stays with it. */
function coverArgs({ media, container, streams }: Trimming): string[] {
  const cover = streams.video === null && container.cover ? coverOf(media) : null
  return cover ? ['-map', `0:${cover.index}`, '-c:v', 'copy', '-disposition:v:0', 'attached_pic'] : []
}

/** Where a copy of a part begins, and how ffmpeg is brought there. */
interface Start {
  at: number
  before: string[]
  after: string[]
}

/** @param exact the part begins with a key picture */
async function startOf(work: Job, { media, streams }: Trimming, span: Span, exact: boolean): Promise<Start> {
  const video = streams.video === null ? null : videoOf(media)
  // Every packet of sound is a key: those before the start are not wanted.
  if (video === null) return { at: span.start, before: ['-ss', written(span.start)], after: ['-copypriorss', '0'] }
  if (!LOST.has(work.input.format)) {
    const late = exact ? lookedEarlier(work.input.format) : 0
    return { at: span.start + late, before: ['-ss', written(span.start + late)], after: [] }
  }
  const at = await keyBefore(work, video, span.start)
  // Packets come up to three pictures before they are shown.
  const close = Math.max(0, at - 3.5 / (video.fps ?? 25))
  return { at, before: [], after: ['-ss', written(close)] }
}

/** As it is, from the key picture before the start. */
async function copied(work: Job, trimming: Trimming, span: Span, share: readonly [number, number], packets?: number) {
  const { at, before, after } = await startOf(work, trimming, span, packets !== undefined)
  await ffmpeg(work, {
    before,
    after: [
      ...[...after, '-t', written(span.end - at), ...mapped(trimming.streams), ...coverArgs(trimming), '-c', 'copy'],
      ...(packets === undefined ? [] : ['-frames:v', String(packets)]),
      ...['-avoid_negative_ts', 'make_zero', ...ending(trimming)],
    ],
    seconds: span.end - span.start,
    share,
  })
}

async function fast(work: Job, trimming: Trimming): Promise<void> {
  const { spans, output, container } = trimming
  const [only] = spans
  if (spans.length === 1 && only) return copied(work, trimming, only, [0, 100])
  // The joiner does not find the picture in parts without an index.
  const passing = LOST.has(work.to) ? containerOf('mkv') : container
  const names = spans.map((_, part) => `part-${part}.${LOST.has(work.to) ? 'mkv' : work.to}`)
  for (const [part, span] of spans.entries()) {
    const share = [(part * 90) / spans.length, ((part + 1) * 90) / spans.length] as const
    await copied(work, { ...trimming, container: passing, output: names[part] ?? output }, span, share)
  }
  await putFile(work, 'parts.txt', listOf(names))
  await tool(work, {
    program: FFMPEG,
    args: () => [
      ...['-v', 'error', '-nostdin', '-y', '-protocol_whitelist', 'file', '-f', 'concat', '-i', 'parts.txt'],
      ...['-map', '0', '-c', 'copy', ...container.flags, '-f', container.muxer, output],
    ],
    limits: { wall: 3_600_000, cpu: 3600, file: 2 ** 36, disk: 2 ** 37, addressSpace: null },
    explain: (words) => explain(words, work.input.filename),
  })
}

async function precise(work: Job, trimming: Trimming): Promise<void> {
  const { media, container, streams, spans } = trimming
  const video = streams.video === null ? null : videoOf(media)
  const [only] = spans
  if (video && only && spans.length === 1 && media.seconds !== null && SEEKS.has(work.input.format)) {
    const packets = await copyable(work, video, only, media.seconds)
    if (packets !== null) {
      work.tell('copied', true)
      return copied(work, trimming, only, [0, 100], packets)
    }
  }
  const sound = soundAgain(container, audioOf(media))
  const smart = video && (await smartCut(work, { ...trimming, video, sound, ending: ending(trimming) }))
  if (smart === 'done') return
  const moved = video !== null && SEEKS.has(work.input.format)
  const { filter, maps } = joining(spans, streams, moved)
  const encoded = [...(video ? pictureAgain(container, video) : []), ...sound]
  await ffmpeg(
    { ...work, inputs: spans.map(() => work.input) },
    {
      before: (part) => (moved ? seek(spans[part]) : []),
      after: ['-filter_complex', filter, ...maps, ...coverArgs(trimming), ...encoded, ...ending(trimming)],
      seconds: total(spans),
      share: [smart === 'tried' ? TRIED : 0, 100],
    },
  )
}

async function trim(work: Job): Promise<readonly string[]> {
  if (!isWritable(work.to)) throw new Failure('processing_failed', `Nothing can be cut as ${work.to}.`)
  const container = containerOf(work.to)
  const media = await probe(work)
  const spans = spansOf(work.options, media.seconds, work.input.filename)
  const [only] = spans
  if (spans.length === 1 && only?.start === 0 && only.end >= (media.seconds ?? Number.POSITIVE_INFINITY))
    return [await keepInput(work)]
  const output = `out.${work.to}`
  const trimming = { media, container, spans, output, streams: streamsOf(media, container) }
  // Without loss a copy gains nothing, and headers would go on telling the old length.
  const lossless = container.video === null && container.audio !== null && isLossless(container.audio.encoders[0])
  const copies = work.options.trim_mode === 'fast' && !lossless && !TORN.has(work.to)
  if (!copies && work.options.trim_mode === 'fast') work.tell('trim_mode', 'precise')
  await (copies ? fast(work, trimming) : precise(work, trimming))
  return [output]
}

const block = (from: Capability['from'], heavy: boolean): Capability<typeof trimOptions> => ({
  does: 'trim',
  from,
  to: 'same',
  cost: 1,
  ...(heavy && { heavy: true as const }),
  options: trimOptions,
  run: trim,
})

export const trimMedia = [block(VIDEO_OUT, true), block(AUDIO_OUT, false)] as const
