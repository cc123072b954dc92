/** Starts a real server as its own process, on a free port with a data folder of its own, and stops it again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, type RequestInit, fetch as undiciFetch } from 'undici'

export const MAIN = join(import.meta.dirname, '../../src/main.ts')
export const ADMIN = join(import.meta.dirname, '../../src/admin.ts')

export interface TestServer {
  url: string
  key: string
  ca: string
  caPath: string
  data: string
  pid: number
  child: ChildProcess
  /** Everything the process has printed. */
  printed(): string
  /** A request with the key; `body` is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A request as it is, with the certificate trusted. */
  fetch(url: string, init?: RequestInit): ReturnType<typeof undiciFetch>
  /** A further user's key. */
  otherKey(email: string, scopes?: string): Promise<string>
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Stops it and removes its data. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails when it is not there
  json: any
}

export const TEST_KEY = 'test-key-0123456789-0123456789-0123456789'

export interface StartOptions {
  data?: string
  env?: Record<string, string>
}

export async function startServer({ data, env = {} }: StartOptions = {}): Promise<TestServer> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), 'reforge-test-')))
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      REFORGE_PORT: '0',
      REFORGE_DATA: folder,
      REFORGE_API_KEY: TEST_KEY,
      REFORGE_RATE_LIMIT: '0',
      REFORGE_LOG_LEVEL: 'warn',
      ...env,
    },
  })
  let printed = ''
  const gone = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (text: Buffer) => {
      printed += text
      const found = /Reforge is listening on (https:\S+)/.exec(printed)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${printed}`)))
  })
  const caPath = join(folder, 'tls/ca.pem')
  const ca = await readFile(caPath, 'utf8')
  const dispatcher = new Agent({ connect: { ca }, allowH2: false })
  const key = env.REFORGE_API_KEY ?? TEST_KEY

  const server: TestServer = {
    url,
    key,
    ca,
    caPath,
    data: folder,
    pid: child.pid ?? 0,
    child,
    printed: () => printed,
    fetch: (address, init) => undiciFetch(address.startsWith('/') ? url + address : address, { dispatcher, ...init }),
    async call(method, path, body, headers = {}) {
      const answer = await server.fetch(path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.includes('json') && text !== ''
      return {
        status: answer.status,
        headers: answer.headers as unknown as Headers,
        text,
        json: isJson ? JSON.parse(text) : null,
      }
    },
    async otherKey(email, scopes) {
      const args = [ADMIN, 'keys', 'create', '--user', email, ...(scopes ? ['--scopes', scopes] : [])]
      const run = spawn(process.execPath, args, { env: { PATH: process.env.PATH, REFORGE_DATA: folder } })
      let out = ''
      run.stdout.on('data', (text) => {
        out += text
      })
      await once(run, 'exit')
      return out.trim()
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await gone
      if (!dispatcher.closed) await dispatcher.close()
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return server
}
