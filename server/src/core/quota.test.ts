import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type Budget,
  codeOf,
  DAY,
  endOf,
  isCounted,
  keptBy,
  leftOf,
  NOTHING_USED,
  PERIODS,
  type Plan,
  startOf,
  type Terms,
  tightest,
  UNLIMITED,
  type Used,
  untilReached,
  wordsFor,
} from './quota.ts'
import { FILES_KEPT, RECORDS_KEPT } from './task.ts'

const times = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
const minutes = fc.option(fc.integer({ min: 0, max: 600_000 }).map((n) => n / 100))
const seconds = fc.integer({ min: 0, max: 10_000_000 }).map((n) => n / 1000)
const budgets = fc.option(fc.record<Budget>({ minutes: minutes.map((n) => n ?? 1), per: fc.constantFrom(...PERIODS) }))
const termsOf = fc
  .record({ minutesPerDay: minutes, minutesPerMonth: minutes, minutesPerTask: minutes, budget: budgets })
  .map(({ budget, ...limits }): Terms => ({ plan: { ...UNLIMITED, ...limits }, budget }))
const usedOf = fc.record<Used>({
  day: seconds,
  month: seconds,
  key: seconds,
  running: fc.record({ tasks: fc.nat(9), seconds, ofKey: seconds }),
})
const planOf = (limits: Partial<Plan>): Terms => ({ plan: { ...UNLIMITED, ...limits }, budget: null })

describe('days and months', () => {
  test('are those of UTC, and every moment is in exactly one of each', () => {
    fc.assert(
      fc.property(times, fc.constantFrom(...PERIODS), (now, period) => {
        const [start, end] = [startOf(period, now), endOf(period, now)]
        assert.ok(start <= now && now < end)
        assert.equal(startOf(period, start), start)
        assert.equal(startOf(period, end - 1), start)
        assert.equal(startOf(period, end), end)
        assert.match(new Date(start).toISOString(), period === 'day' ? /T00:00:00.000Z$/ : /-01T00:00:00.000Z$/)
        assert.ok(period === 'month' || end - start === DAY)
      }),
    )
  })
})

describe('what is left', () => {
  test('is a limit less what was charged and what runs, the least of them first', () => {
    fc.assert(
      fc.property(termsOf, usedOf, times, (terms, used, now) => {
        const left = leftOf(terms, used, now)
        const { minutesPerDay, minutesPerMonth } = terms.plan
        const expected = new Map([
          ['day', minutesPerDay !== null && minutesPerDay * 60 - used.day - used.running.seconds],
          ['month', minutesPerMonth !== null && minutesPerMonth * 60 - used.month - used.running.seconds],
          ['key', terms.budget !== null && terms.budget.minutes * 60 - used.key - used.running.ofKey],
        ])
        for (const [of, value] of expected) {
          const found = left.find((each) => each.of === of)
          if (value === false) assert.equal(found, undefined)
          else assert.ok(found && Math.abs(found.seconds - value) < 1e-6)
        }
        for (const [index, each] of left.entries()) {
          assert.ok(index === 0 || each.seconds >= left[index - 1]!.seconds)
          assert.ok(each.resetsAt !== null && each.resetsAt > now)
        }
        assert.equal(left.length > 0, isCounted(terms))
      }),
    )
  })

  test('never grows while tasks run, and is all there again after the reset', () => {
    fc.assert(
      fc.property(termsOf, usedOf, seconds, times, (terms, used, more, now) => {
        const later = { ...used, running: { ...used.running, seconds: used.running.seconds + more } }
        const [first] = leftOf(terms, used, now)
        const [then] = leftOf(terms, later, now)
        assert.ok(!first || !then || then.seconds <= first.seconds)
        for (const { of, minutes: all, seconds: left } of leftOf(terms, NOTHING_USED, now))
          assert.equal(left, all * 60, of)
      }),
    )
  })
})

describe('the limit that stops a task', () => {
  test('is the tightest of its own cap and of what is left, with the code of the spec', () => {
    fc.assert(
      fc.property(termsOf, usedOf, seconds, times, (terms, used, run, now) => {
        const found = tightest(terms, used, run, now)
        const { minutesPerTask } = terms.plan
        const bounds = [
          ...leftOf(terms, used, now).map((left) => left.seconds),
          ...(minutesPerTask === null ? [] : [minutesPerTask * 60 - run]),
        ]
        assert.equal(found?.seconds, bounds.length ? Math.min(...bounds) : undefined)
        if (!found) return
        const isCap = found.of === 'task'
        assert.equal(codeOf(found), isCap ? 'out_of_conversion_minutes_per_task' : 'out_of_conversion_minutes')
        assert.equal(found.resetsAt === null, isCap)
      }),
    )
  })

  test('is reached when all that runs has used it up together, and not before', () => {
    fc.assert(
      fc.property(termsOf, usedOf, seconds, times, (terms, used, run, now) => {
        const left = tightest(terms, used, run, now)
        if (!left) return
        const wait = untilReached(left, used.running.tasks)
        assert.ok(wait >= 0 && wait <= Math.max(0, left.seconds))
        if (left.seconds > 0 && left.of !== 'task')
          assert.ok(Math.abs(wait * Math.max(1, used.running.tasks) - left.seconds) < 1e-6)
      }),
    )
  })

  test('is told with how much it is and when it is there again', () => {
    const now = Date.UTC(2030, 5, 15, 12)
    const words = (terms: Terms) => wordsFor(tightest(terms, NOTHING_USED, 0, now)!)
    assert.equal(
      words(planOf({ minutesPerDay: 1 })),
      'The 1 conversion minute of this account for today is used up. It is there again from 2030-06-16T00:00:00.000Z on.',
    )
    assert.equal(
      words(planOf({ minutesPerMonth: 2.5 })),
      'The 2.5 conversion minutes of this account for this month are used up. They are there again from 2030-07-01T00:00:00.000Z on.',
    )
    assert.equal(
      words({ plan: UNLIMITED, budget: { minutes: 3, per: 'day' } }),
      'The 3 conversion minutes of this key are used up. They are there again from 2030-06-16T00:00:00.000Z on.',
    )
    assert.equal(
      words(planOf({ minutesPerTask: 2 })),
      'One task may use 2 conversion minutes; this one would have needed more.',
    )
  })
})

test('a plan keeps files and records shorter than the spec, never longer', () => {
  const hours = fc.option(fc.integer({ min: 1, max: 10_000 }).map((n) => n / 100))
  fc.assert(
    fc.property(hours, hours, (filesHours, recordsHours) => {
      const { files, records } = keptBy({ ...UNLIMITED, filesHours, recordsHours })
      assert.ok(files > 0 && files <= FILES_KEPT && records > 0 && records <= RECORDS_KEPT)
      if (filesHours !== null && filesHours <= 4) assert.equal(files, filesHours * 3_600_000)
    }),
  )
  assert.deepEqual(keptBy(UNLIMITED), { files: FILES_KEPT, records: RECORDS_KEPT })
})
