/** Creating tasks and jobs: plan, write, answer, once for each Idempotency-Key. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Change } from '../core/change.ts'
import { invalid, Problem } from '../core/errors.ts'
import { keptBy } from '../core/quota.ts'
import type { JsonObject } from '../core/task.ts'
import type { Plan, PlanContext } from '../operations/plan.ts'
import { AlreadyAnswered, type Answer } from '../ports/store.ts'
import type { HttpDeps } from './deps.ts'
import { keyOf } from './quota.ts'
import type { Ask, Caller } from './route.ts'

export function createCreator({ store, catalog, operations, sealer, clock, unreachable, plans, quota }: HttpDeps) {
  const planContext = async (caller: Caller): Promise<PlanContext> => ({
    user: caller.user.id,
    key: keyOf(caller),
    kept: keptBy(await plans.of(caller.user)),
    now: clock.now(),
    operations,
    catalog,
    sealer,
    unreachable,
    find: async (ids) => (await store.tasks(ids)).filter((task) => task.user === caller.user.id),
  })

  return async function create(
    { request, reply, caller }: Ask<unknown>,
    plan: (context: PlanContext) => Promise<Plan>,
    show: (change: Change) => JsonObject,
  ): Promise<unknown> {
    const key = idempotencyKey(request)
    const fingerprint = key === null ? '' : fingerprintOf(request)
    const user = caller.user.id
    if (key !== null) {
      const before = await store.answer(user, key)
      if (before) return replay(reply, before, fingerprint)
    }
    const context = await planContext(caller)
    const { inputs, warnings, metered, decide } = await plan(context)
    if (metered) await quota.require(caller)
    const body = (change: Change): JsonObject => ({
      ...show(change),
      ...(warnings.length && { warnings: warnings.map((warning) => ({ ...warning })) }),
    })
    let answered: Answer | undefined
    const answerOf = (change: Change): Answer => {
      answered = { fingerprint, status: 201, body: JSON.stringify(body(change)) }
      return answered
    }
    try {
      const change = await store.create({
        user,
        inputs,
        decide: (found) => decide(new Map([...found].filter(([, task]) => task.user === user))),
        now: context.now,
        ...(key !== null && { answer: { key, of: answerOf } }),
      })
      reply.code(201).type('application/json; charset=utf-8')
      return answered?.body ?? body(change)
    } catch (error) {
      if (error instanceof AlreadyAnswered) return replay(reply, error.answer, fingerprint)
      throw error
    }
  }
}

/** "The first answer is replayed for 24 h; same key with another body: 409." */
function replay(reply: FastifyReply, answer: Answer, fingerprint: string): string {
  if (answer.fingerprint !== fingerprint)
    throw new Problem('conflict', 'This Idempotency-Key was used for another request. Use a new key for a new request.')
  reply.code(answer.status).type('application/json; charset=utf-8').header('Idempotent-Replayed', 'true')
  return answer.body
}

function idempotencyKey(request: FastifyRequest): string | null {
  const given = request.headers['idempotency-key']
  if (given === undefined) return null
  if (typeof given !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(given))
    throw invalid([{ path: 'Idempotency-Key', message: 'must have 1 to 255 printable characters without spaces.' }])
  return given
}

const fingerprintOf = (request: FastifyRequest): string =>
  createHash('sha256')
    .update(`${request.method} ${request.routeOptions.url} ${JSON.stringify(request.body ?? null)}`)
    .digest('hex')
