/**
 * Which plan a user has, without asking the database at every request: plans are few and change seldom. A change made
 * here is known at once, one made elsewhere after a moment.
 */
import { type Plan, UNLIMITED } from '../core/quota.ts'
import type { Clock } from '../ports/clock.ts'
import type { Plans } from '../ports/metering.ts'

/** Milliseconds. */
const A_MOMENT = 1000

export interface PlanBook {
  of(user: { plan: string }): Promise<Plan>
  /** Something was changed here. */
  forget(): void
}

export function createPlanBook(plans: Pick<Plans, 'list'>, clock: Clock): PlanBook {
  let known: { at: number; byName: Promise<ReadonlyMap<string, Plan>> } | null = null

  function all(): Promise<ReadonlyMap<string, Plan>> {
    const at = clock.now()
    if (known && Math.abs(at - known.at) < A_MOMENT) return known.byName
    const byName = plans.list().then((list) => new Map(list.map((plan) => [plan.name, plan])))
    known = { at, byName }
    byName.catch(() => {
      known = null
    })
    return byName
  }

  return {
    of: async ({ plan }) => (await all()).get(plan) ?? UNLIMITED,
    forget() {
      known = null
    },
  }
}
