/** Entries of the audit log, as a request gives them. */
import type { FastifyRequest } from 'fastify'
import { newId } from '../core/ids.ts'
import type { JsonObject } from '../core/task.ts'
import type { User } from '../ports/accounts.ts'
import type { Action, AuditEntry } from '../ports/audit.ts'
import type { Clock } from '../ports/clock.ts'
import type { Caller } from './route.ts'

/** A caller by key or session; a user who has just shown who they are; or nobody that is known. */
export type Who = Caller | { user: Pick<User, 'id' | 'email'> } | { email: string | null }

export interface Deed {
  action: Action
  target?: string | null
  detail?: JsonObject
}

const LONGEST_EMAIL = 254

export function createScribe(clock: Clock) {
  return ({ ip }: Pick<FastifyRequest, 'ip'>, who: Who, { action, target = null, detail = {} }: Deed): AuditEntry => {
    const at = clock.now()
    const user = 'user' in who ? who.user : null
    const email = 'user' in who ? who.user.email : (who.email?.slice(0, LONGEST_EMAIL) ?? null)
    const by = 'via' in who ? { via: who.via, viaId: who.key.id } : { via: 'none' as const, viaId: null }
    return { id: newId(at), at, user: user?.id ?? null, email, ...by, address: ip, action, target, detail }
  }
}

export type Scribe = ReturnType<typeof createScribe>
