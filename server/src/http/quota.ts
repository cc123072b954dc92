/** What a caller may still use. Refuses what would be paid for with minutes that are not there. */
import { Problem } from '../core/errors.ts'
import { codeOf, isCounted, type Left, leftOf, type Plan, type Terms, type Used, wordsFor } from '../core/quota.ts'
import type { Key } from '../ports/accounts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Metering } from '../ports/metering.ts'
import type { PlanBook } from './plan-book.ts'
import type { Caller } from './route.ts'

export interface QuotaDeps {
  metering: Pick<Metering, 'used'>
  plans: PlanBook
  clock: Clock
  /** Told of every refusal, for `/metrics`. */
  refused(limit: Left): void
}

/** Who has more seconds left than this cannot use them up in the milliseconds that it is believed without another look. */
const PLENTY = 60
const A_MOMENT = 250
const MOST_KNOWN = 10_000

/** A session is no key: what it does counts for its user alone. */
export const keyOf = ({ via, key }: Caller): string | null => (via === 'key' ? key.id : null)

export function createQuota({ metering, plans, clock, refused }: QuotaDeps) {
  const termsOf = async ({ user, key }: Caller): Promise<Terms> => ({ plan: await plans.of(user), budget: key.budget })

  /** By key: who had plenty left, when, and of what. */
  const rich = new Map<string, { at: number; plan: Plan; budget: Key['budget'] }>()
  function isRich({ key }: Caller, { plan }: Terms, now: number): boolean {
    const known = rich.get(key.id)
    if (!known || known.plan !== plan || Math.abs(now - known.at) > A_MOMENT) return false
    return known.budget?.minutes === key.budget?.minutes && known.budget?.per === key.budget?.per
  }

  return {
    /** As it is now. */
    async look(caller: Caller): Promise<{ terms: Terms; used: Used; left: Left[] }> {
      const terms = await termsOf(caller)
      const now = clock.now()
      const used = await metering.used(caller.user.id, keyOf(caller), terms, now)
      return { terms, used, left: leftOf(terms, used, now) }
    },

    /** "402 with errorCode when the account has nothing left at creation." */
    async require(caller: Caller): Promise<void> {
      const terms = await termsOf(caller)
      if (!isCounted(terms)) return
      const now = clock.now()
      if (isRich(caller, terms, now)) return
      const [least] = leftOf(terms, await metering.used(caller.user.id, keyOf(caller), terms, now), now)
      if (!least) return
      if (least.seconds > PLENTY) {
        if (rich.size >= MOST_KNOWN) rich.clear()
        rich.set(caller.key.id, { at: now, ...terms })
        return
      }
      if (least.seconds > 0) return
      refused(least)
      throw new Problem('payment_required', wordsFor(least), { errorCode: codeOf(least) })
    },
  }
}

export type Quota = ReturnType<typeof createQuota>
