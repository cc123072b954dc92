/**
 * Makes SQLite's write-ahead log durable after a commit, as `synchronous = FULL` would, but beside the event loop: the
 * log is synced by a descriptor of its own.
 */
import { close, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

export interface LogSync {
  /** Settles when everything that was written to the log before the call is on the disk. */
  synced(): Promise<void>
  close(): Promise<void>
}

/** `path` is the database's; its log is there from the first write until the last connection closes. */
export function openLogSync(path: string): LogSync {
  const descriptor = openSync(`${path}-wal`, 'r+')
  const toDisk = promisify(fdatasync)
  return createLogSync(
    () => toDisk(descriptor),
    () => promisify(close)(descriptor),
  )
}

/** A sync that runs already may have begun too early for whoever asks now: they share the next one. */
export function createLogSync(toDisk: () => Promise<void>, end: () => Promise<void>): LogSync {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  function begin(): Promise<void> {
    const sync = toDisk()
    const ended = (): void => {
      if (running === sync) running = null
    }
    running = sync
    sync.then(ended, ended)
    return sync
  }

  const afterwards = async (): Promise<void> => {
    await running?.catch(() => {})
    next = null
    await begin()
  }

  return {
    synced() {
      if (!running) return begin()
      next ??= afterwards()
      return next
    },
    async close() {
      await next?.catch(() => {})
      await running?.catch(() => {})
      await end()
    },
  }
}
