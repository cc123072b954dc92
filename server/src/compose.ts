/** Builds the house: the only file that names implementations. */
import { existsSync, mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createDiskBlobs } from './blobs/disk-blobs.ts'
import { createMemoryBus } from './bus/memory-bus.ts'
import { createCatalog } from './catalog/catalog.ts'
import { checkEngines } from './catalog/check.ts'
import type { Config } from './config.ts'
import { createSealer } from './core/secret.ts'
import { createSigner } from './core/sign.ts'
import { HOUR } from './core/task.ts'
import { createSnapshots } from './engines/chromium/snapshot.ts'
import { chromium } from './engines/chromium.ts'
import { engines } from './engines/index.ts'
import { probe } from './engines/kit/probe.ts'
import { createResidents } from './engines/resident.ts'
import { ensureFirstKey } from './first-key.ts'
import { createAuth } from './http/auth.ts'
import type { HttpDeps } from './http/deps.ts'
import { createLimiter } from './http/limits.ts'
import { createLinks } from './http/links.ts'
import { createMetrics } from './http/metrics.ts'
import { createPresenter } from './http/present.ts'
import { createWebhookSecrets } from './http/webhook-secrets.ts'
import { parseCidrs } from './net/addresses.ts'
import { openEgress } from './net/egress-proxy.ts'
import { createGuard, GuardError } from './net/guard.ts'
import { redirectedMessage } from './net/guard-error.ts'
import { ensureSecrets } from './net/secrets-file.ts'
import { operations } from './operations/index.ts'
import { createIntake } from './operations/intake.ts'
import type { Clock } from './ports/clock.ts'
import { createMemoryQueue } from './queue/memory-queue.ts'
import { createContexts } from './runner/context.ts'
import { createJanitor } from './runner/janitor.ts'
import { startWorker } from './runner/worker.ts'
import { openSandbox } from './sandbox/detect.ts'
import { diskUse } from './sandbox/disk-use.ts'
import { openOutput } from './sandbox/outputs.ts'
import { removeTree } from './sandbox/remove-tree.ts'
import { ownFolder } from './store/owner-lock.ts'
import { migrate } from './store/schema.ts'
import { createSqlAccounts } from './store/sql-accounts.ts'
import { createSqlStore } from './store/sql-store.ts'
import { createSqlWebhooks } from './store/sql-webhooks.ts'
import { openSqlite } from './store/sqlite.ts'
import { version } from './version.ts'

/** Built by setup where there is a compiler. */
const LANDLOCK_HELPER = join(import.meta.dirname, '../../.tools/bin/landlock-box')

/** Small work waits for the disk and for its words now and then; one more than there are cores fills those gaps. */
const BESIDE = 1
/** Connections and links cost little: imports and exports wait for others most of the time. */
const IO_AT_ONCE = 16
const SWEEP_EVERY = 60_000

/** A guard's words are for users; any other error is ours. */
function wordsOf(error: unknown): string {
  if (error instanceof GuardError) return error.message
  throw error
}

const systemClock: Clock = { now: () => Date.now() }

/** What is kept on disk, opened: enough for the command line to work on beside a running server. */
export async function openData(config: Config) {
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const database = openSqlite(join(config.data, 'reforge.db'))
  await migrate(database)
  return { database, accounts: createSqlAccounts(database), webhooks: createSqlWebhooks(database) }
}

export async function compose(config: Config, clock: Clock = systemClock) {
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }))
  const mistakes = checkEngines(engines)
  if (mistakes.length) throw new Error(`The engines' declarations are wrong:\n${mistakes.join('\n')}`)

  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const disown = ownFolder(config.data)
  try {
    return await build(config, clock, log, disown)
  } catch (error) {
    disown()
    throw error
  }
}

async function build(config: Config, clock: Clock, log: pino.Logger, disown: () => void) {
  const scratch = join(config.data, 'scratch')
  const uploads = join(config.data, 'uploads')
  await removeTree(scratch)
  for (const dir of [scratch, uploads]) await mkdir(dir, { recursive: true, mode: 0o700 })
  const helper = existsSync(LANDLOCK_HELPER) ? LANDLOCK_HELPER : null
  const sandbox = await openSandbox({ unsafe: config.unsafeNoSandbox, landlockHelper: helper, scratch })

  const { database, accounts, webhooks } = await openData(config)
  const queue = createMemoryQueue()
  const bus = createMemoryBus()
  const store = createSqlStore(database, { queue, bus })
  const blobs = await createDiskBlobs(join(config.data, 'blobs'))
  const secrets = await ensureSecrets(join(config.data, 'secrets'))
  const sealer = createSealer(secrets.master)
  const firstKey = await ensureFirstKey(accounts, config.apiKey, clock.now())

  const probed = probe(engines, sandbox.profiles)
  const catalog = createCatalog(probed.filter(({ ready }) => ready).map(({ engine }) => engine))
  const concurrency = config.concurrency ?? availableParallelism()
  const yards = {
    folder: join(scratch, 'yards'),
    bytesIn: (path: string, enough: number) => diskUse([path], enough),
    remove: removeTree,
  }
  const residents = createResidents(sandbox, { busy: concurrency + BESIDE, yards })
  const guard = createGuard({ allow: parseCidrs(config.allowPrivateCidrs) })
  const intake = createIntake(blobs, clock, config.maxFileSize)
  const browser = probed.find(({ engine }) => engine.id === chromium.id)
  const snapshot = createSnapshots({
    sandbox,
    wayOut: (limits) => openEgress(guard, limits),
    redirected: redirectedMessage,
    atOnce: concurrency + BESIDE,
  })
  const metrics = createMetrics(queue)

  const worker = () =>
    startWorker({
      store,
      queue,
      blobs,
      clock,
      sealer,
      operations,
      catalog,
      log,
      transact: database.transact,
      taskTimeout: config.taskTimeout * 1000,
      capacity: { io: IO_AT_ONCE, light: concurrency + BESIDE, heavy: Math.max(1, Math.floor(concurrency / 2)) },
      ended: metrics.task,
      contexts: createContexts({
        blobs,
        clock,
        catalog,
        guard,
        intake,
        sandbox,
        snapshot: browser?.ready ? snapshot : null,
        openOutput,
        removeTree,
        scratch,
        maxFileSize: config.maxFileSize,
        limits: { seconds: config.maxMediaDuration, pixels: config.maxMediaPixels },
        storages: config,
        ask: (kind, user, question, input, output, { signal, progress }) =>
          residents.ask(kind, user, question, input, output, signal, progress),
      }),
    })

  const janitor = createJanitor({
    store,
    webhooks,
    blobs,
    clock,
    log,
    uploads,
    uploadTimeout: config.uploadTimeout * 1000,
    orphanAge: Math.max(HOUR, 2 * config.taskTimeout * 1000),
  })

  /** Needs the address that links begin with, which is known when the port is. */
  const httpDeps = (baseUrl: string): HttpDeps => {
    const links = createLinks(baseUrl, createSigner(secrets.links), config.uploadTimeout)
    return {
      store,
      accounts,
      queue,
      blobs,
      bus,
      clock,
      sandbox,
      catalog,
      operations,
      sealer,
      intake,
      auth: createAuth(accounts, clock),
      links,
      present: createPresenter(links),
      webhooks,
      webhookSecrets: createWebhookSecrets(sealer, webhooks),
      unreachable: (url) => guard.check(url).then(() => null, wordsOf),
      limiter: config.rateLimit > 0 ? createLimiter(config.rateLimit) : null,
      settings: {
        version,
        uploads,
        maxFileSize: config.maxFileSize,
        concurrency,
        metricsToken: config.metricsToken,
        trustProxy: parseCidrs(config.trustedProxies),
      },
    }
  }

  return {
    log,
    store,
    webhooks,
    guard,
    bus,
    clock,
    sandbox,
    catalog,
    janitor,
    metrics,
    firstKey,
    httpDeps,
    engines: probed.map(({ engine, ready, missing }) => ({
      id: engine.id,
      title: engine.title,
      ready,
      missing: missing.map(({ program, debian }) => ({ program, ...(debian && { debian }) })),
    })),
    /** Offers what was left unfinished, then starts the worker and the janitor. Answers how to stop them. */
    async work() {
      const left = await store.ready()
      await database.transact((tx) => queue.offer(tx, left))
      const running = worker()
      for (const { engine, ready } of probed)
        if (ready) for (const kind of engine.residents ?? []) void residents.warm(kind).catch(() => {})
      const rest = janitor.start(SWEEP_EVERY)
      return async (grace: number) => {
        await rest()
        await running.stop(grace)
      }
    },
    async close() {
      await residents.close()
      await sandbox.close()
      await queue.close()
      await store.close()
      await database.close()
      disown()
    },
  }
}
