/** Which parts of the time stay: the options of trimming, read and checked against how long the file lasts. Pure. */
import { option, options } from '../../catalog/option.ts'
import { duration, end, ranges, start } from '../../catalog/vocabulary/image.ts'
import { Failure } from '../../core/errors.ts'
import { type TimeWishes, timeParts } from '../kit/time-parts.ts'

export const trimOptions = options({
  start,
  end,
  duration,
  ranges,
  trim_mode: option.choice(
    { precise: 'Exactly there', fast: 'Where it can be cut without loss' },
    {
      label: 'Cut',
      hint: 'Precise is exact to the frame and writes anew what it must. Fast copies everything as it is: a part begins at the key picture before its start.',
      default: 'precise',
    },
  ),
})

export interface TrimWishes extends TimeWishes {
  readonly trim_mode: 'precise' | 'fast'
}

/** Seconds; what lies at `start` stays, what lies at `end` does not. */
export interface Span {
  start: number
  end: number
}

const inWords = (value: number): string => `${Number(value.toFixed(3))} s`

const refused = (words: string): Failure => new Failure('processing_failed', words)

/** @param lasts null when nobody knows: then an open end is a mistake the file makes, not the caller */
export function spansOf(wishes: TrimWishes, lasts: number | null, filename: string): Span[] {
  return timeParts(wishes).map(({ start: from, end: to }) => {
    if (lasts !== null && from >= lasts)
      throw refused(`The part to keep begins at ${inWords(from)}, but "${filename}" lasts only ${inWords(lasts)}.`)
    if (to !== null && to <= from)
      throw refused(`The part to keep ends at ${inWords(to)}, which is not after its start at ${inWords(from)}.`)
    if (to === null && lasts === null) throw refused(`How long "${filename}" lasts cannot be told: give an end.`)
    return { start: from, end: Math.min(to ?? Number.POSITIVE_INFINITY, lasts ?? Number.POSITIVE_INFINITY) }
  })
}

export const total = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + span.end - span.start, 0)

/** For ffmpeg: never an exponent. */
export const written = (value: number): string => String(Number(value.toFixed(6)))

/** Brings an input to the start of a part, and ends it there. */
export const seek = (span: Span | undefined): string[] =>
  span ? ['-ss', written(span.start), '-t', written(span.end - span.start)] : []
