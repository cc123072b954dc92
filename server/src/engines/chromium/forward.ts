/** A browser knows proxies by port only: this leads from a port inside the box to the socket that was bound into it. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export async function forward(socket: string): Promise<number> {
  const server = createServer((client) => {
    const out = connect(socket)
    client.pipe(out).pipe(client)
    for (const [one, other] of [
      [client, out],
      [out, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
