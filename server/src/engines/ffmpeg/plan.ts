/**
 * Decides what becomes of each stream: "streams that fit the target container are copied; only what must change is
 * encoded". Pure: from what is in the file and what is wished to a plan, or to a reason why not.
 */
import { Failure } from '../../core/errors.ts'
import { chosenSound, otherLength } from './chosen-sound.ts'
import { type AnyVideoEncoder, isHardware } from './encoders.ts'
import { coverOf, type Media, videoOf } from './media.ts'
import { planPicture } from './plan-picture.ts'
import { planSound } from './plan-sound.ts'
import { planSubtitles } from './plan-subtitles.ts'
import type { Plan, Target } from './planned.ts'
import type { Wishes } from './wishes.ts'

const fail = (message: string): Failure => new Failure('processing_failed', message)

function planCut({ cut }: Wishes, media: Media, filename: string): Plan['cut'] {
  const { start, end } = cut
  if (end !== undefined && end <= start) throw fail('cut_end must be later than cut_start.')
  if (media.seconds !== null && start >= media.seconds)
    throw fail(`cut_start is behind the end of "${filename}", which lasts ${media.seconds.toFixed(2)} s.`)
  return { start, length: end === undefined ? null : end - start }
}

function lasting({ start, length }: Plan['cut'], media: Media, tempo: number): number | null {
  const whole = media.seconds === null ? null : media.seconds - start
  const kept = length === null ? whole : whole === null ? length : Math.min(length, whole)
  return kept === null ? null : kept / tempo
}

const PICTURE_OF_RECORD = new Set(['mjpeg', 'png'])

function planCover(media: Media, { container }: Target, strip: boolean): Plan['cover'] {
  const cover = strip || !container.cover ? null : coverOf(media)
  return cover && { stream: cover, copy: PICTURE_OF_RECORD.has(cover.codec) }
}

/** Where a sound ends that may be shorter than its film. */
const soonest = (film: number | null, other: Target['other'], { start }: Plan['cut'], tempo: number): number | null => {
  const seconds = other?.media.seconds ?? null
  return seconds === null || film === null ? film : Math.min(film, (seconds - start) / tempo)
}

/** Fonts of subtitles and the like; only Matroska has a place for them. */
const attachments = ({ streams }: Media): number[] =>
  streams.filter((stream) => stream.kind === 'other' && stream.attached).map(({ index }) => index)

/**
 * What comes out wrong when it is only moved, by the reader and the writer: pictures without times of their own, or a length
 * that nobody writes down. `true` is every writer.
 */
const NEVER_MOVED: Readonly<Record<string, true | readonly string[]>> = {
  swf: true,
  rm: true,
  mpegvideo: ['mpeg', 'vob'],
  ogg: ['flac'],
}

function canMove({ container: reader }: Media, { muxer }: Target['container']): boolean {
  const writers = NEVER_MOVED[reader] ?? []
  return writers !== true && !writers.includes(muxer)
}

/** Old RealAudio gives every packet the time 0: where there is no picture to keep up with, the samples tell the time. */
const countsSamples = (media: Media): boolean => media.container === 'rm' && videoOf(media) === null

const encoderFor = ({ encoder }: Wishes['picture'], { present }: Target): 'auto' | 'copy' | AnyVideoEncoder =>
  isHardware(encoder) && present !== null ? present : encoder

export function plan(media: Media, wishes: Wishes, target: Target): Plan {
  const { container, filename } = target
  const cut = planCut(wishes, media, filename)
  const seconds = lasting(cut, media, wishes.tempo)
  const film = container.video === null ? null : videoOf(media)
  if (container.video !== null && film === null && (!container.soundOnly || target.other))
    throw fail(`There is no moving picture in "${filename}". Choose an audio format for its sound.`)
  const chosen = chosenSound(media, wishes, target, cut)
  if (film === null && chosen.length === 0) throw fail(`There is no sound in "${filename}".`)
  const { subtitles, burn, dropped } = planSubtitles(media, wishes, target)
  const tempo = wishes.tempo
  const copying = cut.start === 0 && tempo === 1 && target.neverCopy !== true && canMove(media, container)
  const picture =
    film &&
    planPicture(film, { ...wishes.picture, encoder: encoderFor(wishes.picture, target) }, target, {
      mayCopy: copying && burn === null,
      mustEncode: tempo !== 1 || burn !== null,
      burn: burn !== null && 'text' in burn ? burn.text : null,
      tempo,
      seconds,
    })
  const other = target.other ? { seconds: otherLength(film?.seconds ?? media.seconds, cut) } : null
  const sound = chosen.map((stream) =>
    planSound(stream, wishes, container, {
      ...{ filename, ext: target.ext, mayCopy: copying, counted: countsSamples(target.other?.media ?? media) },
      seconds: other && !wishes.picture.reverse ? soonest(seconds, target.other, cut, tempo) : seconds,
    }),
  )
  const cover = planCover(media, target, wishes.strip)
  const lost = coverOf(media) !== null && cover === null && !wishes.strip
  return {
    ...{ container, ext: target.ext, cut, seconds, picture, sound, subtitles, burn, cover },
    attached: wishes.strip || container.muxer !== 'matroska' ? [] : attachments(media),
    added: target.added,
    other,
    strip: wishes.strip,
    chapters: !wishes.picture.reverse,
    leftOut: [...(dropped ? ['subtitles'] : []), ...(lost ? ['cover'] : [])],
  }
}

/** Whether anything in it is taken over as it is. */
export const copies = ({ picture, sound }: Plan): boolean => picture?.copy === true || sound.some(({ copy }) => copy)
