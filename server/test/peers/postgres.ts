/**
 * PostgreSQL of its own in a temporary directory, on loopback and a free port, owned by an ordinary user: the server
 * refuses to run as root, so root lends it another uid. What Debian starts by itself is left alone.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePorts, type Peer, startPeer } from './process.ts'

const run = promisify(execFile)
const INSTALLED = '/usr/lib/postgresql'
/** The newest there is. */
const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : []
const BIN = join(INSTALLED, versions[0] ?? '15', 'bin')
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const AS_NOBODY = isRoot ? ['/usr/bin/setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'] : []

export interface Postgres {
  /** The address of a database. */
  url(database?: string): string
  /** Makes a database, empty or a copy of another that nobody is connected to, and answers its address. */
  create(like?: string): Promise<string>
  /** The name in an address. */
  nameOf(url: string): string
  /** On the database that is always there. */
  query(text: string): Promise<unknown[]>
  stop(how?: 'kindly' | 'kill'): Promise<void>
  start(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface PostgresOptions {
  /** Whether what is committed waits for the disk. Without it only a power failure could lose something. */
  durable?: boolean
  settings?: Record<string, string | number>
}

export async function startPostgres({ durable = false, settings = {} }: PostgresOptions = {}): Promise<Postgres> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-postgres-'))
  if (isRoot) await chown(dir, NOBODY, NOBODY)
  const password = randomBytes(12).toString('hex')
  const data = join(dir, 'data')
  const secret = join(dir, 'password')
  await writeFile(secret, password, { mode: 0o644 })
  const [port = 0] = await freePorts(1)
  const url = (database = 'postgres') => `postgres://reforge:${password}@127.0.0.1:${port}/${database}`
  let peer: Peer | undefined
  let made = 0

  async function query(text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url(), connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  async function start(): Promise<void> {
    const all = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
      ...settings,
    }
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    for (let tries = 0; ; tries++) {
      peer = startPeer(join(BIN, 'postgres'), ['-D', data, ...args], {}, isRoot ? NOBODY : null)
      if (await ready(peer)) return
      await peer.stop()
      // The children of one that was killed may still be going.
      if (tries === 20) throw new Error(`PostgreSQL does not start: ${peer.said()}`)
      await sleep(200)
    }
  }

  async function ready(peer: Peer): Promise<boolean> {
    for (let tries = 0; tries < 600 && peer.child.exitCode === null; tries++) {
      if (await query('SELECT 1').then(Boolean, () => false)) return true
      await sleep(20)
    }
    return false
  }

  async function stop(how: 'kindly' | 'kill' = 'kindly'): Promise<void> {
    if (!peer) return
    const gone = new Promise((resolve) => peer?.child.once('exit', resolve))
    // SIGINT is its fast shutdown: connections are cut, what is committed is written.
    if (how === 'kindly' && peer.child.exitCode === null && peer.child.signalCode === null) {
      peer.child.kill('SIGINT')
      await gone
    }
    await peer.stop()
  }

  const [initdb = '', ...rest] = [...AS_NOBODY, join(BIN, 'initdb')]
  const how = [
    '-D',
    data,
    '-U',
    'reforge',
    '-A',
    'scram-sha-256',
    `--pwfile=${secret}`,
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ]
  try {
    await run(initdb, [...rest, ...how, '--no-sync', '--no-instructions'])
    await start()
  } catch (error) {
    await stop('kill')
    await rm(dir, { recursive: true, force: true })
    throw error
  }
  return {
    url,
    nameOf: (address) => new URL(address).pathname.slice(1),
    async create(like) {
      const name = `test_${++made}`
      await query(`CREATE DATABASE ${name}${like ? ` TEMPLATE ${like} STRATEGY file_copy` : ''}`)
      return url(name)
    },
    query,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('kill')
      for (let tries = 0; ; tries++) {
        // Its children write until they notice that they are alone.
        try {
          return await rm(dir, { recursive: true, force: true })
        } catch (error) {
          if (tries === 20) throw error
          await sleep(100)
        }
      }
    },
  }
}
