/**
 * Tickets: links by which somebody sets a password once. The secret stands behind the `#`, which browsers keep to
 * themselves: no log, no proxy and no Referer ever sees it.
 */
import { keyHash, newSecret } from './key.ts'

const HOUR = 3_600_000
/** How long each is good for. An invitation waits for somebody on holiday; a reset does not. */
const GOOD_FOR = { first: 7 * 24 * HOUR, invite: 7 * 24 * HOUR, reset: 24 * HOUR } as const

export function newTicket(user: string, kind: keyof typeof GOOD_FOR, now: number) {
  const plain = newSecret()
  return { plain, hash: keyHash(plain), ticket: { user, kind, createdAt: now, endsAt: now + GOOD_FOR[kind] } }
}

export const welcomeUrl = (base: string, plain: string): string => `${base.replace(/\/+$/, '')}/#/welcome/${plain}`
