/** A service of many processes on real peers: PostgreSQL, a bucket behind a proxy that can refuse, API nodes and workers. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type MoodyProxy, startMoodyProxy } from '../peers/moody-proxy.ts'
import { type Postgres, startPostgres } from '../peers/postgres.ts'
import { freePorts } from '../peers/process.ts'
import { type Swift, startSwift } from '../peers/swift.ts'
import { environmentAt } from '../support/cluster.ts'
import { serverOf, startNode, type TestNode, type TestServer } from '../support/server.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

export interface Member {
  readonly name: string
  readonly role: 'api' | 'worker'
  node(): TestNode
  start(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface Town {
  postgres: Postgres
  swift: Swift
  bucket: MoodyProxy
  env: Record<string, string>
  apis: (Member & { server(): TestServer })[]
  workers: Member[]
  addWorker(more?: Record<string, string>): Promise<Member>
  /** Until every API node sees so many workers at least. */
  seen(workers: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface TownOptions {
  apis?: number
  workers?: number
  env?: Record<string, string>
}

/** Each a folder and, once started, a port of its own. */
async function createMember(
  folder: string,
  name: string,
  role: Member['role'],
  env: Record<string, string>,
): Promise<Member> {
  const [port = 0] = await freePorts(1)
  const data = join(folder, name)
  await mkdir(data, { recursive: true })
  let node: TestNode | null = null
  return {
    name,
    role,
    node() {
      if (!node) throw new Error(`${name} has not been started`)
      return node
    },
    async start() {
      node = await startNode(data, { ...env, REFORGE_ROLE: role, REFORGE_PORT: String(port) })
    },
    async stop(signal) {
      await node?.stop(signal)
    },
  }
}

export async function startTown({ apis = 2, workers = 4, env: more = {} }: TownOptions = {}): Promise<Town> {
  const folder = await tempDir()
  const [postgres, swift] = await Promise.all([
    startPostgres({ settings: { max_connections: 300 } }),
    startSwift('a-secret-of-the-bucket'),
  ])
  const bucket = await startMoodyProxy(swift.port)
  const { access_key_id: accessKey, secret_access_key: secretKey } = swift.access
  const place = { database: postgres.url(), endpoint: bucket.endpoint, accessKey, secretKey }
  const env: Record<string, string> = { ...(await environmentAt(place)), ...more }

  const members: Member[] = []
  let made = 0
  const town: Town = {
    postgres,
    swift,
    bucket,
    env,
    apis: [],
    workers: [],
    async addWorker(own = {}) {
      // Its place is taken before anything is waited for: several may be added at once.
      const place = made++
      const member = await createMember(folder.path, `worker-${place}`, 'worker', { ...env, ...own })
      members.push(member)
      town.workers[place] = member
      await member.start()
      return member
    },
    async seen(count) {
      for (const api of town.apis)
        await until(async () => (await health(api.server()))?.workers >= count, `${api.name} sees ${count} workers`)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(members.map((member) => member.stop('SIGKILL')))
      await bucket[Symbol.asyncDispose]()
      await Promise.all([postgres[Symbol.asyncDispose](), swift[Symbol.asyncDispose]()])
      await folder.remove()
    },
  }
  try {
    for (let index = 0; index < apis; index++) {
      const member = await createMember(folder.path, `api-${index}`, 'api', env)
      members.push(member)
      await member.start()
      const data = join(folder.path, member.name)
      town.apis.push({ ...member, server: () => serverOf(member.node(), data, env) })
    }
    await Promise.all(Array.from({ length: workers }, () => town.addWorker()))
    await town.seen(workers)
    return town
  } catch (error) {
    await town[Symbol.asyncDispose]()
    throw error
  }
}

async function health(server: TestServer) {
  const { json } = await server.call('GET', '/health').catch(() => ({ json: null }))
  return json ?? { workers: 0 }
}
