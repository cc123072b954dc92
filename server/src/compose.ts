/** Builds the house: the only file that names implementations. */
import { mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism, hostname } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { checkEngines } from './catalog/check.ts'
import { checkKey, openDatabase, openRecords } from './compose-records.ts'
import { capacityOf, openBlobs, openWorkshop, statesOf, type Workshop } from './compose-workshop.ts'
import type { Config } from './config.ts'
import { newId } from './core/ids.ts'
import { createSealer } from './core/secret.ts'
import { createSigner } from './core/sign.ts'
import { HOUR } from './core/task.ts'
import { engines } from './engines/index.ts'
import { ensureFirstKey, ensureFirstTicket } from './first-key.ts'
import { createScribe } from './http/audited.ts'
import { createAuth } from './http/auth.ts'
import type { HttpDeps } from './http/deps.ts'
import { createLimiter } from './http/limits.ts'
import { createLinks } from './http/links.ts'
import { createMetrics } from './http/metrics.ts'
import { createPasswords } from './http/passwords.ts'
import { createPlanBook } from './http/plan-book.ts'
import { createPresenter } from './http/present.ts'
import { createQuota } from './http/quota.ts'
import { createSharedLimiter } from './http/shared-limits.ts'
import { createSlowDown } from './http/slow-down.ts'
import { createWebhookSecrets } from './http/webhook-secrets.ts'
import { parseCidrs } from './net/addresses.ts'
import { createGuard, GuardError } from './net/guard.ts'
import { createOidc } from './net/oidc.ts'
import { ensureSecrets, secretsFrom } from './net/secrets-file.ts'
import { createCluster } from './operations/cluster.ts'
import { createEndings } from './operations/end-user.ts'
import { operations } from './operations/index.ts'
import { createIntake } from './operations/intake.ts'
import { userGone } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { Database } from './ports/sql.ts'
import { createContexts } from './runner/context.ts'
import { createForeman } from './runner/foreman.ts'
import { createJanitor } from './runner/janitor.ts'
import { createPartWorker } from './runner/part-worker.ts'
import { createWorkbenches } from './runner/workbench.ts'
import { startWorker } from './runner/worker.ts'
import { openOutput } from './sandbox/outputs.ts'
import { removeTree } from './sandbox/remove-tree.ts'
import { ownFolder } from './store/owner-lock.ts'
import { createSqlAccounts } from './store/sql-accounts.ts'
import { createSqlAudit } from './store/sql-audit.ts'
import { createSqlCredentials } from './store/sql-credentials.ts'
import { createSqlMetering } from './store/sql-metering.ts'
import { createSqlNodes } from './store/sql-nodes.ts'
import { createSqlParts } from './store/sql-parts.ts'
import { createSqlRequests } from './store/sql-requests.ts'
import { createSqlUsers } from './store/sql-users.ts'
import { createSqlWebhooks } from './store/sql-webhooks.ts'
import { version } from './version.ts'

const SWEEP_EVERY = 60_000

/** A guard's words are for users; any other error is ours. */
function wordsOf(error: unknown): string {
  if (error instanceof GuardError) return error.message
  throw error
}

function providerOf({ oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret, oidcTitle }: Config) {
  if (issuer === null || clientId === null) return null
  return createOidc({ issuer, clientId, clientSecret: oidcClientSecret, title: oidcTitle })
}

const systemClock: Clock = { now: () => Date.now() }

/** What is kept, opened: enough for the command line to work on beside a running server. */
export async function openData(config: Config) {
  const database = await openDatabase(config)
  return {
    database,
    accounts: createSqlAccounts(database),
    users: createSqlUsers(database),
    credentials: createSqlCredentials(database),
    audit: createSqlAudit(database),
    metering: createSqlMetering(database),
    webhooks: createSqlWebhooks(database),
  }
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

/** Whoever takes requests makes sure that somebody can send some; several may start at once on an empty database. */
async function first(
  { role }: Config,
  database: Database,
  make: () => Promise<[key: string | null, ticket: string | null]>,
): Promise<[key: string | null, ticket: string | null]> {
  if (role === 'worker') return [null, null]
  const { alone } = database.locks
  if (alone.length === 0) return make()
  return database.transact(async (tx) => {
    for (const statement of alone) await tx.run(statement)
    return make()
  })
}

async function build(config: Config, clock: Clock, log: pino.Logger, disown: () => void) {
  const scratch = join(config.data, 'scratch')
  const uploads = join(config.data, 'uploads')
  await removeTree(scratch)
  for (const dir of [scratch, uploads]) await mkdir(dir, { recursive: true, mode: 0o700 })
  const { database, accounts, users, credentials, audit, metering, webhooks } = await openData(config)
  const records = await openRecords(database, { clock, log })
  const { queue, bus, store } = records
  const blobs = await openBlobs(config, log)
  const secrets = config.secret ? secretsFrom(config.secret) : await ensureSecrets(join(config.data, 'secrets'))
  if (config.databaseUrl) await checkKey(database, secrets.master)
  const sealer = createSealer(secrets.master)
  const [firstKey, firstTicket] = await first(config, database, async () => [
    await ensureFirstKey({ accounts, users }, config.apiKey, clock.now()),
    await ensureFirstTicket({ users, credentials }, clock.now()),
  ])
  const endings = createEndings({ store, users, blobs, clock, sendAway: (user) => bus.publish(userGone(user)) })

  const concurrency = config.concurrency ?? availableParallelism()
  const guard = createGuard({ allow: parseCidrs(config.allowPrivateCidrs) })
  const intake = createIntake(blobs, clock)
  const workshop = config.role === 'api' ? null : await openWorkshop(config, { scratch, concurrency, guard })
  const capacity = capacityOf(config, concurrency)
  const cluster = createCluster({
    nodes: config.databaseUrl ? createSqlNodes(database) : null,
    engines,
    clock,
    self: {
      id: newId(clock.now()),
      role: config.role,
      version,
      name: hostname(),
      abilities: workshop?.abilities ?? [],
      capacity,
      startedAt: clock.now(),
    },
    failed: (error) => log.warn({ err: error }, 'the other nodes cannot be seen'),
  })
  const metrics = createMetrics(queue)

  const parts = createSqlParts(database, { queue, clock })
  const foreman =
    config.splitVideo > 0 ? createForeman({ parts, blobs, cluster, log, seconds: config.splitVideo }) : null

  const worker = (shop: Workshop) => {
    const workbenches = createWorkbenches({
      ...{ blobs, sandbox: shop.sandbox, removeTree, scratch },
      limits: { seconds: config.maxMediaDuration, pixels: config.maxMediaPixels },
      ask: (kind, user, question, input, output, { signal, progress }) =>
        shop.residents.ask(kind, user, question, input, output, signal, progress),
    })
    const { transact } = database
    const taskTimeout = config.taskTimeout * 1000
    return startWorker({
      store,
      queue,
      blobs,
      clock,
      sealer,
      metering,
      operations,
      cluster,
      log,
      transact,
      taskTimeout,
      capacity,
      ended: metrics.task,
      maxFileSize: config.maxFileSize,
      contexts: createContexts({
        blobs,
        clock,
        catalog: shop.catalog,
        guard,
        intake,
        workbenches,
        foreman,
        snapshot: shop.snapshot,
        openOutput,
        storages: config,
      }),
      parts: createPartWorker({
        ...{ parts, transact, blobs, clock, workbenches, openOutput, log },
        catalog: shop.catalog,
        timeout: taskTimeout,
      }),
    })
  }

  const janitor = createJanitor({
    store,
    webhooks,
    credentials,
    audit,
    endings,
    parts,
    auditKept: config.auditDays * 24 * HOUR,
    blobs,
    clock,
    log,
    uploads,
    uploadTimeout: config.uploadTimeout * 1000,
    orphanAge: Math.max(HOUR, 2 * config.taskTimeout * 1000),
    orphansEvery: config.s3Bucket ? HOUR : 0,
    cluster,
  })

  const plans = createPlanBook(metering.plans, clock)
  const limiter = config.databaseUrl
    ? createSharedLimiter({
        ...{ local: createLimiter(), requests: createSqlRequests(database), clock },
        failed: (error) => log.warn({ err: error }, 'requests cannot be counted over all nodes'),
      })
    : createLimiter()

  /** Needs the address that links begin with, which is known when the port is. */
  const httpDeps = (baseUrl: string): HttpDeps => {
    const direct = blobs.incoming !== undefined
    const links = createLinks(baseUrl, createSigner(secrets.links), config.uploadTimeout, direct)
    return {
      store,
      accounts,
      queue,
      blobs,
      bus,
      clock,
      sandbox: { kind: workshop?.sandbox.kind ?? 'elsewhere' },
      catalog: cluster.catalog,
      nodes: cluster.nodes,
      operations,
      sealer,
      intake,
      users,
      credentials,
      audit,
      scribe: createScribe(clock),
      hashing: createPasswords(),
      slowDown: createSlowDown(credentials.trials, clock),
      endings,
      identityProvider: providerOf(config),
      auth: createAuth(accounts, credentials.sessions, clock),
      links,
      present: createPresenter(links),
      webhooks,
      webhookSecrets: createWebhookSecrets(sealer, webhooks),
      unreachable: (url) => guard.check(url).then(() => null, wordsOf),
      limiter,
      metering,
      plans,
      quota: createQuota({ metering, plans, clock, refused: metrics.refused }),
      settings: {
        version,
        uploads,
        maxFileSize: config.maxFileSize,
        concurrency,
        rateLimit: config.rateLimit,
        metricsToken: config.metricsToken,
        guests: config.guests,
        oidc: { allow: config.oidcAllow, rules: config.oidcGroups },
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
    sandbox: workshop?.sandbox.kind ?? 'elsewhere',
    cluster,
    janitor,
    metrics,
    firstKey,
    firstTicket,
    httpDeps,
    engines: statesOf(workshop, cluster),
    /** Offers what was left unfinished, then starts the worker and the janitor. Answers how to stop them. */
    async work() {
      await records.recall()
      const running = workshop && worker(workshop)
      if (config.warm) workshop?.warm()
      const rest = config.role === 'worker' ? async () => {} : janitor.start(SWEEP_EVERY)
      return async (grace: number) => {
        await rest()
        await running?.stop(grace)
      }
    },
    async close() {
      await workshop?.close()
      if ('close' in limiter) await limiter.close()
      await records.close()
      disown()
    },
  }
}
