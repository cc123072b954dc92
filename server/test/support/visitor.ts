/** Somebody with a browser: keeps the cookie, says where the page comes from, and has a token for the API. */
import assert from 'node:assert/strict'
import type { Answer, TestServer } from './server.ts'

export interface Visitor {
  /** As sent: `__Host-reforge=…`; empty when there is none. */
  cookie(): string
  /** A request from a page of the service, with the cookie and without any key. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A request to the API with a token of the session. */
  api(method: string, path: string, body?: unknown): Promise<Answer>
  token(): Promise<string>
  signIn(email: string, password: string): Promise<Answer>
}

export const PASSWORD = 'a horse among staples'

export function visitorOn(server: TestServer): Visitor {
  let cookie = ''
  const visitor: Visitor = {
    cookie: () => cookie,
    async call(method, path, body, headers = {}) {
      const own = { origin: server.url, authorization: '', ...(cookie && { cookie }) }
      const answer = await server.call(method, path, body, { ...own, ...headers })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        if (pair.startsWith('__Host-reforge=')) cookie = pair.endsWith('=') ? '' : pair
      }
      return answer
    },
    async token() {
      const { status, text, json } = await visitor.call('POST', '/session/token')
      assert.equal(status, 200, text)
      return json.token
    },
    api: async (method, path, body) =>
      server.call(method, path, body, { authorization: `Bearer ${await visitor.token()}` }),
    signIn: (email, password) => visitor.call('POST', '/session', { email, password }),
  }
  return visitor
}

/** What stands at the end of a link. */
export const ticketOf = (url: string): string => {
  const found = /\/#\/welcome\/([\w-]{43})$/.exec(url.trim())?.[1]
  assert.ok(found, url)
  return found
}

/** The link that the server printed at its start. */
export const firstTicket = (server: TestServer): string => {
  const found = /https:\S+\/#\/welcome\/\S+/.exec(server.printed())?.[0]
  assert.ok(found, server.printed())
  return ticketOf(found)
}

/** The first administrator, signed in. */
export async function administrator(server: TestServer, email = 'ada@example.org'): Promise<Visitor> {
  const visitor = visitorOn(server)
  const ticket = firstTicket(server)
  const { status, text } = await visitor.call('POST', '/session/tickets/redeem', { ticket, password: PASSWORD, email })
  assert.equal(status, 200, text)
  return visitor
}

/** Invited, and come. */
export async function invited(server: TestServer, admin: Visitor, email: string, more: object = {}): Promise<Visitor> {
  const { status, text, json } = await admin.api('POST', '/v1/admin/users', { email, ...more })
  assert.equal(status, 201, text)
  const visitor = visitorOn(server)
  const ticket = ticketOf(json.invitation.url)
  assert.equal((await visitor.call('POST', '/session/tickets/redeem', { ticket, password: PASSWORD })).status, 200)
  return visitor
}
