/** What a route declares. Registration, 405 answers, the key check and `docs/openapi.json` all derive from it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { invalid } from '../core/errors.ts'
import { read } from '../core/shape.ts'
import type { Key, Scope, User } from '../ports/accounts.ts'

export type Method = 'GET' | 'POST' | 'DELETE' | 'PATCH' | 'HEAD'

export interface Caller {
  user: User
  /** Of a session: shaped like a key, with the session's id. */
  key: Key
  via: 'key' | 'session'
}

/**
 * What a route asks for, besides a key with a scope. `admin`: such a key, with the scope `account`, of an administrator.
 * `open`: nothing. `signed`: brings its right along in the address or the form. `visitor`: nothing, but only our own pages
 * may ask. `session`: the same, and the cookie of somebody who is signed in; a cookie works nowhere else.
 */
export type Access = Scope | 'admin' | 'open' | 'signed' | 'visitor' | 'session'

/** Routes that answer the cookie's owner, and are kept out of everybody else's reach and memory. */
export const isOfSession = (access: Access): access is 'visitor' | 'session' =>
  access === 'visitor' || access === 'session'

/** What a handler gets: the request, and who sent it (only on protected routes). */
export interface Ask<Q> {
  request: FastifyRequest
  reply: FastifyReply
  params: Record<string, string>
  query: Q
  body: unknown
  caller: Caller
  /** Fires when the caller has gone away. */
  signal: AbortSignal
}

export interface Route<Q extends TObject = TObject> {
  method: Method
  /** With `:name` for parameters. */
  path: string
  tag: string
  summary: string
  access: Access
  query?: Q
  body?: TSchema
  /** Documented answer; null for an empty body. */
  answer: { status: 200 | 201 | 302; schema: TSchema | null }
  /** Media type of the answer when it is not JSON. */
  produces?: string
  /** Takes an Idempotency-Key. */
  creates?: true
  /** Pages of other origins may call it. */
  cors?: true
  /** Reads the request's bytes itself; the body may have any type. */
  raw?: true
  handle(ask: Ask<Static<Q>>): Promise<unknown>
}

export const route = <Q extends TObject>(declared: Route<Q>): Route => declared as unknown as Route

/** The body by its schema, or every problem it has. */
export function readBody<S extends TObject>(schema: S, body: unknown): Static<S> {
  const { value, issues } = read(schema, body ?? {})
  if (issues.length) throw invalid(issues)
  return value
}

/** Query parameters by their schema; what is not declared is ignored. */
export function readQuery<Q extends TObject>(schema: Q | undefined, given: unknown): Static<Q> {
  if (!schema) return {} as Static<Q>
  const { value, issues } = read(schema, given)
  if (issues.length) throw invalid(issues)
  return value
}
