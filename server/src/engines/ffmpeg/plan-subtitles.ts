/** What becomes of subtitles: tracks of the result, part of its picture, or nothing. Pure. */
import { Failure } from '../../core/errors.ts'
import type { Media, SubtitleStream } from './media.ts'
import type { Plan, SubtitlePart, Target } from './planned.ts'
import type { Wishes } from './wishes.ts'

/** What text is drawn from. */
export const BURNT = 'burn.ass'

const CODEC = { srt: 'subrip', webvtt: 'webvtt', ass: 'ass' } as const
const WRITTEN = new Set([
  'subrip',
  'srt',
  'ass',
  'ssa',
  'webvtt',
  'mov_text',
  'text',
  'microdvd',
  'sami',
  'stl',
  'eia_608',
])

export const subtitlesOf = ({ streams }: Media): SubtitleStream[] => streams.filter((each) => each.kind === 'subtitle')

const asPart = (from: SubtitlePart['from'], codec: string, { container }: Target): SubtitlePart | null => {
  const { subtitles } = container
  if (subtitles === null) return null
  if (subtitles.copies.includes(codec)) return { from, encoder: 'copy' }
  return WRITTEN.has(codec) && subtitles.encoder !== '' ? { from, encoder: subtitles.encoder } : null
}

function tracks(media: Media, target: Target): { subtitles: SubtitlePart[]; dropped: boolean } {
  const parts = subtitlesOf(media).map(({ index, codec }) => asPart(index, codec, target))
  const { added, ext } = target
  const extra = added && asPart('added', CODEC[added.demuxer], target)
  if (added !== null && extra === null)
    throw new Failure('processing_failed', `${ext} has no subtitle tracks. With subtitle_mode hard they are burnt in.`)
  const subtitles = [...parts, extra].filter((part) => part !== null)
  return { subtitles, dropped: parts.includes(null) }
}

/** The one to draw: what was added, else the track that was chosen. */
export function burnt(media: Media, { subtitleTrack }: Wishes, { added, filename }: Target): Plan['burn'] {
  if (added !== null) return { text: BURNT }
  const all = subtitlesOf(media)
  const one = all[subtitleTrack]
  if (one !== undefined) return one.pictures ? { pictures: one.index } : { text: BURNT }
  throw new Failure(
    'processing_failed',
    all.length === 0
      ? `There are no subtitles in "${filename}" to burn in.`
      : `"${filename}" has ${all.length} subtitle tracks, no track ${subtitleTrack + 1}.`,
  )
}

export function planSubtitles(
  media: Media,
  wishes: Wishes,
  target: Target,
): { subtitles: SubtitlePart[]; burn: Plan['burn']; dropped: boolean } {
  if (target.container.video === null || wishes.subtitles === 'none')
    return { subtitles: [], burn: null, dropped: false }
  if (wishes.subtitles === 'hard') return { subtitles: [], burn: burnt(media, wishes, target), dropped: false }
  // A track cannot be turned round.
  if (wishes.picture.reverse)
    return { subtitles: [], burn: null, dropped: subtitlesOf(media).length > 0 || target.added !== null }
  return { burn: null, ...tracks(media, target) }
}
