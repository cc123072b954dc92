/** What the HTTP room is given. Nothing in it is made here: compose.ts does. */
import type { Catalog } from '../catalog/catalog.ts'
import type { GroupRule } from '../core/groups.ts'
import type { Sealer } from '../core/secret.ts'
import type { Endings } from '../operations/end-user.ts'
import type { Operations } from '../operations/index.ts'
import type { Intake } from '../operations/intake.ts'
import type { Accounts } from '../ports/accounts.ts'
import type { Audit } from '../ports/audit.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Credentials } from '../ports/credentials.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'
import type { Metering } from '../ports/metering.ts'
import type { Node } from '../ports/nodes.ts'
import type { Queue } from '../ports/queue.ts'
import type { Sandbox } from '../ports/sandbox.ts'
import type { Store } from '../ports/store.ts'
import type { Users } from '../ports/users.ts'
import type { Webhooks } from '../ports/webhooks.ts'
import type { Scribe } from './audited.ts'
import type { Auth } from './auth.ts'
import type { Limiter } from './limits.ts'
import type { Links } from './links.ts'
import type { PasswordHashing } from './passwords.ts'
import type { PlanBook } from './plan-book.ts'
import type { Presenter } from './present.ts'
import type { Quota } from './quota.ts'
import type { SlowDown } from './slow-down.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

export interface HttpDeps {
  store: Store
  accounts: Accounts
  users: Users
  credentials: Credentials
  audit: Audit
  /** Makes entries for the audit log. */
  scribe: Scribe
  hashing: PasswordHashing
  slowDown: SlowDown
  endings: Endings
  identityProvider: IdentityProvider | null
  queue: Queue
  blobs: Blobs
  bus: Bus
  clock: Clock
  /** Of the engines that run here. */
  sandbox: { readonly kind: Sandbox['kind'] | 'elsewhere' }
  catalog: Catalog
  /** The processes that are there. */
  nodes(): readonly Node[]
  operations: Operations
  sealer: Sealer
  auth: Auth
  links: Links
  present: Presenter
  limiter: Limiter
  metering: Metering
  plans: PlanBook
  quota: Quota
  webhooks: Webhooks
  webhookSecrets: WebhookSecrets
  /** Why nothing can be sent to this address, or null: asked before one is registered. */
  unreachable(url: string): Promise<string | null>
  intake: Intake
  settings: HttpSettings
}

/** Who may come in by the identity provider for the first time, and what their groups give them. */
export interface OidcTerms {
  allow: 'invited' | 'groups' | 'all'
  rules: readonly GroupRule[]
}

export interface HttpSettings {
  version: string
  /** Folder for parts of resumable uploads. */
  uploads: string
  maxFileSize: number
  concurrency: number
  /** Requests a minute, of a key whose plan says nothing and of an address without one; 0 for no limit. */
  rateLimit: number
  metricsToken: string | null
  /** Whether people may come in without an account. */
  guests: boolean
  oidc: OidcTerms
  trustProxy: (address: string) => boolean
}
