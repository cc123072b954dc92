/** Plans, for administrators: what there is, new ones, changes. A plan that somebody has is not deleted. */
import { Type } from 'typebox'
import { invalid, notFound, Problem } from '../../core/errors.ts'
import { BUILT_IN, type Plan, UNLIMITED } from '../../core/quota.ts'
import { read } from '../../core/shape.ts'
import type { JsonObject } from '../../core/task.ts'
import type { HttpDeps } from '../deps.ts'
import { givenLimits, PLAN_LIMITS } from '../metering-schemas.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

type Limits = Omit<Plan, 'name'>
const LIMITS = Object.keys(PLAN_LIMITS) as (keyof Limits)[]

const name = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,49}$',
  description: 'Small letters, digits and dashes, 50 at most.',
})

/** As they are read: null, for no limit, is looked for apart. */
const Given = Type.Object(
  Object.fromEntries(
    LIMITS.map((limit) => {
      const { whole, ...bounds } = PLAN_LIMITS[limit]
      return [limit, Type.Optional(whole ? Type.Integer(bounds) : Type.Number(bounds))]
    }),
  ),
)

/** Only what was sent. */
function readLimits(body: unknown): { limits: Partial<Limits>; issues: ReturnType<typeof read>['issues'] } {
  const { value, issues } = read(Given, body)
  const sent: Record<string, unknown> = { ...value }
  for (const limit of LIMITS)
    if (typeof body === 'object' && body !== null && (body as Record<string, unknown>)[limit] === null)
      sent[limit] = null
  return { limits: sent as Partial<Limits>, issues }
}

const shown = (plan: Plan, users: number): JsonObject => ({ ...plan, users, builtIn: BUILT_IN.includes(plan.name) })

export function planRoutes({ metering, plans: book, audit, scribe }: HttpDeps): Route[] {
  /** Of the one plan, with how many have it. */
  async function show(plan: string): Promise<JsonObject> {
    const found = (await metering.plans.list()).find((each) => each.name === plan)
    if (!found) throw notFound(`The plan ${plan}`)
    return shown(found, found.users)
  }
  const target = (plan: string) => `plan:${plan}`

  return [
    route({
      method: 'GET',
      path: '/v1/admin/plans',
      tag: 'Administration',
      summary: 'List the plans, with how many users have each.',
      access: 'admin',
      answer: { status: 200, schema: ref('PlanList') },
      handle: async () => ({ plans: (await metering.plans.list()).map((plan) => shown(plan, plan.users)) }),
    }),
    route({
      method: 'POST',
      path: '/v1/admin/plans',
      tag: 'Administration',
      summary: 'Make a plan. What is left out has no limit.',
      access: 'admin',
      body: Type.Object({ name, ...givenLimits }),
      answer: { status: 201, schema: ref('Plan') },
      async handle({ request, body, caller }) {
        const named = read(Type.Object({ name }), body)
        const { limits, issues } = readLimits(body)
        if (named.issues.length + issues.length > 0) throw invalid([...named.issues, ...issues])
        const plan: Plan = { ...UNLIMITED, ...limits, name: named.value.name }
        const deed = { action: 'plan.created', target: target(plan.name), detail: { ...limits } } as const
        if (!(await metering.plans.add(plan, audit.within(scribe(request, caller, deed)))))
          throw new Problem('conflict', `There is a plan named "${plan.name}" already. Choose another name.`)
        book.forget()
        return shown(plan, 0)
      },
    }),
    route({
      method: 'PATCH',
      path: '/v1/admin/plans/:name',
      tag: 'Administration',
      summary: 'Change a plan, for all who have it. null takes a limit away.',
      access: 'admin',
      body: Type.Object(givenLimits),
      answer: { status: 200, schema: ref('Plan') },
      async handle({ request, params, body, caller }) {
        const plan = params.name ?? ''
        const { limits, issues } = readLimits(body)
        if (issues.length) throw invalid(issues)
        if (plan === UNLIMITED.name)
          throw new Problem('conflict', `The plan ${plan} has no limits. Make another one and give that to users.`)
        const deed = { action: 'plan.changed', target: target(plan), detail: { ...limits } } as const
        const changed = await metering.plans.change(plan, limits, audit.within(scribe(request, caller, deed)))
        if (!changed) throw notFound(`The plan ${plan}`)
        book.forget()
        return show(plan)
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/admin/plans/:name',
      tag: 'Administration',
      summary: 'Delete a plan that nobody has.',
      access: 'admin',
      answer: { status: 200, schema: null },
      async handle({ request, params, caller }) {
        const plan = params.name ?? ''
        if (BUILT_IN.includes(plan)) throw new Problem('conflict', `The plan ${plan} is always there.`)
        const deed = { action: 'plan.deleted', target: target(plan) } as const
        const outcome = await metering.plans.remove(plan, audit.within(scribe(request, caller, deed)))
        if (outcome === 'unknown') throw notFound(`The plan ${plan}`)
        if (outcome === 'used')
          throw new Problem('conflict', `Somebody has the plan ${plan}. Give them another one first.`)
        book.forget()
        return ''
      },
    }),
  ]
}
