import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createProgress } from './progress.ts'

const told = (seconds: number | null, share: readonly [number, number], pieces: readonly string[]): number[] => {
  const percents: number[] = []
  const progress = createProgress(seconds, share, (percent) => percents.push(percent))
  for (const piece of pieces) progress.read(piece)
  progress.end()
  return percents
}

describe('the progress of ffmpeg', () => {
  it('is the share of the time that is done, and all only at the end', () =>
    assert.deepEqual(
      told(10, [0, 100], ['out_time_us=2500000\nprogress=continue\nout_time', '_us=10000000\n']),
      [25, 99, 100],
    ))

  it('is a part of the whole in each of two passes', () =>
    assert.deepEqual(
      [told(10, [0, 50], ['out_time_us=5000000\n']), told(10, [50, 100], ['out_time_us=5000000\n'])],
      [
        [25, 50],
        [75, 100],
      ],
    ))

  it('says nothing in between when nobody knows how long it is', () =>
    assert.deepEqual(told(null, [0, 100], ['out_time_us=5000000\n', 'out_time_us=N/A\n']), [100]))

  it('never goes back, whatever is said', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 20_000_000 })), (times) => {
        const percents = told(
          10,
          [0, 100],
          times.map((time) => `out_time_us=${time}\n`),
        )
        assert.ok(percents.every((percent, index) => index === 0 || percent > percents[index - 1]!))
        assert.deepEqual(percents.filter((percent) => percent === 100).length, 1)
      }),
    ))
})
