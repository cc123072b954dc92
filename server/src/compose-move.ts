/**
 * From one machine to many: copies everything from the data folder to an empty PostgreSQL, and the files into the bucket
 * if there is one. The folder is only read. Names implementations, as compose.ts does.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createDiskBlobs } from './blobs/disk-blobs.ts'
import { checkKey, openDatabase } from './compose-records.ts'
import { openBlobs } from './compose-workshop.ts'
import { type Config, ConfigError } from './config.ts'
import { ensureSecrets, secretsFrom } from './net/secrets-file.ts'
import type { Database, Postgres, Row } from './ports/sql.ts'
import { openPgBossQueue } from './queue/pgboss-queue.ts'
import { copyAll, heldBy } from './store/copy.ts'
import { ownFolder } from './store/owner-lock.ts'
import { shareOf } from './store/sql-metering.ts'
import { readyTasks } from './store/sql-store.ts'

export interface Moved {
  rows: Awaited<ReturnType<typeof copyAll>>
  /** Tasks that go on elsewhere. */
  tasks: number
  files: number
}

/** Throws in words when the server runs, or the target holds anything. */
export async function moveToPostgres(config: Config, url: string, log: Logger): Promise<Moved> {
  if (!existsSync(join(config.data, 'reforge.db')))
    throw new ConfigError(`There is nothing to move: ${config.data} holds no reforge.db.`)
  const disown = refusing(() => ownFolder(config.data))
  try {
    const source = await openDatabase({ data: config.data, databaseUrl: null })
    try {
      const target = (await openDatabase({ data: config.data, databaseUrl: url })) as Postgres
      try {
        return await move(source, target, config, log)
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
    }
  } finally {
    disown()
  }
}

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

async function move(source: Database, target: Postgres, config: Config, log: Logger): Promise<Moved> {
  const secrets = config.secret ? secretsFrom(config.secret) : await ensureSecrets(join(config.data, 'secrets'))
  const held = await heldBy(target)
  if (held) throw new ConfigError(`The database holds ${held} already; only an empty one can be moved to.`)
  await checkKey(target, secrets.master)
  const files = config.s3Bucket ? await carryFiles(source, config, log) : new Map<string, string>()
  const queue = await openPgBossQueue(target, { shareOf })
  try {
    return await target.transact(async (tx) => {
      for (const statement of target.locks.alone) await tx.run(statement)
      const rows = await copyAll(source, tx, { change: (_, row) => withFiles(row, files) })
      const ready = await readyTasks(tx)
      await queue.offer(tx, ready)
      return { rows, tasks: ready.length, files: files.size }
    })
  } finally {
    await queue.close()
  }
}

/** Files that records name, by their old names. */
async function carryFiles(source: Database, config: Config, log: Logger): Promise<Map<string, string>> {
  const disk = await createDiskBlobs(join(config.data, 'blobs'))
  const bucket = await openBlobs(config, log)
  const carried = new Map<string, string>()
  for (const row of await source.all('SELECT DISTINCT blob FROM blob_refs')) {
    const blob = String(row.blob)
    const { blob: name } = await bucket.write(disk.read(blob), { most: Number.MAX_SAFE_INTEGER })
    carried.set(blob, name)
  }
  return carried
}

const IN_JSON = /"blob":"([^"]+)"/g
const WITH_JSON = ['result', 'data', 'told', 'payload'] as const

function withFiles(row: Row, files: ReadonlyMap<string, string>): Row {
  if (files.size === 0) return row
  const next = { ...row }
  if (typeof row.blob === 'string') next.blob = files.get(row.blob) ?? row.blob
  for (const column of WITH_JSON) {
    const text = row[column]
    if (typeof text === 'string')
      next[column] = text.replace(IN_JSON, (whole, blob: string) => {
        const name = files.get(blob)
        return name === undefined ? whole : `"blob":${JSON.stringify(name)}`
      })
  }
  return next
}
