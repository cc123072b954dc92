/**
 * Whom a boxed program runs as when the server is root: an ordinary user of its own for every box, so that the kernel's
 * count of processes (which leaves root alone) holds and boxes cannot touch each other. Nobody is added to the system.
 */
import { chown, lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface Users {
  take(): number
  release(uid: number): void
}

/** A stretch that neither Debian, which gives out below 60000, nor systemd, from 61184 on, hands to anybody. */
const FIRST = 60_600
const COUNT = 500

export function createUsers(): Users {
  const taken = new Set<number>()
  // Several servers on one machine should not all begin with the same.
  let next = Math.floor(Math.random() * COUNT)
  return {
    take() {
      for (let tries = 0; tries < COUNT; tries++) {
        const uid = FIRST + (next++ % COUNT)
        if (taken.has(uid)) continue
        taken.add(uid)
        return uid
      }
      throw new Error(`more than ${COUNT} boxes at once`)
    },
    release: (uid) => void taken.delete(uid),
  }
}

/** Gives a folder and all below it to a user. Links are changed, never followed. */
export async function handOver(folder: string, uid: number): Promise<void> {
  await chown(folder, uid, uid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await handOver(path, uid)
    else await lchown(path, uid, uid)
  }
}
