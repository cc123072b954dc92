/** A TCP proxy on loopback that cuts connections in the middle, as bad networks do. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  port: number
  /** How many connections were cut so far. */
  cuts(): number
  /** Cuts each of the next `times` connections once this many bytes went through one way. */
  cut(after: number, times: number, way?: 'down' | 'up'): void
  [Symbol.asyncDispose](): Promise<void>
}

export async function startCuttingProxy(to: number): Promise<CuttingProxy> {
  const open = new Set<Socket>()
  let plan = { after: 0, times: 0, way: 'down' }
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', end).on('close', () => open.delete(socket) && end())
    }
    let seen = 0
    const watched = (way: string, chunk: Buffer) => {
      if (plan.times <= 0 || plan.way !== way) return
      seen += chunk.length
      if (seen < plan.after) return
      plan.times -= 1
      cuts += 1
      end()
    }
    far.on('data', (chunk) => watched('down', chunk))
    near.on('data', (chunk) => watched('up', chunk))
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    cut: (after, times, way = 'down') => {
      plan = { after, times, way }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
