/**
 * Signing in by an OpenID Connect provider. Where it fails the browser is sent to the dashboard's sign-in page with a word
 * that says why: these addresses are visited, not called.
 */
import type { FastifyRequest } from 'fastify'
import { notFound, Problem } from '../../core/errors.ts'
import { grantedBy } from '../../core/groups.ts'
import { newId } from '../../core/ids.ts'
import { UNLIMITED } from '../../core/quota.ts'
import type { User } from '../../ports/accounts.ts'
import type { ShownIdentity } from '../../ports/identity-provider.ts'
import { LastAdministrator } from '../../ports/users.ts'
import { dropCookie, readCookie, setCookie } from '../cookie.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import type { SignIn } from '../sign-in.ts'

const PENDING = '__Host-reforge-oidc'
const PENDING_FOR = 10 * 60_000
const PLACE = 'oidc:pending'
const CALLBACK = '/session/oidc/callback'

/** Why somebody whom the provider knows is not let in; the dashboard puts it into words. */
type Refusal = 'not_invited' | 'no_verified_email' | 'suspended' | 'failed'
class Refused extends Error {
  readonly why: Refusal
  constructor(why: Refusal) {
    super(why)
    this.name = 'Refused'
    this.why = why
  }
}

export function oidcRoutes(deps: HttpDeps, signIn: SignIn): Route[] {
  const { users, accounts, audit, scribe, clock, sealer } = deps
  const { identities } = deps.credentials

  const provider = () => {
    if (!deps.identityProvider) throw notFound('A provider to sign in with')
    return deps.identityProvider
  }

  /** By the provider's own name for them, else by an address it has verified, else as somebody new. */
  async function userOf(request: FastifyRequest, shown: ShownIdentity): Promise<User> {
    const known = await identities.find(shown.issuer, shown.subject)
    if (known) return known
    if (shown.email === null) throw new Refused('no_verified_email')
    const user = (await users.byEmail(shown.email)) ?? (await newcomer(request, shown, shown.email))
    const deed = { action: 'identity.linked', target: `user:${user.id}`, detail: { issuer: shown.issuer } } as const
    await identities.link(shown.issuer, shown.subject, user.id, audit.within(scribe(request, { user }, deed)))
    return user
  }

  async function newcomer(request: FastifyRequest, { groups }: ShownIdentity, email: string): Promise<User> {
    const { allow, rules } = deps.settings.oidc
    const isWelcome = allow === 'all' || (allow === 'groups' && grantedBy(rules, groups).isMember)
    if (!isWelcome) throw new Refused('not_invited')
    const now = clock.now()
    const about = { role: 'user', plan: UNLIMITED.name, suspendedAt: null } as const
    const user: User = { id: newId(now), email: email.trim().toLowerCase(), createdAt: now, ...about }
    const deed = { action: 'user.created', target: `user:${user.id}`, detail: { by: 'oidc' } } as const
    await users.add(user, audit.within(scribe(request, { user }, deed)))
    return user
  }

  /** What their groups give them today. The last administrator stays one. */
  async function granted(request: FastifyRequest, user: User, groups: readonly string[]): Promise<User> {
    const { role, plan } = grantedBy(deps.settings.oidc.rules, groups)
    const to = {
      ...(role !== null && role !== user.role && { role }),
      ...(plan !== null && plan !== user.plan && (await deps.metering.plans.find(plan)) && { plan }),
    }
    if (Object.keys(to).length === 0) return user
    const deed = { action: 'user.changed', target: `user:${user.id}`, detail: { ...to, by: 'oidc' } } as const
    const note = audit.within(scribe(request, { user }, deed))
    const changed = await users.change(user.id, to, note).catch((error) => {
      if (error instanceof LastAdministrator) return user
      throw error
    })
    return changed ?? user
  }

  return [
    route({
      method: 'GET',
      path: '/session/oidc',
      tag: 'Session',
      summary: 'Sends the browser to the provider to sign in.',
      access: 'open',
      produces: 'text/html',
      answer: { status: 302, schema: null },
      async handle({ reply, request }) {
        const { url, pending } = await provider()
          .start(deps.links.self(CALLBACK))
          .catch((error) => {
            request.log.error({ err: error }, 'the identity provider could not be asked')
            throw new Problem('unavailable', 'The provider to sign in with does not answer. Try again later.')
          })
        // Lax: the way back comes from the provider's pages.
        setCookie(reply, sealer.seal(pending, PLACE), { name: PENDING, age: PENDING_FOR, sameSite: 'Lax' })
        return reply.header('Cache-Control', 'no-store').redirect(url, 302)
      },
    }),
    route({
      method: 'GET',
      path: CALLBACK,
      tag: 'Session',
      summary: 'Where the provider sends the browser back to. Ends at the dashboard.',
      access: 'open',
      produces: 'text/html',
      answer: { status: 302, schema: null },
      async handle({ reply, request }) {
        reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer')
        dropCookie(reply, PENDING)
        try {
          const pending = readCookie(request.headers.cookie, PENDING)
          if (pending === null) throw new Refused('failed')
          const cameBackTo = new URL(deps.links.self(request.url))
          const shown = await provider().finish(cameBackTo, sealer.open(pending, PLACE))
          const found = await userOf(request, shown)
          if (found.suspendedAt !== null) throw new Refused('suspended')
          const user = await granted(request, (await accounts.userById(found.id)) ?? found, shown.groups)
          await signIn.open({ request, reply }, user, 'oidc')
          return reply.redirect(deps.links.self('/'), 302)
        } catch (error) {
          const why = error instanceof Refused ? error.why : 'failed'
          if (!(error instanceof Refused)) request.log.warn({ err: error }, 'signing in by the provider failed')
          await audit.write(scribe(request, { email: null }, { action: 'session.failed', detail: { by: 'oidc', why } }))
          return reply.redirect(deps.links.self(`/#/sign-in/${why}`), 302)
        }
      },
    }),
  ]
}
