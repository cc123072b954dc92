/** Secrets that sign webhooks: made, sealed for the store, opened for the sender, exchanged for new ones. */
import type { Sealer } from '../core/secret.ts'
import { newWebhookSecret, OVERLAP } from '../core/webhook.ts'
import type { Delivery, SealedSecrets, Webhooks } from '../ports/webhooks.ts'

export interface WebhookSecrets {
  /** A new secret, in plain for its owner and sealed for the store. */
  make(user: string): { plain: string; sealed: SealedSecrets }
  /** A new one in the place of the old, which goes on signing beside it for a day. */
  rotate(user: string, from: SealedSecrets, now: number): { plain: string; sealed: SealedSecrets }
  /** Those that sign now, newest first. */
  open(user: string, secrets: SealedSecrets, now: number): string[]
  /** Those that sign for a user's jobs that name a `webhook_url`. */
  ofAccount(user: string): Promise<SealedSecrets>
  signing(delivery: Delivery, now: number): Promise<string[]>
}

export function createWebhookSecrets(sealer: Sealer, webhooks: Webhooks): WebhookSecrets {
  const place = (user: string): string => `${user}:webhooks:secret`

  const secrets: WebhookSecrets = {
    make(user) {
      const plain = newWebhookSecret()
      return { plain, sealed: { current: sealer.seal(plain, place(user)), previous: null } }
    },
    rotate(user, from, now) {
      const { plain, sealed } = secrets.make(user)
      return { plain, sealed: { ...sealed, previous: { sealed: from.current, until: now + OVERLAP } } }
    },
    open(user, { current, previous }, now) {
      const valid = [current, ...(previous && previous.until > now ? [previous.sealed] : [])]
      return valid.map((sealed) => sealer.open(sealed, place(user)))
    },
    ofAccount: (user) => webhooks.accountSecrets(user, () => secrets.make(user).sealed),
    async signing({ user, webhook }, now) {
      const own = webhook === null ? null : await webhooks.find(webhook)
      return secrets.open(user, own?.secrets ?? (await secrets.ofAccount(user)), now)
    },
  }
  return secrets
}
