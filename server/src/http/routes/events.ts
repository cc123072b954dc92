/** A job's events as text/event-stream, "the one exception to 406". */
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { invalid, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type Bus, goneUser, revokedKey } from '../../ports/bus.ts'
import type { HttpDeps } from '../deps.ts'
import { type Caller, type Route, route } from '../route.ts'

/** Fires when the caller is sent away: their key was revoked, or they were. */
function sentAway(bus: Bus, { key, user }: Caller, closed: AbortSignal): AbortSignal {
  const away = new AbortController()
  const unsubscribe = bus.subscribe((hint) => {
    if (revokedKey(hint) === key.id || goneUser(hint) === user.id) away.abort()
  })
  closed.addEventListener('abort', unsubscribe, { once: true })
  return away.signal
}

export function eventRoutes(
  { store, bus }: HttpDeps,
  follow: (job: string, after: number, signal: AbortSignal) => Readable,
): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/process/jobs/:jobId/events',
      tag: 'Jobs',
      summary: "Follow a job's events as a stream; resumable with Last-Event-ID.",
      access: 'tasks:read',
      produces: 'text/event-stream',
      answer: { status: 200, schema: Type.String() },
      async handle({ request, reply, params, caller, signal }) {
        const { jobId = '' } = params
        const job = isId(jobId) ? await store.job(jobId) : null
        if (job?.user !== caller.user.id) throw notFound(`The job ${jobId}`)
        const last = request.headers['last-event-id'] ?? '0'
        if (typeof last !== 'string' || !/^\d{1,15}$/.test(last))
          throw invalid([{ path: 'Last-Event-ID', message: 'must be the id of an event of this stream.' }])
        reply.headers({
          'Content-Type': 'text/event-stream; charset=utf-8',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        })
        const done = new AbortController()
        const stream = follow(jobId, Number(last), AbortSignal.any([signal, sentAway(bus, caller, done.signal)]))
        stream.once('close', () => done.abort())
        return reply.send(stream)
      },
    }),
  ]
}
