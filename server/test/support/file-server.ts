/** A web server on loopback: serves what a test gives it, remembers who came, and can keep callers waiting. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Page = Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void)

export interface FileServer {
  url: string
  port: number
  server: Server
  /** Paths that were asked for. */
  hits: string[]
  [Symbol.asyncDispose](): Promise<void>
}

/** What is not among the pages is 404; a `null` page never answers. */
export async function serveFiles(pages: Record<string, Page | null> = {}, address = '127.0.0.1'): Promise<FileServer> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    hits.push(path)
    const page = pages[path.split('?')[0] ?? '']
    if (page === null) return
    if (page === undefined) response.writeHead(404).end()
    else if (typeof page === 'function') page(request, response)
    else response.writeHead(200, { 'content-length': page.length }).end(page)
  })
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${address}:${port}`,
    port,
    server,
    hits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
