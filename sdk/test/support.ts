/** One real server for a test file, and clients of it. */
import { after, before } from 'node:test'
import { picture } from '../../server/test/support/pictures.ts'
import { startServer, type TestServer } from '../../server/test/support/server.ts'
import { createReforge, type Reforge, type ReforgeOptions } from '../src/node.ts'

export interface Ground {
  readonly server: TestServer
  readonly reforge: Reforge
  readonly png: Buffer
  client(options?: Partial<ReforgeOptions>): Reforge
}

export function ground(env: Record<string, string> = {}): Ground {
  let server: TestServer
  let png: Buffer
  let reforge: Reforge
  const client = (options: Partial<ReforgeOptions> = {}) =>
    createReforge({ url: server.url, key: server.key, ca: server.ca, ...options })
  before(async () => {
    server = await startServer({ env })
    png = await picture('png')
    reforge = client()
  })
  after(() => server?.[Symbol.asyncDispose]())
  return {
    get server() {
      return server
    },
    get reforge() {
      return reforge
    },
    get png() {
      return png
    },
    client,
  }
}

/** The three tasks most jobs have. */
export const toJpg = {
  tasks: {
    in: { operation: 'import/upload' },
    work: { operation: 'convert', input: 'in', output_format: 'jpg' },
    out: { operation: 'export/url', input: 'work' },
  },
} as const
