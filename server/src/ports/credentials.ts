/** How people come in: sessions, tickets, identities at a provider, and tries that failed. Only hashes are ever kept. */
import type { User } from './accounts.ts'
import type { Also } from './sql.ts'

export interface Session {
  id: string
  user: string
  createdAt: number
  /** To the minute. */
  seenAt: number
  /** Over at this moment unless it is used before. */
  idleAt: number
  /** Over at this moment in any case. */
  endsAt: number
}

export interface Sessions {
  add(session: Session, hash: string, also?: Also): Promise<void>
  /** One that is over is not found. */
  byHash(hash: string, now: number): Promise<Session | null>
  /** By a short-lived token of it, which is worth nothing once the session is over. */
  byToken(hash: string, now: number): Promise<Session | null>
  addToken(session: string, hash: string, endsAt: number, now: number): Promise<void>
  seen(id: string, now: number, idleAt: number): Promise<void>
  remove(id: string, also?: Also): Promise<boolean>
  expire(now: number): Promise<void>
}

export const TICKETS = ['first', 'invite', 'reset'] as const
/** first: to take over a new installation; invite: to join; reset: to set another password. */
export type TicketKind = (typeof TICKETS)[number]

export interface Ticket {
  user: string
  kind: TicketKind
  createdAt: number
  endsAt: number
}

export interface Tickets {
  /** Takes the place of the user's earlier ones, unless it is the first: every node of many makes one. */
  add(ticket: Ticket, hash: string, also?: Also): Promise<void>
  /** One that is over or spent is not found. */
  find(hash: string, now: number): Promise<Ticket | null>
  expire(now: number): Promise<void>
}

export interface Passwords {
  /** The hash is null while none was set. */
  of(user: string): Promise<string | null>
  /** Ends every session of the user but `keep`, and their tickets; answers the ids of the ended sessions. */
  set(user: string, password: string, keep: string | null, also?: Also): Promise<string[]>
  /** By a ticket, once: null when it is over or spent. May name the user anew; throws EmailTaken. Ends every session. */
  redeem(
    hash: string,
    to: { password: string; email?: string },
    now: number,
    also?: Also,
  ): Promise<{ user: User; kind: TicketKind; ended: string[] } | null>
  /** Whether an administrator can come in, by password or by a provider. */
  isRuled(): Promise<boolean>
}

export interface Identities {
  find(issuer: string, subject: string): Promise<User | null>
  link(issuer: string, subject: string, user: string, also?: Also): Promise<void>
}

/** How fast tries get slower: so many are free, then each doubles the wait. Milliseconds. */
export interface Patience {
  free: number
  first: number
  most: number
}

export interface Trials {
  /** Counts a try before its outcome is known, or answers how long to wait: tries side by side are all counted. */
  take(subject: string, now: number, patience: Patience): Promise<{ wait: number; failures: number }>
  /** It went well: nothing is held against them. */
  clear(subject: string): Promise<void>
  /** It went well: this one try does not count. */
  giveBack(subject: string, failures: number, now: number): Promise<void>
  expire(before: number): Promise<void>
}

export interface Credentials {
  sessions: Sessions
  tickets: Tickets
  passwords: Passwords
  identities: Identities
  trials: Trials
}
