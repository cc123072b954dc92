/**
 * Signing in and out of the dashboard, by a cookie that works here and nowhere else: what the pages do under /v1 they do
 * with a short-lived token.
 */
import { Type } from 'typebox'
import { Problem } from '../../core/errors.ts'
import { keyHash, newSecret } from '../../core/key.ts'
import { PASSWORD } from '../../core/password.ts'
import type { User } from '../../ports/accounts.ts'
import { TOKEN_PREFIX } from '../auth.ts'
import { dropCookie } from '../cookie.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, readBody, route } from '../route.ts'
import { ref } from '../schemas.ts'
import { type SignIn, spent } from '../sign-in.ts'

const TOKEN_FOR = 15 * 60_000

const email = Type.String({
  pattern: '^[^\\s@]+@[^\\s@]+$',
  maxLength: 254,
  description: 'An e-mail address.',
})
/** Any text is compared; the rules are for new ones. */
const password = Type.String({ minLength: 1, maxLength: 1024 })
const fresh = Type.String({ minLength: 1, maxLength: 1024, description: `${PASSWORD.least} characters or more.` })
const ticket = Type.String({ minLength: 1, maxLength: 200, description: 'What stands at the end of the link.' })

const Login = Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }), password })
const Change = Type.Object({ current: password, password: fresh })
const Look = Type.Object({ ticket })
const Redeem = Type.Object({ ticket, password: fresh, email: Type.Optional(email) })

const TAG = 'Session'

export function sessionRoutes(deps: HttpDeps, signIn: SignIn): Route[] {
  const { settings, clock } = deps

  const state = async (user: User | null) => ({
    user: user && { id: user.id, email: user.email, role: user.role, plan: user.plan },
    firstStart: !(await deps.credentials.passwords.isRuled()),
    guests: settings.guests,
    oidc: deps.identityProvider && { title: deps.identityProvider.title },
  })
  const answer = { status: 200, schema: ref('Session') } as const

  return [
    route({
      method: 'GET',
      path: '/session',
      tag: TAG,
      summary: 'Who is signed in, and how one can.',
      access: 'visitor',
      answer,
      async handle({ request }) {
        const session = await deps.auth.session(request.headers.cookie)
        const user = session && (await deps.accounts.userById(session.user))
        return state(user && user.suspendedAt === null ? user : null)
      },
    }),
    route({
      method: 'POST',
      path: '/session',
      tag: TAG,
      summary: 'Sign in with e-mail address and password. Sets the cookie `__Host-reforge`.',
      access: 'visitor',
      body: Login,
      answer,
      async handle({ request, reply, body }) {
        const to = readBody(Login, body)
        return state(await signIn.byPassword({ request, reply }, to.email, to.password))
      },
    }),
    route({
      method: 'DELETE',
      path: '/session',
      tag: TAG,
      summary: 'Sign out. Tokens and live connections of the session end with it.',
      access: 'visitor',
      answer,
      async handle({ request, reply }) {
        await signIn.end({ request, reply })
        dropCookie(reply)
        return state(null)
      },
    }),
    route({
      method: 'POST',
      path: '/session/token',
      tag: TAG,
      summary: 'A bearer for /v1 and the live events, good for 15 minutes and no longer than the session.',
      access: 'session',
      answer: { status: 200, schema: ref('SessionToken') },
      async handle({ caller }) {
        const token = newSecret(TOKEN_PREFIX)
        const now = clock.now()
        await deps.credentials.sessions.addToken(caller.key.id, keyHash(token), now + TOKEN_FOR, now)
        return { token, expiresAt: new Date(now + TOKEN_FOR).toISOString() }
      },
    }),
    route({
      method: 'POST',
      path: '/session/guest',
      tag: TAG,
      summary: 'Come in without an account, where the operator allows it. What a guest leaves goes after a day.',
      access: 'visitor',
      answer,
      async handle({ request, reply }) {
        if (!settings.guests) throw new Problem('forbidden', 'Guests are not let in here.')
        return state(await signIn.asGuest({ request, reply }))
      },
    }),
    route({
      method: 'POST',
      path: '/session/password',
      tag: TAG,
      summary: 'Change your password. Every other session of yours ends.',
      access: 'session',
      body: Change,
      answer,
      async handle({ request, reply, body, caller }) {
        const to = readBody(Change, body)
        await signIn.changePassword({ request, reply }, caller, to.current, to.password)
        return state(caller.user)
      },
    }),
    route({
      method: 'POST',
      path: '/session/tickets/look',
      tag: TAG,
      summary: 'What a link is for: the first start, an invitation or a new password.',
      access: 'visitor',
      body: Look,
      answer: { status: 200, schema: ref('Ticket') },
      async handle({ body }) {
        const found = await deps.credentials.tickets.find(keyHash(readBody(Look, body).ticket), clock.now())
        const user = found && (await deps.accounts.userById(found.user))
        if (!found || !user) throw spent()
        // The first user has an address nobody chose.
        const known = found.kind === 'first' ? null : user.email
        return { kind: found.kind, email: known, expiresAt: new Date(found.endsAt).toISOString() }
      },
    }),
    route({
      method: 'POST',
      path: '/session/tickets/redeem',
      tag: TAG,
      summary: 'Set the password by a link, once, and be signed in. On the first start with your e-mail address.',
      access: 'visitor',
      body: Redeem,
      answer,
      async handle({ request, reply, body }) {
        const to = readBody(Redeem, body)
        return state(await signIn.byTicket({ request, reply }, to.ticket, to.password, to.email))
      },
    }),
  ]
}
