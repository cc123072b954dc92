/**
 * Stops a task whose minutes run out while it runs. What is left is looked up when it begins and again each time it could
 * be gone: other tasks of the user, here or on other machines, use the same minutes at the same time. Charges nothing.
 */
import { isCounted, type Left, NOTHING_USED, type Terms, tightest, untilReached } from '../core/quota.ts'
import { isMetered, type Task } from '../core/task.ts'
import type { Clock } from '../ports/clock.ts'
import type { Metering } from '../ports/metering.ts'

/** Milliseconds. What others have begun in the meantime is noticed after this at the latest. */
const LOOK_EVERY = 1000
/** Timers are early by a little now and then, and looking again costs something. */
const SHORTEST = 10

export interface AllowanceDeps {
  metering: Pick<Metering, 'used'>
  clock: Clock
  /** Told when what is left could not be looked up; it is tried again. */
  failed(error: unknown): void
}

export interface Allowance extends Disposable {
  /** Fires when a limit is reached. */
  signal: AbortSignal
  /** The limit that was reached. */
  out(): Left | null
}

export async function allow({ metering, clock, failed }: AllowanceDeps, task: Task, terms: Terms): Promise<Allowance> {
  const over = new AbortController()
  const begun = clock.now()
  let reached: Left | null = null
  let timer: NodeJS.Timeout | undefined
  let given = false

  async function look(): Promise<void> {
    const now = clock.now()
    const used = isCounted(terms) ? await metering.used(task.user, task.key, terms, now) : NOTHING_USED
    const left = tightest(terms, used, (now - begun) / 1000, now)
    if (left === null || given) return
    if (left.seconds > 0) return lookIn(untilReached(left, used.running.tasks) * 1000)
    reached = left
    over.abort()
  }
  function lookIn(ms: number): void {
    timer = setTimeout(
      () =>
        void look().catch((error) => {
          failed(error)
          if (!given) lookIn(LOOK_EVERY)
        }),
      Math.max(SHORTEST, Math.min(ms, LOOK_EVERY)),
    )
  }

  if (isMetered(task)) await look()
  return {
    signal: over.signal,
    out: () => reached,
    [Symbol.dispose]() {
      given = true
      clearTimeout(timer)
    },
  }
}
