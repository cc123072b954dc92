/** Which server, with which key, trusting whom. The only place of the command line that knows where data lies. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import tls from 'node:tls'
import { createReforge, type Reforge } from '@reforge/sdk'
import type { Values } from './command.ts'
import { UsageError } from './exit.ts'

type Environment = Readonly<Record<string, string | undefined>>

const ROOT = resolve(import.meta.dirname, '../..')
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The server's data folder: as set, here, or in the project, which is where `npm start` puts it. */
export function dataFolder(env: Environment, cwd = process.cwd()): string {
  if (env.REFORGE_DATA) return resolve(cwd, env.REFORGE_DATA)
  const here = join(cwd, 'data')
  return existsSync(here) ? here : join(ROOT, 'data')
}

export function serverUrl(values: Values, env: Environment): URL {
  const text = values.server ?? (env.REFORGE_URL || 'https://localhost:8443')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new UsageError(`"${text}" is no address. Give one such as https://localhost:8443.`)
  return url
}

/** A server on this machine has made its own certificate authority; it is trusted without being asked for. */
function authority(url: URL, values: Values, env: Environment): string | null {
  const named = values.cacert ?? env.REFORGE_CA
  if (named) {
    try {
      return readFileSync(named, 'utf8')
    } catch {
      throw new UsageError(`The certificate ${named} cannot be read.`)
    }
  }
  const own = join(dataFolder(env), 'tls/ca.pem')
  return LOCAL.has(url.hostname) && existsSync(own) ? readFileSync(own, 'utf8') : null
}

export function connect(values: Values, env: Environment): Reforge {
  const url = serverUrl(values, env)
  const ca = authority(url, values, env)
  // For the whole program, which talks to nobody else; Node's own fetch then needs nothing further.
  if (ca) tls.setDefaultCACertificates([...tls.getCACertificates('default'), ca])
  const key = values.key ?? (env.REFORGE_API_KEY || undefined)
  return createReforge({ url: url.href, key })
}
