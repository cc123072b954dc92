import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isSameFilm, isSteady, listOf, stretchesOf } from './part-stretches.ts'

const even = (count: number, rate: number): number[] => Array.from({ length: count }, (_, index) => index / rate)
const everyNth = (times: readonly number[], nth: number): number[] => times.filter((_, index) => index % nth === 0)

/** Pictures at uneven times, some of them key pictures. */
const films = fc
  .array(fc.record({ gap: fc.double({ min: 0.001, max: 0.2, noNaN: true }), key: fc.boolean() }), {
    minLength: 2,
    maxLength: 300,
    size: 'max',
  })
  .map((list) => {
    const sum = (count: number): number => list.slice(0, count).reduce((all, { gap }) => all + gap, 0)
    const pictures = list.map(({ key }, index) => ({ time: sum(index + 1), key: key || index === 0 }))
    return { times: pictures.map(({ time }) => time), keys: pictures.flatMap(({ time, key }) => (key ? [time] : [])) }
  })

describe('where a film is parted', () => {
  test('every picture is in one part, whatever its time is rounded to, and none has only a few', () => {
    let parted = 0
    fc.assert(
      fc.property(films, fc.integer({ min: 1, max: 5 }), (film, seconds) => {
        const stretches = stretchesOf(film, seconds)
        if (stretches.length === 0) return
        parted++
        assert.ok(stretches.length > 1)
        for (const time of film.times) {
          const holding = stretches.filter(({ from, to }) => time > from && (to === null || time < to))
          assert.equal(holding.length, 1, `${time} is in ${holding.length} parts`)
        }
        for (const { at, from } of stretches) assert.ok(from < at && film.times.includes(at))
        const pictures = stretches.map(({ at, next }) =>
          film.times.filter((time) => time >= at && (next === null || time < next)),
        )
        assert.ok(pictures.every(({ length }) => length >= 25))
      }),
    )
    assert.ok(parted > 10, 'hardly any was parted')
  })

  test('parts are of about the same length, right behind key pictures', () => {
    const times = even(3000, 25)
    const stretches = stretchesOf({ times, keys: everyNth(times, 50) }, 20)
    assert.deepEqual(
      stretches.map(({ at }) => at),
      [0, 24.16, 48.16, 72.16, 96.16],
    )
    assert.equal(stretches.at(-1)?.to, null)
  })

  test('a film shorter than two parts, or with no key picture in between, stays whole', () => {
    const times = even(500, 25)
    assert.deepEqual(stretchesOf({ times, keys: everyNth(times, 25) }, 11), [])
    assert.deepEqual(stretchesOf({ times, keys: [0] }, 2), [])
    assert.deepEqual(stretchesOf({ times: [], keys: [] }, 2), [])
  })

  test('a very long film has parts that are longer, not more of them', () => {
    const times = even(100_000, 25)
    const count = stretchesOf({ times, keys: everyNth(times, 2) }, 1).length
    assert.ok(count > 400 && count <= 500, `there are ${count}`)
  })
})

describe('the film that came of it', () => {
  const times = even(100, 25)
  test('is the same where the container rounds times, and begins elsewhere', () => {
    assert.ok(
      isSameFilm(
        times,
        times.map((time) => Math.round((time + 0.021) * 1000) / 1000),
      ),
    )
  })
  test('is not with a picture lost, doubled or at another time', () => {
    assert.equal(isSameFilm(times, times.toSpliced(40, 1)), false)
    assert.equal(isSameFilm(times, times.toSpliced(40, 0, 1.6)), false)
    assert.equal(isSameFilm(times, times.toSpliced(40, 1, 1.64)), false)
    assert.equal(isSameFilm(times, times.toSpliced(40, 1).concat(4)), false)
  })
})

test('pictures come evenly when only rounding moves them', () => {
  const milliseconds = even(100, 24000 / 1001).map((time) => Math.round(time * 1000) / 1000)
  assert.ok(isSteady(milliseconds))
  assert.equal(isSteady(milliseconds.toSpliced(40, 1)), false)
  // Two films behind each other, with a little more between them.
  const twice = milliseconds.concat(milliseconds.map((time) => time + milliseconds.at(-1)! + 0.052))
  assert.equal(isSteady(twice), false)
})

test('lengths in the list add up to the time of each part, however they are rounded', () => {
  const times = even(1000, 24000 / 1001)
  const stretches = stretchesOf({ times, keys: everyNth(times, 7) }, 3)
  const list = listOf(
    stretches,
    stretches.map((_, index) => `part-${index}`),
  )
  const lengths = [...list.matchAll(/^duration (\d+)us$/gm)].map(([, length]) => Number(length))
  assert.equal(lengths.length, stretches.length - 1)
  const sum = lengths.reduce((all, length) => all + length, 0)
  assert.equal(sum, Math.round((stretches.at(-1)?.at ?? 0) * 1e6))
})
