/** A server in between that fails as told, then passes on. It stands for the network. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestServer } from '../../server/test/support/server.ts'

/** Answers a request itself, cuts it off, or passes it on (`undefined`). `afterwards` lets the real server have it first. */
export type Trouble =
  | { status: number; headers?: Record<string, string>; afterwards?: boolean }
  | { cut: number }
  | undefined

export interface Flaky {
  url: string
  seen: { method: string; path: string; headers: IncomingMessage['headers'] }[]
  troubles: Trouble[]
  [Symbol.asyncDispose](): Promise<void>
}

export async function flaky(server: TestServer, ...troubles: Trouble[]): Promise<Flaky> {
  const seen: Flaky['seen'] = []
  const proxy = createServer((request, response) => {
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers })
    pass(server, request, response, troubles.shift()).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    seen,
    troubles,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

async function pass(
  server: TestServer,
  request: IncomingMessage,
  response: ServerResponse,
  trouble: Trouble,
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync<Buffer>(request))
  const fails = trouble && 'status' in trouble
  if (fails && !trouble.afterwards) return void response.writeHead(trouble.status, trouble.headers).end('busy')
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
  const answer = await server.fetch(request.url ?? '/', {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length > 0 && { body }),
  })
  if (fails) return void response.writeHead(trouble.status, trouble.headers).end('busy')
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
  let sent = 0
  for await (const piece of answer.body ?? []) {
    const bytes = Buffer.from(piece)
    const room = trouble && 'cut' in trouble ? trouble.cut - sent : bytes.length
    await new Promise((resolve) => response.write(bytes.subarray(0, room), resolve))
    sent += bytes.length
    if (bytes.length > room) return void response.destroy()
  }
  response.end()
}
