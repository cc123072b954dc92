/** What can become what, with which options, and how the installation is. */
import type { Http } from './http.ts'
import type { FormatList, FormatsQuery, Health, OptionDescriptor, OptionsQuery, Processing } from './schema.ts'

const OPERATIONS: Record<Processing, true> = { convert: true, compress: true, merge: true, crop: true, trim: true }

/** One function for each operation. */
function perOperation<Q, A>(ask: (operation: Processing, query: Q) => Promise<A>) {
  const entries = Object.keys(OPERATIONS).map((name) => [name, (query: Q) => ask(name as Processing, query)])
  return Object.fromEntries(entries) as Record<Processing, (query: Q) => Promise<A>>
}

/** No key is needed for these. */
export const createFormats = (http: Http) => ({
  /** Every format of this installation. */
  all: () => http.call<FormatList>('GET', '/v1/query/formats'),
  ...perOperation((name, query: FormatsQuery = {}) =>
    http.call<FormatList>('GET', `/v1/query/formats/${name}`, { query }),
  ),
})

export const createOptions = (http: Http) =>
  perOperation((name, query: OptionsQuery) =>
    http.call<OptionDescriptor>('GET', `/v1/query/options/${name}`, { query }),
  )

/** No key is needed. An installation in trouble answers too, with what ails it. */
export const createHealth =
  (http: Http) =>
  ({ signal }: { signal?: AbortSignal } = {}) =>
    http.call<Health>('GET', '/health', { signal, also: 503 })

/** What the server can be asked, as OpenAPI. It describes itself: its shape is that standard's, not ours. */
export const createDocument = (http: Http) => () => http.call<Record<string, unknown>>('GET', '/openapi.json')
