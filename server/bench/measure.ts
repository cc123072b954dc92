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

/**
 * Two things measured in turns, so that whatever else the machine does falls on both alike. Answers the turn with the
 * middle ratio among those in which others used the processors least.
 */
export async function inTurns(
  rounds: number,
  one: () => Promise<Summary>,
  other: () => Promise<Summary>,
): Promise<Turn> {
  const turns: Turn[] = []
  for (let round = 0; round < rounds; round++) turns.push({ one: await counted(one), other: await counted(other) })
  const disturbed = (turn: Turn): number => turn.one.others + turn.other.others
  const quiet = turns.sort((a, b) => disturbed(a) - disturbed(b)).slice(0, Math.ceil(rounds / 4))
  const ratio = (turn: Turn): number => turn.other.p50 / turn.one.p50
  return quiet.sort((a, b) => ratio(a) - ratio(b))[Math.floor(quiet.length / 2)]!
}

/**
 * The fastest of each, in turns: for long work that is the same every time, and where a machine that others use as well is
 * slower by a tenth at one moment than at another. Whatever makes such work slower than its fastest comes from outside.
 */
export async function fastestInTurns(
  rounds: number,
  one: () => Promise<Summary>,
  other: () => Promise<Summary>,
): Promise<{ one: Summary; other: Summary }> {
  const turns: { one: Summary; other: Summary }[] = []
  for (let round = 0; round < rounds; round++) turns.push({ one: await one(), other: await other() })
  const fastest = (list: Summary[]): Summary => list.reduce((best, each) => (each.p50 < best.p50 ? each : best))
  return { one: fastest(turns.map((turn) => turn.one)), other: fastest(turns.map((turn) => turn.other)) }
}

/** With the processors' time that it took us and others. */
export async function counted(work: () => Promise<Summary>): Promise<Summary & Used> {
  const used = processorTime()
  const summary = await work()
  return { ...summary, ...used() }
}
