/** The ffmpeg engine's way to make sound smaller: by its bitrate, or until it has a size. */
import type { Capability, Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { removeMade } from '../kit/hop-files.ts'
import { sizeOf } from '../kit/reach.ts'
import { keepInput, onlySmaller } from './compress-kept.ts'
import { land } from './compress-landing.ts'
import { audioCompressOptions } from './compress-options.ts'
import { unreachable } from './compress-plan.ts'
import { sampled, smoothArgs, type Voice, voices } from './compress-sound-args.ts'
import { type Container, containerOf, isWritable } from './containers.ts'
import { AUDIO_ENCODERS, type AudioEncoder, audioArgs, isLossless } from './encoders.ts'
import { type AudioStream, audioOf, coverOf, type Media } from './media.ts'
import { probe } from './probe.ts'
import { ffmpeg } from './run.ts'

type Job = Work<typeof audioCompressOptions>

interface Source {
  media: Media
  audio: AudioStream
  container: Container
  encoder: AudioEncoder
}

async function make(
  work: Job,
  source: Source,
  coded: string[],
  voice: Voice,
  name: string,
  share: readonly [number, number],
) {
  const { media, audio, container, encoder } = source
  const cover = container.cover && voice.cover ? coverOf(media) : null
  await ffmpeg(work, {
    after: [
      ...['-map', `0:${audio.index}`, ...coded, ...sampled(encoder, voice)],
      ...(voice.channels === null ? [] : ['-ac', String(voice.channels)]),
      ...(cover ? ['-map', `0:${cover.index}`, '-c:v', 'copy', '-disposition:v:0', 'attached_pic'] : []),
      ...[...container.flags, '-f', container.muxer, name],
    ],
    seconds: media.seconds,
    share,
  })
}

async function reach(work: Job, source: Source, bytes: number): Promise<string> {
  const { media, audio, encoder } = source
  const seconds = media.seconds ?? 0
  if (seconds <= 0)
    throw new Failure(
      'processing_failed',
      `How long "${work.input.filename}" lasts cannot be told: no size can be aimed at.`,
    )
  let [attempts, at, smallest] = [0, 0, Number.POSITIVE_INFINITY]
  for (const voice of voices((bytes * 8) / seconds, audio)) {
    const kept: { name: string; bytes: number }[] = []
    const aim = { bytes, seconds, fixed: 800, least: 4000, most: 500_000 }
    const landed = await land(aim, async (rate) => {
      const made = { name: `try-${attempts++}.${work.to}`, bytes: 0 }
      const share = [at, at + (99 - at) * 0.5] as const
      at = share[1]
      await make(work, source, smoothArgs(encoder, rate, voice.channels ?? audio.channels), voice, made.name, share)
      made.bytes = await sizeOf(work, made.name)
      smallest = Math.min(smallest, made.bytes)
      const [best] = kept
      const worse = made.bytes > bytes || made.bytes < (best?.bytes ?? 0) ? made : best
      if (worse) await removeMade(work, worse.name)
      if (worse !== made) kept.splice(0, 1, made)
      return made.bytes
    })
    const [best] = kept
    if (landed.end !== 'missed' && best) return best.name
  }
  throw unreachable(work.input.filename, bytes, smallest)
}

function wanted({ compress_audio: method, audio_compress_max_filesize: size }: Job['options']): number | undefined {
  if (method === 'by_size' && size === undefined)
    throw new Failure('processing_failed', 'compress_audio is by_size, but audio_compress_max_filesize gives no size.')
  return size
}

async function compress(work: Job): Promise<readonly string[]> {
  const bytes = wanted(work.options)
  if (!isWritable(work.to)) throw new Failure('processing_failed', `Sound cannot be written as ${work.to}.`)
  const container = containerOf(work.to)
  const media = await probe(work)
  const audio = audioOf(media)
  const lossy = (container.audio?.encoders ?? []).filter((name) => !isLossless(name))
  const encoder = lossy.find((name) => AUDIO_ENCODERS[name].codec === audio?.codec) ?? lossy[0]
  if (audio === null || encoder === undefined)
    throw new Failure('processing_failed', `There is no sound in "${work.input.filename}".`)
  const source = { media, audio, container, encoder }
  if (bytes !== undefined) {
    if (work.input.size <= bytes) return [await keepInput(work)]
    return [await onlySmaller(work, await reach(work, source, bytes))]
  }
  const output = `out.${work.to}`
  const bitrate = work.options.audio_compress_bitrate * 1000
  const whole = { channels: null, sampleRate: null, cover: true }
  await make(work, source, audioArgs(encoder, { bitrate, channels: audio.channels }), whole, output, [0, 99])
  return [await onlySmaller(work, output)]
}

export const compressSound: Capability<typeof audioCompressOptions> = {
  does: 'compress',
  from: ['mp3', 'm4a', 'm4b', 'm4r', 'aac', 'ogg', 'oga', 'opus', 'wma', 'mka'],
  to: 'same',
  cost: 1,
  heavy: true,
  options: audioCompressOptions,
  run: compress,
}
