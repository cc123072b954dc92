/** Subtitles: out of a film, as files of their own, and from one kind of file to another. */
import type { Capability, Work } from '../../catalog/engine.ts'
import type { Ext } from '../../catalog/formats.ts'
import { options } from '../../catalog/option.ts'
import * as video from '../../catalog/vocabulary/video.ts'
import { Failure } from '../../core/errors.ts'
import { subtitlesOf } from './plan-subtitles.ts'
import { probe } from './probe.ts'
import { ffmpeg } from './run.ts'

const declared = options({ subtitle_track: video.subtitle_source })

const WRITERS = { srt: 'srt', vtt: 'webvtt', ass: 'ass' } as const
const isWritten = (ext: Ext): ext is keyof typeof WRITERS => Object.hasOwn(WRITERS, ext)

async function extract(work: Work<typeof declared>): Promise<readonly string[]> {
  const { to, input, options: wishes } = work
  if (!isWritten(to)) throw new Failure('processing_failed', `${to} is no format of subtitles.`)
  const media = await probe(work)
  const all = subtitlesOf(media)
  const written = all.filter(({ pictures }) => !pictures)
  if (all.length === 0) throw new Failure('processing_failed', `There are no subtitles in "${input.filename}".`)
  const chosen =
    wishes.subtitle_track === undefined ? written : all.slice(wishes.subtitle_track - 1, wishes.subtitle_track)
  if (wishes.subtitle_track !== undefined && chosen.length === 0)
    throw new Failure('processing_failed', `"${input.filename}" has only ${all.length} subtitle tracks.`)
  if (chosen.length === 0 || chosen.some(({ pictures }) => pictures))
    throw new Failure('processing_failed', `The subtitles of "${input.filename}" are pictures, not text.`)
  const names = chosen.map((_, index) => `track-${String(index + 1).padStart(2, '0')}.${to}`)
  const outputs = chosen.flatMap(({ index }, at) => ['-map', `0:${index}`, '-f', WRITERS[to], `file:${names[at]}`])
  await ffmpeg(work, { after: outputs, seconds: media.seconds })
  return names
}

export const subtitles = (from: readonly Ext[]): Capability<typeof declared> => ({
  ...{ does: 'convert', from, to: ['srt', 'vtt', 'ass'], cost: 2, terminal: true, options: declared },
  run: extract,
})

const files = options({ subtitle_charset: video.subtitle_charset })

async function rewrite(work: Work<typeof files>): Promise<readonly string[]> {
  const { to, options: wishes } = work
  if (!isWritten(to)) throw new Failure('processing_failed', `${to} is no format of subtitles.`)
  await probe(work)
  const charset = wishes.subtitle_charset === 'utf-8' ? [] : ['-sub_charenc', wishes.subtitle_charset]
  await ffmpeg(work, { before: charset, after: ['-map', '0:0', '-f', WRITERS[to], `file:out.${to}`], seconds: null })
  return [`out.${to}`]
}

const KINDS = ['srt', 'vtt', 'ass'] as const

/** From each of them to the others. */
export const subtitleFiles: readonly Capability<typeof files>[] = KINDS.map((to) => ({
  ...{ does: 'convert', from: KINDS.filter((kind) => kind !== to), to: [to], cost: 1, options: files },
  run: rewrite,
}))
