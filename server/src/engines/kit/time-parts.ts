/** Which parts of the time a caller wants to keep: the options of trimming, read. Pure. */
import { Failure } from '../../core/errors.ts'

const MOST_PARTS = 50

export interface TimeWishes {
  readonly start: number
  readonly end: number | undefined
  readonly duration: number | undefined
  readonly ranges: string | undefined
}

/** Seconds; null goes on to the end, wherever that is. */
export interface TimePart {
  start: number
  end: number | null
}

const seconds = (time: string): number =>
  time
    .trim()
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)

const refused = (words: string): Failure => new Failure('processing_failed', words)

/** In the order in which they are wanted. */
export function timeParts({ start, end, duration, ranges }: TimeWishes): TimePart[] {
  if (ranges === undefined) return [{ start, end: end ?? (duration === undefined ? null : start + duration) }]
  if (start > 0 || end !== undefined || duration !== undefined)
    throw refused('ranges says which parts to keep: start, end and duration cannot be given beside it.')
  const parts = ranges.split(',').map((range) => {
    const [first = '', last = ''] = range.split('-')
    return { start: seconds(first), end: last.trim() === '' ? null : seconds(last) }
  })
  if (parts.length > MOST_PARTS)
    throw refused(`ranges names ${parts.length} parts; at most ${MOST_PARTS} can be joined.`)
  return parts
}
