/** The ffmpeg engine's way to make films smaller. What is reached how: compress-film.ts. */
import type { Capability, Work } from '../../catalog/engine.ts'
import type { Ext } from '../../catalog/formats.ts'
import type { OptionSet } from '../../catalog/option.ts'
import { Failure } from '../../core/errors.ts'
import { encoderFor } from './compress-encoders.ts'
import { containerFor, filmOf, make, type Running, reachBytes, type Source, tooSmall } from './compress-film.ts'
import { keepInput, onlySmaller } from './compress-kept.ts'
import { type VideoWishes, videoCompressOptions } from './compress-options.ts'
import { plainRate, resolution, scaledSize, wantedBytes } from './compress-plan.ts'
import { videoOf } from './media.ts'
import { probe } from './probe.ts'

type Job = Running & { options: VideoWishes }

async function sourceOf(work: Job): Promise<Source> {
  const media = await probe(work)
  const video = videoOf(media)
  if (video === null)
    throw new Failure(
      'processing_failed',
      `There is no film in "${work.input.filename}", only sound: it cannot be compressed as one.`,
    )
  const usual = containerFor(work).video?.encoders[0] ?? 'libx264'
  const { video_codec_compress: asked, video_compress_speed = 'medium' } = work.options
  const { encoder, instead } = encoderFor(asked, usual)
  if (instead) work.tell('encoder', encoder)
  if (encoder === 'libsvtav1' && tooSmall(video))
    throw new Failure(
      'processing_failed',
      `The picture of "${work.input.filename}" is too small for AV1, which needs 64 × 64 pixels.`,
    )
  return {
    media,
    video,
    encoder,
    speed: video_compress_speed,
    plain: work.options.isCompatibleWithOldDevices_compress ?? false,
  }
}

async function toBytes(work: Job, source: Source, bytes: number): Promise<string> {
  if (work.input.size <= bytes) return keepInput(work)
  const { name, rung, bytes: made } = await reachBytes(work, source, bytes, work.options.compress_video === 'by_size')
  if (made >= work.input.size) return onlySmaller(work, name)
  const { width, height } = scaledSize(filmOf(source).size, rung.scale)
  if (rung.scale < 1) work.tell('dimensions', `${width}x${height}`)
  if (made > bytes) work.tell('percentage', Math.ceil((made / work.input.size) * 100))
  return name
}

async function compress(work: Job): Promise<readonly string[]> {
  const wishes = work.options
  const bytes = wantedBytes(wishes, work.input.size)
  const source = await sourceOf(work)
  if (bytes !== null) return [await toBytes(work, source, bytes)]
  const { size } = filmOf(source)
  const name = `out.${work.to}`
  await make(work, source, {
    rate: plainRate(source.encoder, wishes),
    size: wishes.compress_video === 'by_resolution' ? resolution(size, wishes) : scaledSize(size, 1),
    sound: { copy: true, bitrate: 0 },
    name,
    share: [0, 99],
    only: true,
  })
  return [await onlySmaller(work, name)]
}

const block = <S extends OptionSet>(
  from: readonly Ext[],
  options: S,
  run: (work: Work<S>) => Promise<readonly string[]>,
): Capability<S> => ({ does: 'compress', from, to: 'same', cost: 1, heavy: true, options, run })

export const compressVideo = [
  block(['mp4', 'mkv'], videoCompressOptions.all, compress),
  block(['mov', 'm4v', 'ts'], videoCompressOptions.broadcast, compress),
  block(['avi', 'flv', '3gp'], videoCompressOptions.h264, compress),
  block(['webm'], videoCompressOptions.web, compress),
] as const
