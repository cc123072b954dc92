/**
 * What a node works with: where its files are, and the engines it has with all they need. Names implementations, as
 * compose.ts does.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createDiskBlobs } from './blobs/disk-blobs.ts'
import { createS3Blobs } from './blobs/s3-blobs.ts'
import { createCatalog } from './catalog/catalog.ts'
import type { Tool } from './catalog/engine.ts'
import { type Config, ConfigError } from './config.ts'
import type { Lane } from './core/task.ts'
import { createSnapshots } from './engines/chromium/snapshot.ts'
import { chromium } from './engines/chromium.ts'
import { engines } from './engines/index.ts'
import { probe } from './engines/kit/probe.ts'
import { createResidents } from './engines/resident.ts'
import type { EngineState } from './http/condition.ts'
import { openEgress } from './net/egress-proxy.ts'
import type { Guard } from './net/guard.ts'
import { redirectedMessage } from './net/guard-error.ts'
import { BROWSER, type Cluster, operationAbility } from './operations/cluster.ts'
import { operations } from './operations/index.ts'
import type { Blobs } from './ports/blobs.ts'
import { openSandbox } from './sandbox/detect.ts'
import { diskUse } from './sandbox/disk-use.ts'
import { removeTree } from './sandbox/remove-tree.ts'

/** Built by setup where there is a compiler. */
const LANDLOCK_HELPER = join(import.meta.dirname, '../../.tools/bin/landlock-box')

/** Small work waits for the disk and for its words now and then; one more than there are cores fills those gaps. */
const BESIDE = 1
/** Connections and links cost little: imports and exports wait for others most of the time. */
const IO_AT_ONCE = 16

/** Files in a bucket, or on this machine's disk. */
export async function openBlobs(config: Config, log: Logger): Promise<Blobs> {
  const { s3Bucket: bucket, s3AccessKey: accessKey, s3SecretKey: secretKey } = config
  if (bucket === null || accessKey === null || secretKey === null) return createDiskBlobs(join(config.data, 'blobs'))
  const { s3Region: region, s3Endpoint: endpoint, s3PublicEndpoint: publicEndpoint } = config
  const forcePathStyle = config.s3ForcePathStyle
  return createS3Blobs(
    { bucket, region, accessKey, secretKey, endpoint, publicEndpoint, forcePathStyle },
    {
      scratch: join(config.data, 'lent'),
      downloads: config.s3Downloads,
      uploads: config.s3Uploads,
      warn: (message) => log.warn(message),
    },
  )
}

export function capacityOf({ role, lanes, splitVideo }: Config, concurrency: number): Record<Lane, number> {
  const most = { io: IO_AT_ONCE, light: concurrency + BESIDE, heavy: Math.max(1, Math.floor(concurrency / 2)) }
  const serves = (lane: Lane) => role !== 'api' && (lanes === null || lanes.includes(lane))
  return {
    io: serves('io') ? most.io : 0,
    light: serves('light') ? most.light : 0,
    heavy: serves('heavy') ? most.heavy : 0,
    // Beside long work: much of it only waits for its parts.
    parts: splitVideo > 0 && serves('heavy') ? most.heavy : 0,
  }
}

export type Workshop = Awaited<ReturnType<typeof openWorkshop>>

/** Everything that engines need, on a node that runs them. */
export async function openWorkshop(
  config: Config,
  { scratch, concurrency, guard }: { scratch: string; concurrency: number; guard: Guard },
) {
  const odd = config.engines?.filter((name) => !engines.some(({ id }) => id === name)) ?? []
  if (odd.length)
    throw new ConfigError(
      `REFORGE_ENGINES names ${odd.join(', ')}. There are: ${engines.map(({ id }) => id).join(', ')}.`,
    )
  const helper = existsSync(LANDLOCK_HELPER) ? LANDLOCK_HELPER : null
  const sandbox = await openSandbox({ unsafe: config.unsafeNoSandbox, landlockHelper: helper, scratch })
  const wanted = engines.filter(({ id }) => config.engines?.includes(id) ?? true)
  const probed = probe(wanted, sandbox.profiles)
  const ready = probed.filter((each) => each.ready).map(({ engine }) => engine)
  const hasBrowser = ready.some(({ id }) => id === chromium.id)
  const yards = {
    folder: join(scratch, 'yards'),
    bytesIn: (path: string, enough: number) => diskUse([path], enough),
    remove: removeTree,
  }
  const residents = createResidents(sandbox, { busy: concurrency + BESIDE, yards })
  const snapshot = createSnapshots({
    sandbox,
    wayOut: (limits) => openEgress(guard, limits),
    redirected: redirectedMessage,
    atOnce: concurrency + BESIDE,
  })
  return {
    sandbox,
    probed,
    residents,
    catalog: createCatalog(ready),
    snapshot: hasBrowser ? snapshot : null,
    abilities: [
      ...ready.map(({ id }) => id),
      ...(hasBrowser ? [BROWSER] : []),
      ...[...operations.keys()].map(operationAbility),
    ],
    warm(): void {
      for (const { residents: kinds = [] } of ready) for (const kind of kinds) void residents.warm(kind).catch(() => {})
    },
    async close(): Promise<void> {
      await residents.close()
      await sandbox.close()
    },
  }
}

/** Of this machine's engines; where it has none, of all that the workers have. */
export function statesOf(workshop: Workshop | null, cluster: Cluster): EngineState[] {
  const state = (id: string, title: string, isReady: () => boolean, missing: readonly Tool[] = []): EngineState => ({
    id,
    title,
    get ready() {
      return isReady()
    },
    missing: missing.map(({ program, debian }) => ({ program, ...(debian && { debian }) })),
  })
  if (!workshop)
    return engines.map(({ id, title }) =>
      state(id, title, () => cluster.catalog.engines.some((engine) => engine.id === id)),
    )
  return workshop.probed.map(({ engine, ready, missing }) => state(engine.id, engine.title, () => ready, missing))
}
