/** When to try again, and after how long. Pure but for the sleep. */
import { ReforgeError } from './errors.ts'

const FIRST = 250
const LONGEST = 8_000
/** A server that asks for more patience than this is better heard by the caller. */
export const LONGEST_ASKED = 60

/** Milliseconds before attempt `attempt + 1`; `random` from 0 to 1 spreads clients that failed together. */
export function backoff(attempt: number, random: number): number {
  const whole = Math.min(LONGEST, FIRST * 2 ** attempt)
  return whole / 2 + (whole / 2) * random
}

const BUSY = new Set([502, 503, 504])

/** A call that was refused may be sent again; one that may have been carried out only when twice is the same as once. */
export function mayRetry({ status, code, retryAfter = 0 }: ReforgeError, idempotent: boolean): boolean {
  if (retryAfter > LONGEST_ASKED) return false
  if (status === 429) return true
  return idempotent && (BUSY.has(status) || code === 'network_error')
}

/** Runs `act` until it succeeds, fails for good, or has been retried `retries` times. */
export async function retrying<T>(
  act: (attempt: number) => Promise<T>,
  { retries, idempotent, signal }: { retries: number; idempotent: boolean; signal?: AbortSignal | undefined },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await act(attempt)
    } catch (error) {
      if (!(error instanceof ReforgeError) || attempt >= retries || !mayRetry(error, idempotent)) throw error
      await sleep(Math.max((error.retryAfter ?? 0) * 1000, backoff(attempt, Math.random())), signal)
    }
  }
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
