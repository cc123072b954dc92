/**
 * The one way out. Everything in the house that talks to a server elsewhere (imports, exports, webhooks, pages) goes
 * through here, and here only public addresses and those the operator allows are reached.
 */
import type { Socket } from 'node:net'
import { Agent } from 'undici'
import { createDialer, type DialerDeps } from './dial.ts'
import { type FetchedFile, type FetchOptions, fetchFile } from './fetch-file.ts'
import { type Posted, type PostOptions, postJson } from './post-json.ts'
import { parseTarget } from './target.ts'

export type { FetchedFile, FetchOptions } from './fetch-file.ts'
export { GuardError, type GuardErrorKind } from './guard-error.ts'

export interface Guard {
  /** For undici's `request` and `fetch`: every connection made through it is checked, redirects included. */
  agent: Agent
  /** GET as a stream. Any status is an answer; only what keeps an answer from coming is a GuardError. */
  fetchFile(url: string, options: FetchOptions): Promise<FetchedFile>
  /** Posts JSON. Any status is an answer; redirects are not followed. */
  post(url: string, options: PostOptions): Promise<Posted>
  /** Whether this address could be reached, without reaching it; throws a GuardError. Never instead of the dial's own check. */
  check(url: string): Promise<void>
  /** A bare connection for other protocols than HTTP, or for a proxy of the web (`use: 'web'` refuses foreign ports). */
  connect(to: { host: string; port: number; use?: 'web' | 'any'; signal?: AbortSignal }): Promise<Socket>
  close(): Promise<void>
}

export function createGuard(deps: DialerDeps): Guard {
  const dialer = createDialer(deps)
  const agent = new Agent({
    allowH2: false,
    pipelining: 1,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    connect({ hostname, protocol, port }, done) {
      const secure = protocol === 'https:'
      const to = Number(port || (secure ? 443 : 80))
      const opening = secure ? dialer.openTls(hostname, to) : dialer.open(hostname, to, 'web')
      opening.then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      )
    },
  })

  return {
    agent,
    fetchFile: (url, options) => fetchFile(agent, url, options),
    post: (url, options) => postJson(agent, url, options),
    async check(url) {
      const { host, port } = parseTarget(url)
      await dialer.vet(host, port, 'web')
    },
    connect: ({ host, port, use = 'any', signal }) => dialer.open(host, port, use, signal),
    close: () => agent.destroy(),
  }
}
