/**
 * Ends what a user has going: when they are suspended their tasks are canceled; when they go, their files and records go
 * with them. Who may do that is decided elsewhere.
 */
import { transition } from '../core/machine.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Also } from '../ports/sql.ts'
import type { Store } from '../ports/store.ts'
import type { Users } from '../ports/users.ts'

export interface EndingDeps {
  store: Pick<Store, 'listTasks' | 'change' | 'removeOf'>
  users: Pick<Users, 'change' | 'remove' | 'leftGuests'>
  blobs: Pick<Blobs, 'remove'>
  clock: Clock
  /** Tells everyone who holds a connection of theirs. */
  sendAway(user: string): void
}

const AT_ONCE = 100
const DAY = 24 * 3_600_000

export function createEndings({ store, users, blobs, clock, sendAway }: EndingDeps) {
  async function cancelAll(user: string): Promise<void> {
    for (const status of ['created', 'processing'] as const)
      for (;;) {
        const { docs } = await store.listTasks({ user, status }, 1, AT_ONCE)
        let canceled = 0
        for (const { id } of docs)
          if (await store.change(id, (slice) => transition(slice, { type: 'canceled' }, clock.now()))) canceled++
        // What cannot be canceled is ending by itself.
        if (canceled === 0) break
      }
  }

  /** After the user was suspended: nothing of theirs runs or listens any more. */
  async function stop(user: string): Promise<void> {
    sendAway(user)
    await cancelAll(user)
  }

  /** False when there is no such user. Throws LastAdministrator. A second call finishes what a crash left. */
  async function remove(user: string, also?: Also): Promise<boolean> {
    // Let nothing more in before anything is taken away.
    if (!(await users.change(user, { suspendedAt: clock.now() }))) return false
    await stop(user)
    await blobs.remove(await store.removeOf(user))
    const gone = await users.remove(user, also)
    // A request that was under way may have left something.
    await cancelAll(user)
    await blobs.remove(await store.removeOf(user))
    return gone
  }

  return {
    stop,
    remove,
    /** Guests who have left, with all that was theirs. */
    async removeGuests(): Promise<number> {
      const left = await users.leftGuests(clock.now() - DAY, AT_ONCE)
      for (const guest of left) await remove(guest)
      return left.length
    },
  }
}

export type Endings = ReturnType<typeof createEndings>
