/**
 * Guessing is slowed, per account and per address, on every node alike. Tries are counted before they are checked, so a
 * thousand at once are not a thousand for one.
 */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { Problem } from '../core/errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Patience, Trials } from '../ports/credentials.ts'

/** Never more than a minute for one account: whoever wants to lock somebody out gets little for it. */
const ACCOUNT: Patience = { free: 5, first: 1000, most: 60_000 }
/** Many people may sit behind one address. */
const ADDRESS: Patience = { free: 20, first: 1000, most: 15 * 60_000 }
/** Guests cost a row each; a day's worth for a family. */
const GUESTS: Patience = { free: 10, first: 60_000, most: 3_600_000 }

/** One subscriber has a whole /64 of IPv6. */
export function neighbourhood(address: string): string {
  if (!isIPv6(address)) return address
  if (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address)) return address.slice(7)
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = address.includes('::') ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right] : left
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** What was typed is not kept as it is: it may be a password in the wrong field. */
const named = (text: string): string =>
  createHash('sha256').update(text.trim().toLowerCase()).digest('hex').slice(0, 32)

export function createSlowDown(trials: Trials, clock: Clock) {
  async function take(subject: string, patience: Patience): Promise<number> {
    const { wait, failures } = await trials.take(subject, clock.now(), patience)
    if (wait <= 0) return failures
    const seconds = Math.ceil(wait / 1000)
    throw new Problem(
      'too_many_requests',
      `Too many tries. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
      { headers: { 'Retry-After': String(seconds) } },
    )
  }

  return {
    /** Throws 429 when it is too soon. Answers what to call when the try went well. */
    async password(account: string, address: string): Promise<() => Promise<void>> {
      const from = `address ${neighbourhood(address)}`
      const onto = `account ${named(account)}`
      const failures = await take(from, ADDRESS)
      await take(onto, ACCOUNT)
      return async () => {
        await trials.giveBack(from, failures, clock.now())
        await trials.clear(onto)
      }
    },
    async guest(address: string): Promise<void> {
      await take(`guests ${neighbourhood(address)}`, GUESTS)
    },
  }
}

export type SlowDown = ReturnType<typeof createSlowDown>
