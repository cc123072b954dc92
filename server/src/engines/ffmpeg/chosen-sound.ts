/** Which sound goes into the result: that of the file, or that of a second one which replaces it. Pure. */
import { Failure } from '../../core/errors.ts'
import { type AudioStream, audioOf, type Media } from './media.ts'
import type { Other, Plan, Target } from './planned.ts'
import type { Wishes } from './wishes.ts'

const fail = (message: string): Failure => new Failure('processing_failed', message)

/** What a player would play of it, and no more than the film is long. */
function replacing({ media, filename }: Other, { start }: Plan['cut']): AudioStream[] {
  const stream = audioOf(media)
  if (stream === null) throw fail(`There is no sound in "${filename}" that could replace the one of the film.`)
  if (media.seconds !== null && start >= media.seconds)
    throw fail(`"${filename}" lasts ${media.seconds.toFixed(2)} s: nothing of its sound is left behind cut_start.`)
  return [stream]
}

/** Of the file: all it can hold, or the one that was chosen. */
function own(media: Media, track: number | undefined, { container, filename }: Target): AudioStream[] {
  if (container.audio === null) return []
  const all = media.streams.filter((stream) => stream.kind === 'audio')
  if (track !== undefined) {
    const one = all[track]
    if (one === undefined) throw fail(`"${filename}" has ${all.length} audio tracks, no track ${track + 1}.`)
    return [one]
  }
  const usual = audioOf(media)
  if (container.audio.most > 1) return all.slice(0, container.audio.most)
  return usual === null ? [] : [usual]
}

export function chosenSound(media: Media, wishes: Wishes, target: Target, cut: Plan['cut']): AudioStream[] {
  if (target.other) return replacing(target.other, cut)
  return wishes.sound === null ? [] : own(media, wishes.track, target)
}

/** Of the second file no more is read than the film is long, and all of it that is there when nobody knows. */
export const otherLength = (film: number | null, { start, length }: Plan['cut']): number | null => {
  const rest = film === null ? null : film - start
  return length === null || rest === null ? (length ?? rest) : Math.min(length, rest)
}
