/** Starts a real server as its own process, on a free port with a data folder of its own, and stops it again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, type RequestInit, Response, fetch as undiciFetch } from 'undici'
import { clusterEnvironment } from './cluster.ts'
import { type Inside, insideOf } from './inside.ts'

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
  /** What it has kept, seen from behind. */
  inside: Inside
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

/** One process of ours, running. */
export interface TestNode {
  url: string
  child: ChildProcess
  printed(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** What Node itself takes from the environment of the tests. */
export const NODE = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

export async function startNode(folder: string, env: Record<string, string>): Promise<TestNode> {
  const child = spawn(process.execPath, ['--min-semi-space-size=4', MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...NODE,
      REFORGE_PORT: '0',
      REFORGE_DATA: folder,
      REFORGE_API_KEY: TEST_KEY,
      REFORGE_RATE_LIMIT: '0',
      REFORGE_LOG_LEVEL: 'warn',
      // Most tests need one engine or none.
      REFORGE_WARM: '0',
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
  return {
    url,
    child,
    printed: () => printed,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await gone
    },
  }
}

const WORKERS = 4

/** One process; or, where tests are told to, several that are one service. */
export async function startServer({ data, env = {} }: StartOptions = {}): Promise<TestServer> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), 'reforge-test-')))
  const shared = await clusterEnvironment(folder)
  if (!shared) return serverOf(await startNode(folder, env), folder, env)
  const all = { ...shared, ...env }
  const beside = (role: string, index: number) =>
    startNode(join(folder, `node-${index}`), { ...all, REFORGE_ROLE: role, REFORGE_PORT: '0' })
  // Whoever takes requests sees the workers that are there already.
  const workers = await Promise.all(Array.from({ length: WORKERS }, (_, index) => beside('worker', index)))
  const first = await startNode(folder, { ...all, REFORGE_ROLE: 'api' })
  return serverOf(first, folder, all, [...workers, await beside('api', WORKERS)])
}

/** Every process counts for itself, and whoever collects asks them all. */
async function withMetricsOf(nodes: readonly TestNode[], answer: Response, init?: RequestInit): Promise<Response> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  const texts = [await answer.text()]
  for (const { url } of nodes) texts.push(await (await undiciFetch(`${url}/metrics`, { dispatcher, ...init })).text())
  await dispatcher.destroy()
  return new Response(texts.join('\n'), { status: answer.status, headers: answer.headers })
}

export function serverOf(
  node: TestNode,
  folder: string,
  env: Record<string, string>,
  others: readonly TestNode[] = [],
): TestServer {
  const { url, child } = node
  const caPath = join(folder, 'tls/ca.pem')
  const ca = readFileSync(caPath, 'utf8')
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
    inside: insideOf(folder, env),
    // The other nodes greet as well; one greeting is enough.
    printed: () => [node, ...others.slice(0, WORKERS)].map((each) => each.printed()).join(''),
    async fetch(address, init) {
      const answer = await undiciFetch(address.startsWith('/') ? url + address : address, { dispatcher, ...init })
      return address === '/metrics' && answer.ok ? withMetricsOf(others, answer, init) : answer
    },
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
      const run = spawn(process.execPath, args, { env: { ...NODE, ...env, REFORGE_DATA: folder } })
      let out = ''
      run.stdout.on('data', (text) => {
        out += text
      })
      await once(run, 'exit')
      return out.trim()
    },
    async stop(signal = 'SIGTERM') {
      await Promise.all([node, ...others].map((each) => each.stop(signal)))
      // An answer that a test did not read to its end would be waited for.
      if (!dispatcher.destroyed) await dispatcher.destroy()
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return server
}
