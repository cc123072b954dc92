/**
 * Signing in: by password, by ticket, as a guest, or by whom a provider has shown. Every way ends in a session of its own,
 * with a new cookie; what the browser sent along is never taken over.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid, Problem } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { keyHash, newSecret } from '../core/key.ts'
import { passwordProblem } from '../core/password.ts'
import { GUEST_PLAN } from '../core/quota.ts'
import type { User } from '../ports/accounts.ts'
import { keyRevoked } from '../ports/bus.ts'
import type { Session } from '../ports/credentials.ts'
import { EmailTaken } from '../ports/users.ts'
import { GUEST_SESSION, SESSION } from './auth.ts'
import { setCookie } from './cookie.ts'
import type { HttpDeps } from './deps.ts'
import type { Caller } from './route.ts'

/** Where one comes in: the request, and the answer that gets the cookie. */
export interface Door {
  request: FastifyRequest
  reply: FastifyReply
}

/** "Shown" is the same for an address nobody has and for a password that is wrong. */
const WRONG = 'The e-mail address or the password is wrong.'
const SUSPENDED = 'This account is suspended. Ask an administrator of this service.'

export function createSignIn(deps: HttpDeps) {
  const { users, audit, scribe, clock, bus, slowDown, hashing } = deps
  const { sessions, passwords, tickets } = deps.credentials

  const sendAway = (ended: readonly string[]) => {
    for (const id of ended) bus.publish(keyRevoked(id))
  }

  async function open({ request, reply }: Door, user: User, by: string): Promise<void> {
    if (user.suspendedAt !== null) throw new Problem('forbidden', SUSPENDED)
    const before = await deps.auth.session(request.headers.cookie)
    if (before && (await sessions.remove(before.id))) sendAway([before.id])
    const now = clock.now()
    const { idle, most } = user.role === 'guest' ? GUEST_SESSION : SESSION
    const times = { createdAt: now, seenAt: now, idleAt: now + idle, endsAt: now + most }
    const session: Session = { id: newId(now), user: user.id, ...times }
    const value = newSecret()
    const deed = { action: 'session.opened', target: `session:${session.id}`, detail: { by } } as const
    await sessions.add(session, keyHash(value), audit.within(scribe(request, { user }, deed)))
    setCookie(reply, value, { age: most })
  }

  function checkPassword(password: string, email: string): void {
    const problem = passwordProblem(password, email)
    if (problem) throw invalid([{ path: 'password', message: problem }])
  }

  return {
    open,

    async byPassword(door: Door, email: string, password: string): Promise<User> {
      const settled = await slowDown.password(email, door.request.ip)
      const user = await users.byEmail(email)
      const kept = user && (await passwords.of(user.id))
      if (!(await hashing.matches(password, kept)) || !user) {
        const deed = { action: 'session.failed', target: user && `user:${user.id}` } as const
        await audit.write(scribe(door.request, { email }, deed))
        throw new Problem('unauthorized', WRONG)
      }
      await settled()
      await open(door, user, 'password')
      return user
    },

    async asGuest(door: Door): Promise<User> {
      await slowDown.guest(door.request.ip)
      const now = clock.now()
      const id = newId(now)
      // `.invalid` is nobody's, for ever.
      const about = { email: `guest-${id}@guest.invalid`, role: 'guest', plan: GUEST_PLAN } as const
      const user: User = { id, ...about, createdAt: now, suspendedAt: null }
      await users.add(user)
      await open(door, user, 'guest')
      return user
    },

    async byTicket(door: Door, plain: string, password: string, email: string | undefined): Promise<User> {
      const hash = keyHash(plain)
      const now = clock.now()
      const ticket = await tickets.find(hash, now)
      const owner = ticket && (await deps.accounts.userById(ticket.user))
      if (!ticket || !owner) throw spent()
      if (owner.suspendedAt !== null) throw new Problem('forbidden', SUSPENDED)
      const isFirst = ticket.kind === 'first'
      if (email !== undefined && !isFirst)
        throw invalid([{ path: 'email', message: 'is already known, and cannot be changed with this link.' }])
      checkPassword(password, email ?? owner.email)
      const deed = { action: 'ticket.redeemed', target: `user:${owner.id}`, detail: { kind: ticket.kind } } as const
      const to = { password: await hashing.hash(password), ...(email !== undefined && { email }) }
      const note = audit.within(scribe(door.request, { user: owner }, deed))
      const done = await passwords.redeem(hash, to, now, note).catch((error) => {
        throw error instanceof EmailTaken ? invalid([{ path: 'email', message: error.message }]) : error
      })
      if (!done) throw spent()
      sendAway(done.ended)
      await open(door, done.user, ticket.kind)
      return done.user
    },

    /** Ends the other sessions: whoever knew the old password is out. */
    async changePassword({ request }: Door, caller: Caller, current: string, password: string): Promise<void> {
      const { user, key } = caller
      const kept = await passwords.of(user.id)
      if (kept === null)
        throw new Problem('conflict', 'This account has no password. An administrator can give you a link to set one.')
      const settled = await slowDown.password(user.email, request.ip)
      if (!(await hashing.matches(current, kept)))
        throw invalid([{ path: 'current', message: 'is not the password of this account.' }])
      await settled()
      checkPassword(password, user.email)
      const deed = { action: 'password.changed', target: `user:${user.id}` } as const
      const note = audit.within(scribe(request, caller, deed))
      sendAway(await passwords.set(user.id, await hashing.hash(password), key.id, note))
    },

    async end({ request }: Door): Promise<void> {
      const session = await deps.auth.session(request.headers.cookie)
      const user = session && (await deps.accounts.userById(session.user))
      if (!session || !user) return
      const deed = { action: 'session.ended', target: `session:${session.id}` } as const
      await sessions.remove(session.id, audit.within(scribe(request, { user }, deed)))
      sendAway([session.id])
    },
  }
}

export const spent = (): Problem =>
  new Problem('not_found', 'This link was used already, or its time is over. Ask for another one.')

export type SignIn = ReturnType<typeof createSignIn>
