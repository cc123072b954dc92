/**
 * Copies of objects on this machine's disk, for programs that read files. Whoever asks for one that another is using
 * shares it; the last to give it back removes it.
 */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A sandbox may run as somebody else, who must be able to read it. */
const READ_ONLY = 0o444

interface Copy {
  path: string
  ready: Promise<void>
  users: number
}

export function createLent(dir: string, read: (blob: string) => Readable) {
  const copies = new Map<string, Copy>()

  const bring = (blob: string): Copy => {
    const path = join(dir, `${blob}-${randomBytes(6).toString('hex')}`)
    const ready = pipeline(read(blob), createWriteStream(path, { flags: 'wx', mode: READ_ONLY }))
    return { path, ready, users: 0 }
  }

  return async function local(blob: string): Promise<{ path: string; release(): Promise<void> }> {
    const copy = copies.get(blob) ?? bring(blob)
    copies.set(blob, copy)
    copy.users++
    let held = true
    const release = async (): Promise<void> => {
      if (!held) return
      held = false
      if (--copy.users > 0) return
      if (copies.get(blob) === copy) copies.delete(blob)
      await rm(copy.path, { force: true })
    }
    try {
      await copy.ready
      return { path: copy.path, release }
    } catch (error) {
      // Who comes now must not get the broken one.
      if (copies.get(blob) === copy) copies.delete(blob)
      await release()
      throw error
    }
  }
}
