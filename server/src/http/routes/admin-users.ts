/** Users, for administrators: inviting, changing, suspending, removing. One administrator is always left. */
import { Type } from 'typebox'
import { invalid, notFound, Problem } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { PAGE, pageOf } from '../../core/page.ts'
import { UNLIMITED } from '../../core/quota.ts'
import type { JsonObject } from '../../core/task.ts'
import { newTicket, welcomeUrl } from '../../core/ticket.ts'
import type { User } from '../../ports/accounts.ts'
import type { TicketKind } from '../../ports/credentials.ts'
import { EmailTaken, LastAdministrator, type ListedUser, type UserChange } from '../../ports/users.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, readBody, route } from '../route.ts'
import { ref } from '../schemas.ts'
import { paging } from './tasks.ts'

const role = Type.Enum(['admin', 'user'], { description: '`user` unless said otherwise.' })
const plan = Type.String({ minLength: 1, maxLength: 100, description: 'Name of a plan.' })
const email = Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254, description: 'An e-mail address.' })
const Invitation = Type.Object({ email, role: Type.Optional(role), plan: Type.Optional(plan) })
const Change = Type.Object({
  role: Type.Optional(role),
  plan: Type.Optional(plan),
  suspended: Type.Optional(
    Type.Boolean({ description: 'Nothing of a suspended user is let in, and what runs is canceled.' }),
  ),
})
const ListQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 254, description: 'A part of the e-mail address.' })),
  ...paging,
})

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

const shown = (user: ListedUser): JsonObject => ({
  ...{ id: user.id, email: user.email, role: user.role, plan: user.plan, hasPassword: user.hasPassword },
  ...{ createdAt: iso(user.createdAt), seenAt: isoOrNull(user.seenAt), suspendedAt: isoOrNull(user.suspendedAt) },
})

const asConflict = (error: unknown): never => {
  throw error instanceof LastAdministrator || error instanceof EmailTaken
    ? new Problem('conflict', error.message)
    : error
}

export function adminUserRoutes(deps: HttpDeps): Route[] {
  const { users, audit, scribe, clock } = deps
  const { tickets } = deps.credentials

  async function find(id: string): Promise<ListedUser> {
    const user = isId(id) ? await users.find(id) : null
    if (!user) throw notFound(`The user ${id}`)
    return user
  }
  async function checkPlan(name: string | undefined): Promise<void> {
    if (name !== undefined && !(await deps.metering.plans.find(name)))
      throw invalid([{ path: 'plan', message: `There is no plan "${name}".` }])
  }
  async function link(user: string, kind: TicketKind, note?: ReturnType<typeof audit.within>) {
    const { plain, hash, ticket } = newTicket(user, kind, clock.now())
    await tickets.add(ticket, hash, note)
    return { url: welcomeUrl(deps.links.self(''), plain), expiresAt: iso(ticket.endsAt) }
  }

  return [
    route({
      method: 'GET',
      path: '/v1/admin/users',
      tag: 'Administration',
      summary: 'List users, newest first.',
      access: 'admin',
      query: ListQuery,
      answer: { status: 200, schema: ref('UserPage') },
      async handle({ query: { search, per_page = PAGE.default, page = 1 } }) {
        const { docs, total } = await users.list(search || null, page, per_page)
        return pageOf(docs.map(shown), total, page, per_page)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/admin/users',
      tag: 'Administration',
      summary: 'Invite somebody. The link to set a password is shown in this answer only.',
      access: 'admin',
      body: Invitation,
      answer: { status: 201, schema: ref('InvitedUser') },
      async handle({ request, body, caller }) {
        const to = readBody(Invitation, body)
        await checkPlan(to.plan)
        const now = clock.now()
        const about = { role: to.role ?? 'user', plan: to.plan ?? UNLIMITED.name } as const
        const user: User = { id: newId(now), email: to.email, ...about, createdAt: now, suspendedAt: null }
        const deed = {
          action: 'user.invited',
          target: `user:${user.id}`,
          detail: { email: to.email, ...about },
        } as const
        await users.add(user, audit.within(scribe(request, caller, deed))).catch(asConflict)
        const invitation = await link(user.id, 'invite')
        return { ...shown(await find(user.id)), invitation }
      },
    }),
    route({
      method: 'GET',
      path: '/v1/admin/users/:userId',
      tag: 'Administration',
      summary: 'Show a user.',
      access: 'admin',
      answer: { status: 200, schema: ref('User') },
      handle: async ({ params }) => shown(await find(params.userId ?? '')),
    }),
    route({
      method: 'PATCH',
      path: '/v1/admin/users/:userId',
      tag: 'Administration',
      summary: 'Change the role or the plan of a user, suspend them, or let them in again.',
      access: 'admin',
      body: Change,
      answer: { status: 200, schema: ref('User') },
      async handle({ request, params, body, caller }) {
        const before = await find(params.userId ?? '')
        const { role, plan, suspended } = readBody(Change, body)
        await checkPlan(plan)
        const isSuspended = before.suspendedAt !== null
        const turns = suspended !== undefined && suspended !== isSuspended
        const to: UserChange = {
          ...(role !== undefined && { role }),
          ...(plan !== undefined && { plan }),
          ...(turns && { suspendedAt: suspended ? clock.now() : null }),
        }
        const action = !turns ? 'user.changed' : suspended ? 'user.suspended' : 'user.resumed'
        const detail = { email: before.email, ...(role && { role }), ...(plan && { plan }) }
        const note = audit.within(scribe(request, caller, { action, target: `user:${before.id}`, detail }))
        if (!(await users.change(before.id, to, note).catch(asConflict))) throw notFound(`The user ${before.id}`)
        if (turns && suspended) await deps.endings.stop(before.id)
        return shown(await find(before.id))
      },
    }),
    route({
      method: 'POST',
      path: '/v1/admin/users/:userId/reset',
      tag: 'Administration',
      summary: 'A link to set another password, shown in this answer only. Earlier links of the user end.',
      access: 'admin',
      answer: { status: 200, schema: ref('TicketLink') },
      async handle({ request, params, caller }) {
        const { id, email: address, hasPassword } = await find(params.userId ?? '')
        const deed = { action: 'user.reset', target: `user:${id}`, detail: { email: address } } as const
        return link(id, hasPassword ? 'reset' : 'invite', audit.within(scribe(request, caller, deed)))
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/admin/users/:userId',
      tag: 'Administration',
      summary: 'Remove a user with their files, records, keys and webhooks.',
      access: 'admin',
      answer: { status: 200, schema: null },
      async handle({ request, params, caller }) {
        const { id, email: address } = await find(params.userId ?? '')
        const deed = { action: 'user.deleted', target: `user:${id}`, detail: { email: address } } as const
        const note = audit.within(scribe(request, caller, deed))
        if (!(await deps.endings.remove(id, note).catch(asConflict))) throw notFound(`The user ${id}`)
        return ''
      },
    }),
  ]
}
