/** The caller's account: what is used and what is allowed. */
import { endOf, keptBy, most, type Period, type Plan, type Used } from '../../core/quota.ts'
import { HOUR } from '../../core/task.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

/** To the thousandth: adding fractions up leaves more digits than were metered. */
const minutes = (seconds: number): number => Math.round((seconds / 60) * 1000) / 1000

function periodOf(period: Period, plan: Plan, used: Used, now: number) {
  const limit = period === 'day' ? plan.minutesPerDay : plan.minutesPerMonth
  const seconds = used[period] + used.running.seconds
  return {
    used: minutes(seconds),
    limit,
    left: limit === null ? null : Math.max(0, minutes(limit * 60 - seconds)),
    resetsAt: new Date(endOf(period, now)).toISOString(),
  }
}

export function accountRoutes({ clock, quota, settings }: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/account/me',
      tag: 'Account',
      summary: 'Your account: plan, minutes and limits.',
      access: 'account',
      answer: { status: 200, schema: ref('Account') },
      async handle({ caller }) {
        const { user } = caller
        const now = clock.now()
        const { terms, used, left } = await quota.look(caller)
        const { plan } = terms
        const day = periodOf('day', plan, used, now)
        const month = periodOf('month', plan, used, now)
        // Of the two, the one that ends first is the one to know.
        const first = left.find(({ of }) => of === 'day' || of === 'month')
        const kept = keptBy(plan)
        return {
          id: user.id,
          email: user.email,
          role: user.role,
          plan: { name: plan.name },
          minutes: { ...(first?.of === 'day' ? day : month), day, month, perTask: plan.minutesPerTask },
          limits: {
            maxFileSize: most(plan.maxFileSize, settings.maxFileSize),
            concurrency: most(plan.concurrency, settings.concurrency),
            ratePerMinute: plan.ratePerMinute ?? settings.rateLimit,
          },
          retention: { filesHours: kept.files / HOUR, recordsHours: kept.records / HOUR },
        }
      },
    }),
  ]
}
