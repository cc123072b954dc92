/** For operators: is all well, and how much is going on. */
import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { Type } from 'typebox'
import { Problem } from '../../core/errors.ts'
import { keyHash } from '../../core/key.ts'
import { conditionOf, type EngineState } from '../condition.ts'
import type { HttpDeps } from '../deps.ts'
import type { Metrics } from '../metrics.ts'
import { type Route, route } from '../route.ts'

const isLoopback = (address: string): boolean =>
  isIP(address) === 4 ? address.startsWith('127.') : address === '::1' || address.startsWith('::ffff:127.')

const sameText = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(keyHash(a)), Buffer.from(keyHash(b)))

export function systemRoutes(deps: HttpDeps, engines: readonly EngineState[], metrics: Metrics): Route[] {
  const { settings } = deps
  return [
    route({
      method: 'GET',
      path: '/health',
      tag: 'System',
      summary: 'Engines, sandbox, disk and queue of this installation.',
      access: 'open',
      answer: { status: 200, schema: Type.Unsafe<unknown>({ type: 'object' }) },
      async handle({ reply }) {
        const condition = await conditionOf(deps, engines)
        if (condition.status === 'failing') reply.code(503)
        return condition
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      tag: 'System',
      summary: 'Counters for Prometheus; from loopback, or with the metrics token.',
      access: 'open',
      produces: 'text/plain',
      answer: { status: 200, schema: Type.String() },
      async handle({ request, reply }) {
        const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
        const knows = settings.metricsToken !== null && sent !== undefined && sameText(sent, settings.metricsToken)
        if (!knows && !isLoopback(request.ip))
          throw new Problem('forbidden', 'Metrics are shown to loopback, or with the bearer of REFORGE_METRICS_TOKEN.')
        reply.type(metrics.type)
        return metrics.text()
      },
    }),
  ]
}
