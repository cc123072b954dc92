/** What the HTTP room is given. Nothing in it is made here: compose.ts does. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Sealer } from '../core/secret.ts'
import type { Operations } from '../operations/index.ts'
import type { Intake } from '../operations/intake.ts'
import type { Accounts } from '../ports/accounts.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Queue } from '../ports/queue.ts'
import type { Sandbox } from '../ports/sandbox.ts'
import type { Store } from '../ports/store.ts'
import type { Webhooks } from '../ports/webhooks.ts'
import type { Auth } from './auth.ts'
import type { Limiter } from './limits.ts'
import type { Links } from './links.ts'
import type { Presenter } from './present.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

export interface HttpDeps {
  store: Store
  accounts: Accounts
  queue: Queue
  blobs: Blobs
  bus: Bus
  clock: Clock
  sandbox: Pick<Sandbox, 'kind'>
  catalog: Catalog
  operations: Operations
  sealer: Sealer
  auth: Auth
  links: Links
  present: Presenter
  limiter: Limiter | null
  webhooks: Webhooks
  webhookSecrets: WebhookSecrets
  /** Why nothing can be sent to this address, or null: asked before one is registered. */
  unreachable(url: string): Promise<string | null>
  intake: Intake
  settings: HttpSettings
}

export interface HttpSettings {
  version: string
  /** Folder for parts of resumable uploads. */
  uploads: string
  maxFileSize: number
  concurrency: number
  metricsToken: string | null
  trustProxy: (address: string) => boolean
}
