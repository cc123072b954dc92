/**
 * Whom a boxed program runs as when the server is root: an ordinary user of its own for every box, so that the kernel's
 * count of processes (which leaves root alone) holds and boxes cannot touch each other. Nobody is added to the system.
 *
 * The kernel counts for the whole machine, so a box of another server that had the same user would use up this one's
 * processes. Users are therefore given out in blocks, and who holds the socket of a block has its users. Such a socket has
 * a name and no file: it goes with its process, however that ends.
 */
import { chown, lchown, readdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

export interface Users {
  take(): Promise<number>
  release(uid: number): void
  /** Leaves the blocks to others. */
  close(): void
}

/** A stretch that neither Debian, which gives out below 60000, nor systemd, from 61184 on, hands to anybody. */
const FIRST = 60_600
const BLOCKS = 29
const IN_BLOCK = 20

/** `name` is the beginning of what the sockets are called. */
export function createUsers(name = 'reforge-users'): Users {
  const free = new Set<number>()
  /** Null: shared with somebody who has its socket. */
  const held = new Map<number, Server | null>()
  let growing: Promise<void> | null = null
  // Servers that cannot see each other's sockets, as in two containers, should not all begin with the same.
  const begin = Math.floor(Math.random() * BLOCKS)
  const blocks = Array.from({ length: BLOCKS }, (_, index) => (begin + index) % BLOCKS)

  function add(block: number, socket: Server | null): void {
    held.set(block, socket)
    for (let index = 0; index < IN_BLOCK; index++) free.add(FIRST + block * IN_BLOCK + index)
  }

  /** One block more. When others hold all the rest, sharing with them is better than not to serve. */
  async function grow(): Promise<void> {
    const rest = blocks.filter((block) => !held.has(block))
    for (const block of rest) {
      const socket = await hold(`\0${name}-${block}`)
      if (socket) return add(block, socket)
    }
    const [block] = rest
    if (block !== undefined) add(block, null)
  }

  return {
    async take() {
      while (free.size === 0 && held.size < BLOCKS) {
        growing ??= grow().finally(() => {
          growing = null
        })
        await growing
      }
      const [uid] = free
      if (uid === undefined) throw new Error(`more than ${BLOCKS * IN_BLOCK} boxes at once`)
      free.delete(uid)
      return uid
    },
    // The one that was free longest is taken next: what a box left behind, if anything, is gone by then.
    release: (uid) => void free.add(uid),
    close() {
      for (const socket of held.values()) socket?.close()
    },
  }
}

/** Null when somebody else has it. */
function hold(name: string): Promise<Server | null> {
  const { promise, resolve } = Promise.withResolvers<Server | null>()
  const socket = createServer((caller) => caller.destroy()).unref()
  socket.once('error', () => resolve(null))
  socket.listen(name, () => resolve(socket))
  return promise
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
