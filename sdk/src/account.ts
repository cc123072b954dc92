/** Whose account this is, its keys and its webhooks. One endpoint a line. */
import type { Http } from './http.ts'
import type {
  Account,
  Delivery,
  DeliveryPage,
  DeliveryWithLog,
  Key,
  KeyBody,
  KeyChange,
  KeyList,
  KeyWithSecret,
  PageQuery,
  Usage,
  UsageQuery,
  Webhook,
  WebhookBody,
  WebhookChange,
  WebhookPage,
  WebhookSecret,
  WebhookWithSecret,
} from './schema.ts'

const KEYS = '/v1/account/keys'
const WEBHOOKS = '/v1/webhooks'
const below = (base: string, id: string): string => `${base}/${encodeURIComponent(id)}`

export const createAccount = (http: Http) => ({
  me: () => http.call<Account>('GET', '/v1/account/me'),
  /** What was used, by day unless said otherwise: `by` is any of day, operation, from, format, key. */
  usage: (query: UsageQuery = {}) => http.call<Usage>('GET', '/v1/account/usage', { query }),
  keys: {
    list: async () => (await http.call<KeyList>('GET', KEYS)).keys,
    /** The key itself is in this answer only. */
    create: (body: KeyBody) => http.call<KeyWithSecret>('POST', KEYS, { body }),
    update: (id: string, body: KeyChange) => http.call<Key>('PATCH', below(KEYS, id), { body }),
    revoke: (id: string) => http.call<void>('DELETE', below(KEYS, id), { removes: true }),
  },
})

export const createWebhooks = (http: Http) => ({
  list: (query: PageQuery = {}) => http.call<WebhookPage>('GET', WEBHOOKS, { query }),
  get: (id: string) => http.call<Webhook>('GET', below(WEBHOOKS, id)),
  /** Its secret is in this answer only. */
  create: (body: WebhookBody) => http.call<WebhookWithSecret>('POST', WEBHOOKS, { body }),
  update: (id: string, body: WebhookChange) => http.call<Webhook>('PATCH', below(WEBHOOKS, id), { body }),
  delete: (id: string) => http.call<void>('DELETE', below(WEBHOOKS, id), { removes: true }),
  /** Sends it a `webhook.test`, now. */
  test: (id: string) => http.call<Delivery>('POST', `${below(WEBHOOKS, id)}/test`),
  /** Exchanges its secret. */
  rotate: (id: string) => http.call<WebhookWithSecret>('POST', `${below(WEBHOOKS, id)}/rotate`),
  /** What signs messages to the webhook_url of jobs. */
  secret: () => http.call<WebhookSecret>('GET', `${WEBHOOKS}/secret`),
  rotateSecret: () => http.call<WebhookSecret>('POST', `${WEBHOOKS}/secret/rotate`),
  /** Of one webhook, or of all. */
  deliveries: (id?: string, query: PageQuery = {}) =>
    http.call<DeliveryPage>('GET', `${id === undefined ? WEBHOOKS : below(WEBHOOKS, id)}/deliveries`, { query }),
  delivery: (id: string) => http.call<DeliveryWithLog>('GET', below(`${WEBHOOKS}/deliveries`, id)),
  resend: (id: string) => http.call<Delivery>('POST', `${below(`${WEBHOOKS}/deliveries`, id)}/resend`),
})
