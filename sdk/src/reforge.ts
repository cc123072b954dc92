/** Puts the client together. Only what browsers and Node share: no file system, no certificates of one's own. */
import { createAccount, createWebhooks } from './account.ts'
import { createAdmin } from './admin.ts'
import { type Downloadable, download } from './download.ts'
import { ReforgeError } from './errors.ts'
import { createEvents, type Events, type EventsOptions } from './events.ts'
import { createHttp, type Key } from './http.ts'
import { createJobs, createTasks } from './jobs.ts'
import { createOneFile } from './one-file.ts'
import { createDocument, createFormats, createHealth, createOptions } from './queries.ts'
import { createRequest } from './request.ts'
import type { Task } from './schema.ts'
import type { UploadOptions } from './sending.ts'
import type { Uploadable } from './source.ts'
import { upload } from './upload.ts'

export interface ReforgeOptions {
  /** Address of the server, such as https://localhost:8443. */
  url: string
  /** Needed for everything but formats and options. A function is asked for it at each call. */
  key?: Key | undefined
  /** Certificate authority to trust, in PEM. It reaches the live events; for the rest give a `fetch` that trusts it. */
  ca?: string | undefined
  fetch?: typeof fetch | undefined
  /** How often a call that may be repeated is repeated; 3 by default. */
  retries?: number | undefined
}

export type Reforge = ReturnType<typeof createReforge>

export function createReforge({ url, key, ca, fetch: own, retries = 3 }: ReforgeOptions) {
  if (ca !== undefined && !own)
    throw new ReforgeError(
      'A certificate needs a fetch that trusts it. In Node, import createReforge from "@reforge/sdk/node", or set NODE_EXTRA_CA_CERTS instead.',
      { code: 'no_fetch' },
    )
  // Looked up at each call, and called without `this`: both matter to browsers and to those who replace it later.
  const fetching: typeof fetch = own ?? ((input, init) => globalThis.fetch(input, init))
  const http = createHttp({ url, key, retries, fetch: fetching })
  const jobs = createJobs(http)
  const tasks = createTasks(http)
  const send = (task: Task, file: Uploadable, options?: UploadOptions) => upload(http, task, file, options)
  return {
    url: http.url,
    jobs,
    tasks,
    formats: createFormats(http),
    options: createOptions(http),
    account: createAccount(http),
    webhooks: createWebhooks(http),
    /** For administrators. */
    admin: createAdmin(http),
    health: createHealth(http),
    /** The OpenAPI document. */
    document: createDocument(http),
    /** Anything else, answered as it is. */
    request: createRequest({ url: http.url, key, fetch: fetching }),
    /** Sends the file of an import/upload task; answers the completed task. */
    upload: send,
    /** Fetches a result by its address or by the file as a task's result lists it. */
    download: (file: Downloadable, options?: { signal?: AbortSignal }) => download(http, file, options),
    /** Opens one connection for live events; close it when done. */
    events: (options?: EventsOptions): Events => createEvents({ url: http.url, key, ca }, options),
    ...createOneFile({ jobs, upload: send }),
  }
}
