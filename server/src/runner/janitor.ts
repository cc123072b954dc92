/**
 * Retention: files go 4 hours after the task's creation, records after 24, uploads that never came fail, bytes that no
 * record names are removed. Safe to run at any time, beside everything else.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { transition } from '../core/machine.ts'
import { HOUR, hasEnded } from '../core/task.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { Webhooks } from '../ports/webhooks.ts'
import type { Log } from './worker.ts'

export interface JanitorDeps {
  store: Store
  webhooks: Pick<Webhooks, 'expire'>
  blobs: Blobs
  clock: Clock
  log: Log
  /** Folder with parts of resumable uploads; a part's name begins with its task's id. */
  uploads: string
  /** Milliseconds. */
  uploadTimeout: number
  /** A blob is written before the record that names it: younger ones may still be waiting for theirs. */
  orphanAge: number
}

export interface Sweep {
  uploads: number
  blobs: number
  orphans: number
}

const BATCH = 500
/** What was told is looked up days later, when somebody notices that it did not come. */
const DELIVERIES_KEPT = 7 * 24 * HOUR

export function createJanitor({ store, webhooks, blobs, clock, log, uploads, uploadTimeout, orphanAge }: JanitorDeps) {
  async function failStaleUploads(now: number): Promise<number> {
    const stale = await store.staleUploads(now - uploadTimeout)
    for (const id of stale)
      await store.change(id, (slice) =>
        transition(slice, { type: 'failed', errorCode: 'upload_timeout', msg: 'The upload never came.' }, now),
      )
    return stale.length
  }

  async function removeOrphans(now: number): Promise<number> {
    let removed = 0
    let batch: string[] = []
    const flush = async () => {
      const used = await store.blobsInUse(batch)
      const orphans = batch.filter((blob) => !used.has(blob))
      await blobs.remove(orphans)
      removed += orphans.length
      batch = []
    }
    for await (const { blob, writtenAt } of blobs.list()) {
      if (writtenAt > now - orphanAge) continue
      batch.push(blob)
      if (batch.length >= BATCH) await flush()
    }
    if (batch.length) await flush()
    return removed
  }

  /** A part is of use only while its task still waits for it. */
  async function removeParts(): Promise<number> {
    const names = await readdir(uploads)
    const tasks = await store.tasks([...new Set(names.map((name) => name.slice(0, 24)))])
    const waiting = new Set(tasks.filter(({ status }) => !hasEnded(status)).map(({ id }) => id))
    const left = names.filter((name) => !waiting.has(name.slice(0, 24)))
    await Promise.all(left.map((name) => rm(join(uploads, name), { force: true })))
    return left.length
  }

  async function sweep(): Promise<Sweep> {
    const now = clock.now()
    const uploads = await failStaleUploads(now)
    const freed = [...(await store.expireFiles(now)), ...(await store.expireRecords(now))]
    await blobs.remove(freed)
    await webhooks.expire(now - DELIVERIES_KEPT)
    const orphans = (await removeOrphans(now)) + (await removeParts())
    const done = { uploads, blobs: freed.length, orphans }
    if (uploads + freed.length + orphans > 0) log.info(done, 'swept')
    return done
  }

  let running: Promise<unknown> = Promise.resolve()
  return {
    sweep,
    /** Sweeps every `interval` milliseconds until stopped; one at a time. */
    start(interval: number) {
      const timer = setInterval(() => {
        running = running.then(sweep).catch((error) => log.error({ err: error }, 'the sweep failed'))
      }, interval)
      timer.unref()
      return async () => {
        clearInterval(timer)
        await running
      }
    },
  }
}
