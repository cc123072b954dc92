/** A proxy on loopback that passes bytes on as they are, or answers every request with 503 for as long as it is told to. */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface MoodyProxy {
  port: number
  endpoint: string
  /** From now on every request is refused, or none; open connections are cut. */
  refuse(all: boolean): void
  refused(): number
  [Symbol.asyncDispose](): Promise<void>
}

export async function startMoodyProxy(to: number): Promise<MoodyProxy> {
  const open = new Set<Socket>()
  let refused = 0
  const refusing = createHttpServer((request, answer) => {
    refused += 1
    request.resume()
    request.on('end', () => answer.writeHead(503, { 'content-length': 0 }).end())
  })
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const moody = (refusing.address() as AddressInfo).port
  let target = to
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', end).on('close', () => open.delete(socket) && end())
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port,
    endpoint: `http://127.0.0.1:${port}`,
    refuse(all) {
      target = all ? moody : to
      cut()
    },
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      cut()
      refusing.closeAllConnections()
      await Promise.all([server, refusing].map((each) => new Promise((closed) => each.close(closed))))
    },
  }
}
