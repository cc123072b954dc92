/** Waits until a stream's record has ended or the time is over. Pull is the truth: every hint, and every few seconds without one, it looks. */
import type { Bus } from '../ports/bus.ts'

const LOOK_EVERY = 5_000

export async function awaitEnd<T>(
  bus: Bus,
  stream: string,
  look: () => Promise<T>,
  ended: (value: T) => boolean,
  timeout: number,
  signal: AbortSignal,
): Promise<T> {
  const until = Date.now() + timeout
  for (;;) {
    let wake = () => {}
    const hinted = new Promise<void>((resolve) => {
      wake = resolve
    })
    const unsubscribe = bus.subscribe((hint) => hint.stream === stream && wake())
    const timer = setTimeout(wake, Math.max(0, Math.min(LOOK_EVERY, until - Date.now())))
    signal.addEventListener('abort', wake, { once: true })
    try {
      const value = await look()
      if (ended(value) || Date.now() >= until || signal.aborted) return value
      await hinted
    } finally {
      unsubscribe()
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
    }
  }
}
