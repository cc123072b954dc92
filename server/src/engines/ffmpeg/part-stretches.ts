/**
 * Where a film is parted, and whether what came of the parts is the same film. Pure. Parts are never cut from the file:
 * whoever does one reads the whole and keeps the pictures of its stretch, so nothing hangs on what a key picture is good for.
 */

/** Pictures of a film, by when they are shown, counted from the beginning of the file. */
export interface Pictures {
  /** In order. */
  times: readonly number[]
  /** Those of them from which decoding may begin. */
  keys: readonly number[]
}

export interface Stretch {
  /** When its first picture is shown. */
  at: number
  /** When the next one's first is; null for the last. */
  next: number | null
  /** Between the last picture before it and its first: rounding loses none and doubles none. 0 for the first stretch. */
  from: number
  /** The same at its end. */
  to: number | null
}

/** More would hardly be quicker. */
const MOST_PARTS = 500
/** Of fewer, readers cannot tell when they begin. */
const LEAST_PICTURES = 25
/**
 * Seconds behind a key picture. Who looks for a moment behind it begins to decode right there; some readers look this much
 * earlier than they are told.
 */
const BEHIND_KEY = 0.15

/** The first of ascending numbers that is not below. */
function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Stretches of about as many seconds, or some more; none where there would be fewer than two. */
export function stretchesOf({ times, keys }: Pictures, seconds: number): Stretch[] {
  const first = times[0] ?? 0
  const whole = (times.at(-1) ?? 0) - first
  const length = whole / Math.min(MOST_PARTS, Math.floor(whole / seconds))
  const latest = first + whole - length / 2
  const seams: number[] = []
  for (let goal = first + length; goal <= latest; goal += length) {
    const key = keys[firstFrom(keys, Math.max(goal, times[seams.at(-1) ?? 0] ?? 0))]
    const seam = key === undefined ? times.length : firstFrom(times, key + BEHIND_KEY)
    const enough = Math.min(seam - (seams.at(-1) ?? 0), times.length - seam) >= LEAST_PICTURES
    // Where key pictures are far apart, one serves for several goals.
    if (enough && (times[seam] ?? latest + 1) <= latest) seams.push(seam)
  }
  if (seams.length === 0) return []
  const middle = (seam: number): number => ((times[seam - 1] ?? 0) + (times[seam] ?? 0)) / 2
  return [0, ...seams].map((seam, index) => {
    const next = seams[index]
    return {
      at: times[seam] ?? 0,
      next: next === undefined ? null : (times[next] ?? 0),
      from: seam === 0 ? 0 : middle(seam),
      to: next === undefined ? null : middle(next),
    }
  })
}

const meanGap = (times: readonly number[]): number =>
  ((times.at(-1) ?? 0) - (times[0] ?? 0)) / Math.max(1, times.length - 1)

/** Seconds by which a time may be off where milliseconds are all that is known. */
const ROUNDED = 0.002

/** Whether pictures come evenly, so that their times may be rounded to the rate: files of some kinds know milliseconds only. */
export function isSteady(times: readonly number[]): boolean {
  const gap = meanGap(times)
  const near = Math.min(ROUNDED, gap * 0.4)
  return times.every((time, index) => Math.abs(time - (times[0] ?? 0) - index * gap) < near)
}

/** Whether every picture is there, once, and at its time. */
export function isSameFilm(times: readonly number[], made: readonly number[]): boolean {
  const half = meanGap(times) / 2
  const [first = 0, madeFirst = 0] = [times[0], made[0]]
  return (
    times.length === made.length &&
    made.every((time, index) => Math.abs(time - madeFirst - ((times[index] ?? 0) - first)) < half)
  )
}

const microseconds = (seconds: number): number => Math.round(seconds * 1e6)

/** What ffmpeg joins by: names of ours, and how long each part lasts. Sums of what is rounded do not drift. */
export const listOf = (stretches: readonly Stretch[], names: readonly string[]): string =>
  [
    'ffconcat version 1.0',
    ...stretches.flatMap(({ at, next }, index) => [
      `file ${names[index]}`,
      ...(next === null ? [] : [`duration ${microseconds(next) - microseconds(at)}us`]),
    ]),
    '',
  ].join('\n')
