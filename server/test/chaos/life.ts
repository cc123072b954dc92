/** A server that dies and lives again: always on the same port and the same data folder. */
import { createServer } from 'node:net'
import { family, readProcessTable } from '../../src/sandbox/process-table.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

export interface Life {
  /** The server as it is now; a request to a dead one fails. */
  server(): TestServer
  /** `kill -9`. Answers when it and everything it had started is gone. */
  kill(): Promise<void>
  start(): Promise<void>
}

export async function createLife(data: string): Promise<Life> {
  const env = { REFORGE_PORT: String(await freePort()), REFORGE_LOG_LEVEL: 'error' }
  let server = await startServer({ data, env })
  return {
    server: () => server,
    async start() {
      server = await startServer({ data, env })
    },
    async kill() {
      const started = family(readProcessTable(), server.pid)
      await server.stop('SIGKILL')
      const isAlive = (): boolean => {
        const table = readProcessTable()
        return started.some(({ pid, started: at }) => table.get(pid)?.started === at)
      }
      await until(() => !isAlive(), 'everything the server had started was gone')
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
