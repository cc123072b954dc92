/** The HTTP service: registers the declared routes and what holds for all of them. */

import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { notFound, Problem } from '../core/errors.ts'
import { requireType } from './accept.ts'
import type { HttpDeps } from './deps.ts'
import { asProblem, notJson, sendProblem } from './errors.ts'
import { isForm } from './form.ts'
import { answerGarbage } from './garbage.ts'
import { limitHeaders, tooMany } from './limits.ts'
import { requireOwnPage } from './own-page.ts'
import { newRequestId } from './request-id.ts'
import { type Caller, isOfSession, type Route, readQuery } from './route.ts'
import { throwAway } from './throw-away.ts'

/** A job may carry several base64 files of 1.5 MB each. */
const BODY_LIMIT = 32 * 1024 * 1024

export interface ServerOptions {
  deps: HttpDeps
  routes: readonly Route[]
  logger: FastifyBaseLogger
  /** Makes the server that the requests come from. */
  serve(listener: RequestListener): Server | HttpsServer
  observe?(route: string, method: string, status: number, seconds: number): void
}

export async function createServer({ deps, routes, logger, serve, observe }: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (listener) => serve(listener as unknown as RequestListener) as Server,
    genReqId: (request: IncomingMessage) => requestId(request),
    trustProxy: (address: string) => deps.settings.trustProxy(address),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: false },
    exposeHeadRoutes: true,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem(asProblem(error), request, reply),
    clientErrorHandler: answerGarbage,
  })
  // Forms are read by the routes that take them.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  readJson(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    observe?.(route, request.method, reply.statusCode, reply.elapsedTime / 1000)
    const fields = {
      id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    request.log.debug(fields, 'answered')
  })
  app.setErrorHandler((error, request, reply) => {
    const problem = asProblem(error)
    // Who hung up in the middle of something has not found an error of ours.
    if (problem.status >= 500 && !request.socket.destroyed)
      request.log.error({ err: error, id: request.id }, 'request failed')
    if (problem.code === 'too_large') {
      // Closing at once, as Fastify means to, would lose the answer to a client that is still sending.
      reply.removeHeader('Connection')
      throwAway(request)
    }
    return sendProblem(problem, request, reply)
  })
  app.setNotFoundHandler(async (request, reply) => {
    await limit(request, reply, null)
    const [path = ''] = request.url.split('?')
    const allow = allowed(path)
    if (allow)
      throw new Problem('method_not_allowed', `This address takes ${allow} only.`, { headers: { Allow: allow } })
    throw notFound(`The address ${request.method} ${path}`)
  })

  const allowed = allowedOn(routes)
  const home = new URL(deps.links.self('/')).origin

  async function limit(request: FastifyRequest, reply: FastifyReply, caller: Caller | null): Promise<void> {
    const { rateLimit } = deps.settings
    const perMinute = caller ? ((await deps.plans.of(caller.user)).ratePerMinute ?? rateLimit) : rateLimit
    if (perMinute === 0) return
    const who = caller ? `key ${caller.key.id}` : `address ${request.ip}`
    const allowance = deps.limiter.take(who, perMinute, deps.clock.now())
    reply.headers(limitHeaders(perMinute, allowance))
    if (!allowance.ok) throw tooMany(perMinute, allowance.wait)
  }

  async function identify(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
    if (route.access === 'open' || route.access === 'signed') {
      await limit(request, reply, null)
      return null
    }
    if (isOfSession(route.access)) {
      await limit(request, reply, null)
      reply.header('Cache-Control', 'no-store')
      requireOwnPage(request, home)
      return route.access === 'session' ? deps.auth.bySession(request.headers.cookie) : null
    }
    try {
      const caller = await deps.auth.identify(request.headers.authorization)
      await limit(request, reply, caller)
      deps.auth.allow(caller, route.access === 'admin' ? 'account' : route.access)
      if (route.access === 'admin') deps.auth.allowAdmin(caller)
      return caller
    } catch (error) {
      // Guessing keys counts against the address.
      if (error instanceof Problem && error.code === 'unauthorized') await limit(request, reply, null)
      throw error
    }
  }

  const callers = new WeakMap<FastifyRequest, Caller>()
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      onRequest: async (request, reply) => {
        if (route.cors) reply.header('Access-Control-Allow-Origin', '*')
        const caller = await identify(route, request, reply)
        if (caller) callers.set(request, caller)
        if (!route.produces) requireType(request.headers.accept, 'application/json')
        else if (route.produces === 'text/event-stream') requireType(request.headers.accept, route.produces)
      },
      handler: async (request, reply) => {
        const gone = new AbortController()
        // It closes after every answer; only when that was not sent whole has the caller gone away.
        reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
        if (!route.raw && isForm(request.headers['content-type'])) throw notJson()
        const answer = await route.handle({
          request,
          reply,
          params: request.params as Record<string, string>,
          query: readQuery(route.query, request.query),
          body: request.body,
          caller: callers.get(request)!,
          signal: gone.signal,
        })
        if (!reply.sent && reply.statusCode === 200 && route.answer.status !== 200) reply.code(route.answer.status)
        return answer
      },
    })
  }
  answerPreflights(app, routes)
  return app
}

const methodsOf = (group: readonly Route[]): string =>
  [...new Set(group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ')

/** "Known path, wrong method: 405 with `Allow`." Answers what a path takes, or null when there is no such path. */
function allowedOn(routes: readonly Route[]): (path: string) => string | null {
  const known = [...Map.groupBy(routes, (route) => route.path)].map(([path, group]) => ({
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`),
    allow: methodsOf(group),
  }))
  return (path) => known.find(({ pattern }) => pattern.test(path))?.allow ?? null
}

/** Pages of other origins may call some routes; their browsers ask first. */
function answerPreflights(app: FastifyInstance, routes: readonly Route[]): void {
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const allow = methodsOf(group)
    const cors = group.some((route) => route.cors)
    app.options(path, async (_request, reply) => {
      reply.header('Allow', `${allow}, OPTIONS`)
      if (cors)
        reply.headers({
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Methods': allow,
          'Access-Control-Allow-Headers': '*',
          'Access-Control-Max-Age': '86400',
        })
      return reply.code(204).send()
    })
  }
}

/** JSON only; an empty body is fine where none is needed. */
function readJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(
    /^application\/([\w.+-]+\+)?json\b/i,
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => {
      if (text.trim() === '') return undefined
      try {
        return JSON.parse(text, (name, value) => (name === '__proto__' ? undefined : value)) as unknown
      } catch {
        throw new Problem('invalid_parameter', 'The body is not valid JSON.')
      }
    },
  )
}

/** Ours, unless a proxy already gave the request a plain one. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : newRequestId()
}
