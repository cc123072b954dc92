/** Which server, with which key, trusting whom. The only place of the command line that knows where data lies. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import tls from 'node:tls'
import { createReforge, type Reforge } from '@reforge/sdk'
import { UsageError } from './exit.ts'
import type { Values } from './flags.ts'
import { readStored } from './stored.ts'

type Environment = Readonly<Record<string, string | undefined>>

export const ROOT = resolve(import.meta.dirname, '../..')
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])
export const isLocal = (url: URL): boolean => LOCAL.has(url.hostname)

/** The server's data folder: as set, here, or in the project, which is where `npm start` puts it. */
export function dataFolder(env: Environment, cwd = process.cwd()): string {
  if (env.REFORGE_DATA) return resolve(cwd, env.REFORGE_DATA)
  const here = join(cwd, 'data')
  return existsSync(here) ? here : join(ROOT, 'data')
}

export function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new UsageError(`"${text}" is no address. Give one such as https://localhost:8443.`)
  return url
}

/** A server on this machine has made its own certificate authority; it is trusted without being asked for. */
export function authority(url: URL, named: string | undefined, env: Environment): { path: string; pem: string } | null {
  const own = join(dataFolder(env), 'tls/ca.pem')
  const path = named ?? (isLocal(url) && existsSync(own) ? own : undefined)
  if (path === undefined) return null
  try {
    return { path: resolve(path), pem: readFileSync(path, 'utf8') }
  } catch {
    throw new UsageError(`The certificate ${path} cannot be read.`)
  }
}

export interface Settings {
  url: URL
  key: string | undefined
  ca: { path: string; pem: string } | null
}

/** What was typed, else the environment, else what login has kept, else a server on this machine. */
export function settings(values: Values, env: Environment): Settings {
  const asked = values.server ?? (env.REFORGE_URL || undefined)
  const stored = readStored(env)
  const url = readUrl(asked ?? stored?.url ?? 'https://localhost:8443')
  // The key of one server is no other server's business.
  const mine = stored && readUrl(stored.url).href === url.href ? stored : null
  const key = values.key ?? (env.REFORGE_API_KEY || mine?.key)
  return { url, key, ca: authority(url, values.cacert ?? (env.REFORGE_CA || mine?.ca), env) }
}

export function connect({ url, key, ca }: Settings, retries?: number): Reforge {
  // For the whole program, which talks to nobody else; Node's own fetch then needs nothing further.
  if (ca) tls.setDefaultCACertificates([...tls.getCACertificates('default'), ca.pem])
  return createReforge({ url: url.href, key, retries })
}
