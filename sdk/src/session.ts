/**
 * Signing in as a person: by the cookie that the browser keeps, which works under /session alone. What is done as that
 * person goes through `createReforge` with `session.token` as its key.
 */
import { createHttp } from './http.ts'
import type { Session, SessionToken, Ticket } from './schema.ts'

export interface SessionOptions {
  /** Address of the server; in its own pages `location.origin`. */
  url: string
  /** Must keep cookies, as browsers do. */
  fetch?: typeof fetch | undefined
}

export type SessionClient = ReturnType<typeof createSession>

/** A token is exchanged this long before its time is over, milliseconds: a request with it takes a while to arrive. */
const EARLY = 60_000

const PATHS = { session: '/session', tickets: '/session/tickets' }

export function createSession({ url, fetch: own }: SessionOptions) {
  const send = own ?? ((input, init) => globalThis.fetch(input, init))
  const http = createHttp({
    url,
    retries: 2,
    fetch: (input, init) => send(input, { ...init, credentials: 'same-origin' }),
  })
  // Browsers say where a page comes from, and let no page say it; outside of them the server wants to hear it all the same.
  const headers = { origin: new URL(url).origin }
  let current: Promise<SessionToken> | null = null

  const forget = () => {
    current = null
  }
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    // Another person may come in by it, or go.
    if (method !== 'GET') forget()
    return http.call<T>(method, path, { headers, ...(body !== undefined && { body }) })
  }
  const isGood = ({ expiresAt }: SessionToken): boolean => Date.parse(expiresAt) - Date.now() > EARLY

  async function token(): Promise<string> {
    const kept = current
    const good = kept !== null && (await kept.then(isGood, () => false))
    // Whoever asks meanwhile waits for the same one.
    if (current === null || (current === kept && !good))
      current = http.call<SessionToken>('POST', `${PATHS.session}/token`, { headers })
    return (await current).token
  }

  return {
    /** Who is signed in, and how one can. */
    state: () => ask<Session>('GET', PATHS.session),
    signIn: (email: string, password: string) => ask<Session>('POST', PATHS.session, { email, password }),
    signOut: () => ask<Session>('DELETE', PATHS.session),
    /** Comes in without an account, where that is allowed. */
    guest: () => ask<Session>('POST', `${PATHS.session}/guest`),
    /** A bearer for the API; the same one until its time is nearly over. Fit to be the `key` of `createReforge`. */
    token,
    /** Drops the token, so that the next call brings another: after the API has refused it. */
    forget,
    /** Ends every other session. */
    password: (to: { current: string; password: string }) => ask<Session>('POST', `${PATHS.session}/password`, to),
    /** What a link is for; its ticket is what follows `#/welcome/`. */
    look: (ticket: string) => ask<Ticket>('POST', `${PATHS.tickets}/look`, { ticket }),
    /** Sets the password, once, and signs in. With `email` on the first start. */
    redeem: (to: { ticket: string; password: string; email?: string }) =>
      ask<Session>('POST', `${PATHS.tickets}/redeem`, to),
    /** Where to send the browser to sign in by the provider. */
    oidcUrl: `${http.url}${PATHS.session}/oidc`,
  }
}
