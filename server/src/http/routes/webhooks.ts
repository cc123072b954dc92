/** Webhooks: registering, changing, trying and looking at what was told. Another user's webhook is not found. */
import { type Static, type TObject, Type } from 'typebox'
import { invalid, notFound, Problem } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { PAGE, pageOf } from '../../core/page.ts'
import { read } from '../../core/shape.ts'
import type { JsonObject } from '../../core/task.ts'
import { TEST_EVENT, WEBHOOK_EVENTS } from '../../core/webhook.ts'
import type { Action } from '../../ports/audit.ts'
import { DELIVERIES } from '../../ports/bus.ts'
import type { Attempt, Delivery, Webhook } from '../../ports/webhooks.ts'
import type { HttpDeps } from '../deps.ts'
import { type Ask, type Caller, type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'
import { paging } from './tasks.ts'

const MOST_WEBHOOKS = 50

const url = Type.String({ minLength: 1, maxLength: 2048, description: 'Where to post to: https:// or http://.' })
const events = Type.Array(Type.Enum([...WEBHOOK_EVENTS]), {
  minItems: 1,
  uniqueItems: true,
  description: 'What to be told of; all events by default.',
})
const NewWebhook = Type.Object({ url, events: Type.Optional(events) })
const ChangedWebhook = Type.Object({
  url: Type.Optional(url),
  events: Type.Optional(events),
  enabled: Type.Optional(Type.Boolean({ description: 'Switched off it is told nothing, and what waits is given up.' })),
})
const Paging = Type.Object(paging)

const iso = (ms: number): string => new Date(ms).toISOString()

const shown = (webhook: Webhook): JsonObject => ({
  id: webhook.id,
  url: webhook.url,
  events: [...webhook.events],
  enabled: webhook.enabled,
  reason: webhook.reason,
  createdAt: iso(webhook.createdAt),
  updatedAt: iso(webhook.updatedAt),
})

const shownAttempt = ({ at, milliseconds, status, answer }: Attempt): JsonObject => ({
  ...{ at: iso(at), milliseconds, status, answer },
})

const shownDelivery = (delivery: Delivery): JsonObject => ({
  id: delivery.id,
  webhook: delivery.webhook,
  url: delivery.url,
  event: delivery.event,
  job: delivery.job,
  status: delivery.status,
  attempts: delivery.attempts,
  nextAttemptAt: delivery.nextAt === null ? null : iso(delivery.nextAt),
  createdAt: iso(delivery.createdAt),
})

/** Fields by their schema, or every problem they have. */
function take<S extends TObject>(schema: S, body: unknown): Static<S> {
  const { value, issues } = read(schema, body)
  if (issues.length) throw invalid(issues)
  return value
}

export function webhookRoutes(deps: HttpDeps): Route[] {
  const { webhooks, webhookSecrets: secrets, audit, scribe, bus, clock } = deps

  async function own({ user }: Caller, id: string): Promise<Webhook> {
    const found = isId(id) ? await webhooks.find(id) : null
    if (found?.user !== user.id) throw notFound(`The webhook ${id}`)
    return found
  }
  const noted = ({ request, caller }: Pick<Ask<unknown>, 'request' | 'caller'>, action: Action, id: string) =>
    audit.within(scribe(request, caller, { action, target: `webhook:${id}` }))
  async function ownDelivery({ user }: Caller, id: string): Promise<Delivery> {
    const found = isId(id) ? await webhooks.delivery(id) : null
    if (found?.user !== user.id) throw notFound(`The delivery ${id}`)
    return found
  }
  async function checkUrl(given: string): Promise<void> {
    const problem = await deps.unreachable(given)
    if (problem) throw invalid([{ path: 'url', message: problem }])
  }

  return [
    route({
      method: 'GET',
      path: '/v1/webhooks',
      tag: 'Webhooks',
      summary: 'List your webhooks, newest first.',
      access: 'webhooks',
      query: Paging,
      answer: { status: 200, schema: ref('WebhookPage') },
      async handle({ query: { per_page = PAGE.default, page = 1 }, caller }) {
        const { docs, total } = await webhooks.list(caller.user.id, page, per_page)
        return pageOf(docs.map(shown), total, page, per_page)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/webhooks',
      tag: 'Webhooks',
      summary: 'Register a webhook. Its secret is shown in this answer only.',
      access: 'webhooks',
      body: NewWebhook,
      answer: { status: 201, schema: ref('WebhookWithSecret') },
      async handle(ask) {
        const { body, caller } = ask
        const { user } = caller
        const wanted = take(NewWebhook, body)
        await checkUrl(wanted.url)
        if ((await webhooks.list(user.id, 1, 1)).total >= MOST_WEBHOOKS)
          throw new Problem('conflict', `There are ${MOST_WEBHOOKS} webhooks already. Delete one first.`)
        const now = clock.now()
        const { plain, sealed } = secrets.make(user.id)
        const times = { createdAt: now, updatedAt: now }
        const wants = { url: wanted.url, events: wanted.events ?? WEBHOOK_EVENTS }
        const made: Webhook = {
          ...{ id: newId(now), user: user.id, ...wants, enabled: true, reason: null, secrets: sealed },
          ...times,
        }
        await webhooks.add(made, noted(ask, 'webhook.created', made.id))
        return { ...shown(made), secret: plain }
      },
    }),
    route({
      method: 'GET',
      path: '/v1/webhooks/secret',
      tag: 'Webhooks',
      summary: 'The secret that signs what is sent to the webhook_url of your jobs.',
      access: 'webhooks',
      answer: { status: 200, schema: ref('WebhookSecret') },
      async handle({ caller: { user } }) {
        const [secret] = secrets.open(user.id, await secrets.ofAccount(user.id), clock.now())
        return { secret }
      },
    }),
    route({
      method: 'POST',
      path: '/v1/webhooks/secret/rotate',
      tag: 'Webhooks',
      summary: 'Exchange that secret; the old one goes on signing beside the new one for a day.',
      access: 'webhooks',
      answer: { status: 200, schema: ref('WebhookSecret') },
      async handle(ask) {
        const { user } = ask.caller
        const { plain, sealed } = secrets.rotate(user.id, await secrets.ofAccount(user.id), clock.now())
        await webhooks.setAccountSecrets(user.id, sealed, noted(ask, 'webhook.rotated', 'account'))
        return { secret: plain }
      },
    }),
    route({
      method: 'GET',
      path: '/v1/webhooks/deliveries',
      tag: 'Webhooks',
      summary: 'Everything that was told, or is to be, newest first.',
      access: 'webhooks',
      query: Paging,
      answer: { status: 200, schema: ref('DeliveryPage') },
      async handle({ query: { per_page = PAGE.default, page = 1 }, caller }) {
        const { docs, total } = await webhooks.deliveries(caller.user.id, null, page, per_page)
        return pageOf(docs.map(shownDelivery), total, page, per_page)
      },
    }),
    route({
      method: 'GET',
      path: '/v1/webhooks/deliveries/:deliveryId',
      tag: 'Webhooks',
      summary: 'Show a delivery with every attempt and what was answered.',
      access: 'webhooks',
      answer: { status: 200, schema: ref('DeliveryWithLog') },
      async handle({ params, caller }) {
        const delivery = await ownDelivery(caller, params.deliveryId ?? '')
        return { ...shownDelivery(delivery), log: (await webhooks.attempts(delivery.id)).map(shownAttempt) }
      },
    }),
    route({
      method: 'POST',
      path: '/v1/webhooks/deliveries/:deliveryId/resend',
      tag: 'Webhooks',
      summary: 'Send a delivery again, now.',
      access: 'webhooks',
      answer: { status: 200, schema: ref('Delivery') },
      async handle({ params, caller }) {
        const { id, webhook } = await ownDelivery(caller, params.deliveryId ?? '')
        if (webhook && !(await own(caller, webhook)).enabled)
          throw new Problem('conflict', 'The webhook is switched off. Switch it on first.')
        const again = await webhooks.resend(id, clock.now())
        bus.publish(DELIVERIES)
        return again && shownDelivery(again)
      },
    }),
    route({
      method: 'GET',
      path: '/v1/webhooks/:webhookId',
      tag: 'Webhooks',
      summary: 'Show a webhook.',
      access: 'webhooks',
      answer: { status: 200, schema: ref('Webhook') },
      handle: async ({ params, caller }) => shown(await own(caller, params.webhookId ?? '')),
    }),
    route({
      method: 'PATCH',
      path: '/v1/webhooks/:webhookId',
      tag: 'Webhooks',
      summary: 'Change a webhook, or switch it off or on.',
      access: 'webhooks',
      body: ChangedWebhook,
      answer: { status: 200, schema: ref('Webhook') },
      async handle(ask) {
        const { params, body, caller } = ask
        const { id } = await own(caller, params.webhookId ?? '')
        const to = take(ChangedWebhook, body)
        if (to.url !== undefined) await checkUrl(to.url)
        const changed = await webhooks.change(
          id,
          { ...to, ...(to.enabled !== undefined && { reason: null }) },
          clock.now(),
          noted(ask, 'webhook.changed', id),
        )
        if (!changed) throw notFound(`The webhook ${id}`)
        return shown(changed)
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/webhooks/:webhookId',
      tag: 'Webhooks',
      summary: 'Delete a webhook with its deliveries.',
      access: 'webhooks',
      answer: { status: 200, schema: null },
      async handle(ask) {
        const { id } = await own(ask.caller, ask.params.webhookId ?? '')
        await webhooks.remove(id, noted(ask, 'webhook.deleted', id))
        return ''
      },
    }),
    route({
      method: 'GET',
      path: '/v1/webhooks/:webhookId/deliveries',
      tag: 'Webhooks',
      summary: 'What this webhook was told, newest first.',
      access: 'webhooks',
      query: Paging,
      answer: { status: 200, schema: ref('DeliveryPage') },
      async handle({ params, query: { per_page = PAGE.default, page = 1 }, caller }) {
        const { id } = await own(caller, params.webhookId ?? '')
        const { docs, total } = await webhooks.deliveries(caller.user.id, id, page, per_page)
        return pageOf(docs.map(shownDelivery), total, page, per_page)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/webhooks/:webhookId/test',
      tag: 'Webhooks',
      summary: `Send the event ${TEST_EVENT}, to see that the receiver works.`,
      access: 'webhooks',
      answer: { status: 201, schema: ref('Delivery') },
      async handle({ params, caller }) {
        const { id, user, url: to, enabled } = await own(caller, params.webhookId ?? '')
        if (!enabled) throw new Problem('conflict', 'The webhook is switched off. Switch it on first.')
        const now = clock.now()
        const about = { user, webhook: id, url: to, event: TEST_EVENT, job: null, told: { test: true } as const }
        const made: Delivery = { id: newId(now), ...about, status: 'waiting', attempts: 0, nextAt: now, createdAt: now }
        await webhooks.addDelivery(made)
        bus.publish(DELIVERIES)
        return shownDelivery(made)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/webhooks/:webhookId/rotate',
      tag: 'Webhooks',
      summary: 'Exchange the secret; the old one goes on signing beside the new one for a day.',
      access: 'webhooks',
      answer: { status: 200, schema: ref('WebhookWithSecret') },
      async handle(ask) {
        const { params, caller } = ask
        const { id, user, secrets: before } = await own(caller, params.webhookId ?? '')
        const { plain, sealed } = secrets.rotate(user, before, clock.now())
        const changed = await webhooks.change(id, { secrets: sealed }, clock.now(), noted(ask, 'webhook.rotated', id))
        if (!changed) throw notFound(`The webhook ${id}`)
        return { ...shown(changed), secret: plain }
      },
    }),
  ]
}
