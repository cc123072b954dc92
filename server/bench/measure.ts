/** Timing and its summary. Knows nothing of what is timed. */
import { processorTime, type Used } from './processor.ts'

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

export interface Turn {
  one: Summary & Used
  other: Summary & Used
}

/** What others may take of the processors while something is measured: the kernel's own threads are others as well. */
const QUIET = 0.05
/** So many turns are tried for one that is wanted. */
const PATIENCE = 3

/**
 * Two things measured in turns, each measure of the other held against those of the one just before and after it: a machine
 * that is not alone in its house is faster by a quarter at one moment than at another. A turn in which others took the
 * processors is tried again, and where none is quiet the quietest count. Answers the turn with the middle ratio.
 */
export async function inTurns(
  rounds: number,
  one: () => Promise<Summary>,
  other: () => Promise<Summary>,
  by: 'p50' | 'rate' = 'p50',
): Promise<Turn> {
  const turns: (Turn & { taken: number })[] = []
  let before = await counted(one)
  for (let tries = 0; tries < PATIENCE * rounds && quietOf(turns) < rounds; tries++) {
    const second = await counted(other)
    const after = await counted(one)
    turns.push({ one: between(before, after), other: second, taken: Math.max(...[before, second, after].map(taken)) })
    before = after
  }
  const ratio = (turn: Turn): number => turn.other[by] / turn.one[by]
  const best = turns.toSorted((a, b) => a.taken - b.taken).slice(0, rounds)
  return best.sort((a, b) => ratio(a) - ratio(b))[Math.floor(best.length / 2)]!
}

const taken = ({ ours, others }: Used): number => others / (ours + others)
const quietOf = (turns: readonly { taken: number }[]): number => turns.filter(({ taken }) => taken < QUIET).length

const between = (before: Summary & Used, after: Summary & Used): Summary & Used => ({
  p50: (before.p50 + after.p50) / 2,
  p99: (before.p99 + after.p99) / 2,
  rate: (before.rate + after.rate) / 2,
  ours: (before.ours + after.ours) / 2,
  others: (before.others + after.others) / 2,
})

/** With the processors' time that it took us and others. */
export async function counted(work: () => Promise<Summary>): Promise<Summary & Used> {
  const used = processorTime()
  const summary = await work()
  return { ...summary, ...used() }
}
