/** For operators: is all well, and how much is going on. */
import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { Type } from 'typebox'
import { Problem } from '../../core/errors.ts'
import { keyHash } from '../../core/key.ts'
import type { HttpDeps } from '../deps.ts'
import type { Metrics } from '../metrics.ts'
import { type Route, route } from '../route.ts'

export interface EngineState {
  id: string
  title: string
  ready: boolean
  /** What is not there, and the package that brings it. */
  missing: { program: string; debian?: string }[]
}

const isLoopback = (address: string): boolean =>
  isIP(address) === 4 ? address.startsWith('127.') : address === '::1' || address.startsWith('::ffff:127.')

const sameText = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(keyHash(a)), Buffer.from(keyHash(b)))

export function systemRoutes(deps: HttpDeps, engines: readonly EngineState[], metrics: Metrics): Route[] {
  const { sandbox, queue, blobs, store, settings } = deps
  return [
    route({
      method: 'GET',
      path: '/health',
      tag: 'System',
      summary: 'Engines, sandbox, disk and queue of this installation.',
      access: 'open',
      answer: { status: 200, schema: Type.Unsafe<unknown>({ type: 'object' }) },
      async handle({ reply }) {
        const [disk, depth, tasks] = await Promise.all([blobs.space(), queue.depth(), store.counts()])
        const short = disk !== null && disk.free < 1024 ** 3
        const ok = engines.some(({ ready }) => ready) && !short
        if (!ok) reply.code(503)
        return {
          status: !ok ? 'failing' : sandbox.kind === 'none' ? 'unsafe' : 'ok',
          version: settings.version,
          sandbox: {
            kind: sandbox.kind,
            ...(sandbox.kind === 'none' && {
              warning: 'Engines run without a sandbox: REFORGE_UNSAFE_NO_SANDBOX is set.',
            }),
          },
          engines,
          disk: disk && { ...disk, ...(short && { warning: 'Less than 1 GB is free.' }) },
          queue: depth,
          tasks,
        }
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
