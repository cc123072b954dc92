/** A receiver of webhooks: a real server on loopback that keeps what it got and answers as the test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export interface Got {
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver extends AsyncDisposable {
  url: string
  got: Got[]
  /** How it answers from now on; 200 at first. */
  answer(how: (response: ServerResponse) => void): void
}

export async function startReceiver(): Promise<Receiver> {
  const got: Got[] = []
  let how = (response: ServerResponse): void => void response.end('thanks')
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) })
    how(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    answer: (next) => {
      how = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Checks the signature as receivers of Standard Webhooks do; throws when it is wrong. */
export function verify({ headers, body }: Got, secret: string): unknown {
  const named = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])])
  return new Webhook(secret).verify(body, Object.fromEntries(named))
}
