/** Timing and its summary. Knows nothing of what is timed. */

export interface Summary {
  p50: number
  p99: number
  /** How many a second, over all. */
  rate: number
}

export function summarize(times: readonly number[], took: number): Summary {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), rate: (times.length * 1000) / took }
}

/** Does `work` that many times, so many at once, and says how long each took, in milliseconds. */
export async function measure(
  times: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<Summary> {
  const took: number[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < times; index = next++) {
      const start = performance.now()
      await work(index)
      took.push(performance.now() - start)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: atOnce }, lane))
  return summarize(took, performance.now() - start)
}

/**
 * Two things measured in turns, so that whatever else the machine does falls on both alike. The best round of each
 * counts: others can only take time away.
 */
export async function inTurns<A, B>(
  rounds: number,
  one: () => Promise<A>,
  other: () => Promise<B>,
  better: { one(a: A, b: A): boolean; other(a: B, b: B): boolean },
): Promise<{ one: A; other: B }> {
  let best = { one: await one(), other: await other() }
  for (let round = 1; round < rounds; round++) {
    const now = { one: await one(), other: await other() }
    best = {
      one: better.one(now.one, best.one) ? now.one : best.one,
      other: better.other(now.other, best.other) ? now.other : best.other,
    }
  }
  return best
}

export const quicker = (a: Summary, b: Summary): boolean => a.p50 < b.p50
export const busier = (a: Summary, b: Summary): boolean => a.rate > b.rate
