/** The caller's account: what is used and what is allowed. */
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

export function accountRoutes({ accounts, clock, limiter, settings }: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/account/me',
      tag: 'Account',
      summary: 'Your account: plan, minutes and limits.',
      access: 'account',
      answer: { status: 200, schema: ref('Account') },
      async handle({ caller: { user } }) {
        const now = new Date(clock.now())
        const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
        const seconds = await accounts.secondsUsed(user.id, monthStart)
        return {
          id: user.id,
          email: user.email,
          plan: { name: 'unlimited' },
          minutes: {
            used: Math.round((seconds / 60) * 1000) / 1000,
            limit: null,
            resetsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
          },
          limits: {
            maxFileSize: settings.maxFileSize,
            concurrency: settings.concurrency,
            ratePerMinute: limiter?.perMinute ?? 0,
          },
        }
      },
    }),
  ]
}
