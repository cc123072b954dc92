/**
 * Plans, budgets of keys, and what they leave: pure arithmetic. Minutes are what people set, seconds what is metered;
 * days and months are those of UTC. Null means no limit everywhere.
 */
import type { TaskErrorCode } from './errors.ts'
import { FILES_KEPT, HOUR, RECORDS_KEPT } from './task.ts'

export interface Plan {
  name: string
  minutesPerDay: number | null
  minutesPerMonth: number | null
  minutesPerTask: number | null
  /** Tasks that run at once. */
  concurrency: number | null
  /** Bytes. */
  maxFileSize: number | null
  /** Requests a minute of each key. */
  ratePerMinute: number | null
  /** Hours that files and records are kept; never longer than without a plan. */
  filesHours: number | null
  recordsHours: number | null
}

/** What everybody has who was given nothing else. */
export const UNLIMITED: Plan = {
  name: 'unlimited',
  minutesPerDay: null,
  minutesPerMonth: null,
  minutesPerTask: null,
  concurrency: null,
  maxFileSize: null,
  ratePerMinute: null,
  filesHours: null,
  recordsHours: null,
}
export const GUEST_PLAN = 'guest'
/** The service itself hands these out. */
export const BUILT_IN: readonly string[] = [UNLIMITED.name, GUEST_PLAN]

export const PERIODS = ['day', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** What one key may use of its user's minutes. */
export interface Budget {
  minutes: number
  per: Period
}

/** What holds for the tasks of a user, created with one key. */
export interface Terms {
  plan: Plan
  budget: Budget | null
}

/** Seconds: what has been charged, and what those tasks have used so far that run now. */
export interface Used {
  day: number
  month: number
  /** Of the key, in the period of its budget. */
  key: number
  running: { tasks: number; seconds: number; ofKey: number }
}

export const NOTHING_USED: Used = { day: 0, month: 0, key: 0, running: { tasks: 0, seconds: 0, ofKey: 0 } }

/** One limit and what is left of it. */
export interface Left {
  of: Period | 'key' | 'task'
  minutes: number
  /** May be below zero: a running task is stopped a moment too late. */
  seconds: number
  /** When all of it is there again; null for the cap of one task. */
  resetsAt: number | null
}

export const DAY = 24 * HOUR

export function startOf(period: Period, now: number): number {
  if (period === 'day') return Math.floor(now / DAY) * DAY
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

export function endOf(period: Period, now: number): number {
  if (period === 'day') return startOf('day', now) + DAY
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** Whether any figure of what was used matters at all. */
export const isCounted = ({ plan, budget }: Terms): boolean =>
  plan.minutesPerDay !== null || plan.minutesPerMonth !== null || budget !== null

/** Every limit on minutes that there is, the one with the least left first. */
export function leftOf({ plan, budget }: Terms, used: Used, now: number): Left[] {
  const { running } = used
  const left = (of: Left['of'], minutes: number | null, spent: number, period: Period): Left[] =>
    minutes === null ? [] : [{ of, minutes, seconds: minutes * 60 - spent, resetsAt: endOf(period, now) }]
  return [
    ...left('day', plan.minutesPerDay, used.day + running.seconds, 'day'),
    ...left('month', plan.minutesPerMonth, used.month + running.seconds, 'month'),
    ...left('key', budget?.minutes ?? null, used.key + running.ofKey, budget?.per ?? 'day'),
  ].sort((a, b) => a.seconds - b.seconds)
}

/** The limit that stops a task first that has run for `seconds` by now, if there is one. */
export function tightest(terms: Terms, used: Used, seconds: number, now: number): Left | null {
  const [quota] = leftOf(terms, used, now)
  const { minutesPerTask } = terms.plan
  if (minutesPerTask === null) return quota ?? null
  const cap: Left = { of: 'task', minutes: minutesPerTask, seconds: minutesPerTask * 60 - seconds, resetsAt: null }
  return quota && quota.seconds < cap.seconds ? quota : cap
}

/** Seconds until that limit is reached when nothing changes: what is left of a quota is shared by all that runs. */
export const untilReached = (left: Left, running: number): number =>
  Math.max(0, left.of === 'task' ? left.seconds : left.seconds / Math.max(1, running))

export const codeOf = (left: Left): TaskErrorCode =>
  left.of === 'task' ? 'out_of_conversion_minutes_per_task' : 'out_of_conversion_minutes'

const NAMES = { day: 'this account for today', month: 'this account for this month', key: 'this key' }

/** Which limit it is, how much, and when it is there again. */
export function wordsFor({ of, minutes, resetsAt }: Left): string {
  const [amount, are, they] =
    minutes === 1 ? ['1 conversion minute', 'is', 'It is'] : [`${minutes} conversion minutes`, 'are', 'They are']
  if (of === 'task') return `One task may use ${amount}; this one would have needed more.`
  const again = resetsAt === null ? '' : ` ${they} there again from ${new Date(resetsAt).toISOString()} on.`
  return `The ${amount} of ${NAMES[of]} ${are} used up.${again}`
}

/** How long files and records are kept, in milliseconds. */
export const keptBy = ({ filesHours, recordsHours }: Plan): { files: number; records: number } => ({
  files: Math.min(FILES_KEPT, (filesHours ?? Number.POSITIVE_INFINITY) * HOUR),
  records: Math.min(RECORDS_KEPT, (recordsHours ?? Number.POSITIVE_INFINITY) * HOUR),
})

export const most = (own: number | null, everybodys: number): number => Math.min(own ?? everybodys, everybodys)
