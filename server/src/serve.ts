/** Opens the port and serves; knows how to stop without losing anything. */
import type { RequestListener } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DEFAULT_CIPHERS } from 'node:tls'
import { compose } from './compose.ts'
import { bucketOrigin, type Config } from './config.ts'
import type { HttpDeps } from './http/deps.ts'
import { registerPages } from './http/pages.ts'
import { registerResumable } from './http/resumable.ts'
import { createRoutes } from './http/routes/index.ts'
import { systemRoutes } from './http/routes/system.ts'
import { createServer } from './http/server.ts'
import { parseCidrs } from './net/addresses.ts'
import { createEntrance } from './net/entrance.ts'
import { createOnePort } from './net/one-port.ts'
import { ensureCertificates } from './net/tls.ts'
import { createRealtime } from './notify/realtime.ts'
import { jobStream } from './notify/stream.ts'
import { startWebhookSender } from './notify/webhooks.ts'
import type { Clock } from './ports/clock.ts'

/** Whoever holds connections ready, a balancer for a minute most often, must be the first to close them. */
const KEPT_OPEN = 75_000
/** Longer than the longest `wait`, which sends nothing until it answers. */
const SILENCE = 150_000

/** The usual ones, but first the one browsers ask for first: as safe for every use here, and a quarter quicker. */
const CIPHERS = [...new Set(['TLS_AES_128_GCM_SHA256', ...DEFAULT_CIPHERS.split(':')])].join(':')

const EVERYWHERE = ['0.0.0.0', '::']
const isHere = (host: string): boolean => EVERYWHERE.includes(host) || host === '127.0.0.1' || host === '::1'

export interface Serving {
  url: string
  caPath: string
  firstKey: string | null
  /** While no administrator can sign in. */
  firstTicket: string | null
  sandbox: string
  missing: { program: string; debian?: string }[]
  /** Runs the janitor now. */
  sweep(): Promise<unknown>
  stop(): Promise<void>
}

type House = Awaited<ReturnType<typeof compose>>

export async function serve(config: Config, clock?: Clock): Promise<Serving> {
  const house = await compose(config, clock)
  const leave = await house.cluster.join()
  const isWorker = config.role === 'worker'
  const names = [config.host, ...(config.publicUrl ? [new URL(config.publicUrl).hostname] : [])]
  const tls = await ensureCertificates(
    join(config.data, 'tls'),
    names.filter((name) => !EVERYWHERE.includes(name)),
    house.clock.now(),
  )

  const entrance = createEntrance()
  const secure = createOnePort(
    createHttpsServer({ key: tls.key, cert: tls.cert, minVersion: 'TLSv1.2', ciphers: CIPHERS }, entrance.listener),
    { trustedProxies: parseCidrs(config.trustedProxies) },
  )
  // A big file may take hours; a silent connection may not.
  Object.assign(secure, { requestTimeout: 0, headersTimeout: 30_000, timeout: SILENCE, keepAliveTimeout: KEPT_OPEN })
  await new Promise<void>((resolve, reject) => {
    secure.once('error', reject)
    secure.listen(config.port, config.host, resolve)
  })
  const { port } = secure.address() as AddressInfo
  const url = config.publicUrl ?? `https://${isHere(config.host) ? 'localhost' : config.host}:${port}`

  const deps = house.httpDeps(url)
  const { present } = deps
  const routes = isWorker
    ? systemRoutes(deps, house.engines, house.metrics)
    : createRoutes({
        deps,
        engines: house.engines,
        metrics: house.metrics,
        follow: (job, after, signal) =>
          jobStream({ store: house.store, bus: house.bus, present: present.event }, job, after, signal),
      })
  const { promise: made, resolve: make } = Promise.withResolvers<RequestListener>()
  const app = await createServer({
    deps,
    routes,
    logger: house.log,
    observe: house.metrics.request,
    serve: (listener) => {
      make(listener)
      return secure
    },
  })
  if (!isWorker) {
    registerResumable(app, deps)
    await registerPages(app, join(import.meta.dirname, '../../web/dist'), bucketOrigin(config))
  }
  await app.ready()
  const quiet = isWorker ? async () => {} : tellOthers(house, deps, secure)
  entrance.open(secure, await made)
  const rest = await house.work()

  return {
    url,
    caPath: tls.caPath,
    firstKey: house.firstKey,
    firstTicket: house.firstTicket,
    sandbox: house.sandbox,
    missing: house.engines.flatMap((engine) => engine.missing),
    sweep: house.janitor.sweep,
    async stop() {
      const closed = new Promise((resolve) => secure.close(resolve))
      // First, so that nobody counts on us any more.
      await leave()
      await rest(config.drain * 1000)
      await quiet()
      secure.closeAllConnections()
      await closed
      await app.close()
      await house.close()
    },
  }
}

/** What happens is told over sockets and to webhooks. Answers how to end that. */
function tellOthers(house: House, deps: HttpDeps, server: HttpsServer): () => Promise<void> {
  const { present, auth } = deps
  const realtime = createRealtime({
    server,
    store: house.store,
    bus: house.bus,
    present: present.event,
    failed: (error) => house.log.error({ err: error }, 'an event could not be told'),
    async identify(header) {
      const caller = await auth.identify(header)
      auth.allow(caller, 'tasks:read')
      return { user: caller.user.id, key: caller.key.id }
    },
  })
  const quiet = startWebhookSender({
    webhooks: house.webhooks,
    bus: house.bus,
    clock: house.clock,
    show: (told) => ('job' in told ? present.job(told.job, told.tasks) : { ...told }),
    secretsFor: (delivery) => deps.webhookSecrets.signing(delivery, house.clock.now()),
    post: house.guard.post,
    failed: (error) => house.log.error({ err: error }, 'a webhook could not be served'),
  })
  return async () => {
    await quiet()
    await realtime.close()
  }
}
