/** What a route declares. Registration, 405 answers, the key check and `docs/openapi.json` all derive from it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { invalid } from '../core/errors.ts'
import { read } from '../core/shape.ts'
import type { Key, Scope, User } from '../ports/accounts.ts'

export type Method = 'GET' | 'POST' | 'DELETE' | 'PATCH' | 'HEAD'

export interface Caller {
  user: User
  key: Key
}

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
  /** A scope for protected routes; `open` needs no key; `signed` brings its right along in the address or the form. */
  access: Scope | 'open' | 'signed'
  query?: Q
  body?: TSchema
  /** Documented answer; null for an empty body. */
  answer: { status: 200 | 201; schema: TSchema | null }
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

/** Query parameters by their schema; what is not declared is ignored. */
export function readQuery<Q extends TObject>(schema: Q | undefined, given: unknown): Static<Q> {
  if (!schema) return {} as Static<Q>
  const { value, issues } = read(schema, given)
  if (issues.length) throw invalid(issues)
  return value
}
