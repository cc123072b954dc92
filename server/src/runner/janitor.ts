/**
 * Retention: files go 4 hours after the task's creation, records after 24, uploads that never came fail, bytes that no
 * record names are removed. Safe to run at any time, beside everything else.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { transition } from '../core/machine.ts'
import { HOUR, hasEnded } from '../core/task.ts'
import { abilitiesIn, type Cluster } from '../operations/cluster.ts'
import type { Endings } from '../operations/end-user.ts'
import type { Audit } from '../ports/audit.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Credentials } from '../ports/credentials.ts'
import type { Parts } from '../ports/parts.ts'
import type { Store } from '../ports/store.ts'
import type { Webhooks } from '../ports/webhooks.ts'
import type { Log } from './log.ts'

export interface JanitorDeps {
  store: Store
  webhooks: Pick<Webhooks, 'expire'>
  credentials: Pick<Credentials, 'sessions' | 'tickets' | 'trials'>
  audit: Pick<Audit, 'expire'>
  endings: Pick<Endings, 'removeGuests'>
  parts: Pick<Parts, 'clear'>
  /** Milliseconds that the audit log is kept. */
  auditKept: number
  blobs: Blobs
  clock: Clock
  log: Log
  /** Folder with parts of resumable uploads; a part's name begins with its task's id. */
  uploads: string
  /** Milliseconds. */
  uploadTimeout: number
  /** A blob is written before the record that names it: younger ones may still be waiting for theirs. */
  orphanAge: number
  /** Milliseconds between two looks at all that is stored: in a bucket it is a question for every thousand files. */
  orphansEvery: number
  cluster: Pick<Cluster, 'leads' | 'serves'>
}

export interface Sweep {
  uploads: number
  blobs: number
  orphans: number
}

const BATCH = 500
/** Longer than any upload may take. */
const DAY = 24 * HOUR
/** What was told is looked up days later, when somebody notices that it did not come. */
const DELIVERIES_KEPT = 7 * 24 * HOUR
const TRIALS_KEPT = 24 * HOUR
/** A machine may be started again; nobody waits for one for ever. */
const STRANDED = HOUR / 4

export function createJanitor(deps: JanitorDeps) {
  const { store, webhooks, blobs, clock, log, uploads, uploadTimeout, orphanAge } = deps
  const { credentials, audit, endings, parts, auditKept, cluster } = deps

  async function failStaleUploads(now: number): Promise<number> {
    const stale = await store.staleUploads(now - uploadTimeout)
    for (const id of stale)
      await store.change(id, (slice) =>
        transition(slice, { type: 'failed', errorCode: 'upload_timeout', msg: 'The upload never came.' }, now),
      )
    return stale.length
  }

  /** Nobody who could run them is there any more. */
  async function failStranded(now: number): Promise<void> {
    const stranded = (await store.needing(now - STRANDED)).filter(({ lane, needs }) => {
      return !cluster.serves(lane, abilitiesIn(needs))
    })
    const msg = 'No machine that could do this is left.'
    for (const { id, needs } of stranded) {
      log.warn({ task: id, needs }, msg)
      await store.change(id, (slice) => {
        // Somebody may have taken it after all: then it has changed since.
        const isOld = (slice.subjects[0]?.updatedAt ?? now) < now - STRANDED
        return isOld
          ? transition(slice, { type: 'failed', errorCode: 'processing_failed', msg, unheld: true }, now)
          : null
      })
    }
  }

  let lookedAt = Number.NEGATIVE_INFINITY
  async function removeOrphans(now: number): Promise<number> {
    if (now - lookedAt < deps.orphansEvery) return 0
    lookedAt = now
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

  /** Sessions, links and failed tries whose time is over, guests who have left, and the oldest pages of the log. */
  async function forgetVisits(now: number): Promise<void> {
    const { sessions, tickets, trials } = credentials
    for (const ended of [sessions, tickets]) await ended.expire(now)
    await trials.expire(now - TRIALS_KEPT)
    await endings.removeGuests()
    await audit.expire(now - auditKept)
  }

  async function sweep(): Promise<Sweep> {
    const now = clock.now()
    const uploads = await failStaleUploads(now)
    await failStranded(now)
    const expired = [...(await store.expireFiles(now)), ...(await store.expireRecords(now))]
    // Of tasks that ended while nobody had them.
    const freed = [...expired, ...(await parts.clear())]
    await blobs.remove(freed)
    await webhooks.expire(now - DELIVERIES_KEPT)
    await forgetVisits(now)
    const orphans = (await removeOrphans(now)) + (await removeParts()) + ((await blobs.tidy?.(now - DAY)) ?? 0)
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
        // One node for all; what lies on a machine's own disk is for that machine.
        const work: () => Promise<unknown> = cluster.leads() ? sweep : removeParts
        running = running.then(work).catch((error) => log.error({ err: error }, 'the sweep failed'))
      }, interval)
      timer.unref()
      return async () => {
        clearInterval(timer)
        await running
      }
    },
  }
}
