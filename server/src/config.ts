/** Settings from the environment, each declared once. A wrong one stops the start, with its name and what is allowed. */
import { resolve } from 'node:path'

interface Setting<T> {
  default: T
  hint: string
  read(text: string): T
}

const setting = <T>(fallback: T, hint: string, read: (text: string) => T): Setting<T> => ({
  default: fallback,
  hint,
  read,
})

const whole = (least: number, most: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new Error(`must be a whole number from ${least} to ${most}`)
  return value
}
const flag = (text: string) => {
  if (!['0', '1', 'true', 'false'].includes(text)) throw new Error('must be 0 or 1')
  return text === '1' || text === 'true'
}
const UNITS: Record<string, number> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 }
const bytes = (text: string) => {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?b?)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit.length === 1 && unit.toLowerCase() !== 'b' ? `${unit.toLowerCase()}b` : unit.toLowerCase()]
  const value = digits && factor ? Math.floor(Number(digits) * factor) : 0
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error('must be a number of bytes, such as 500000000, 500MB or 2GB')
  return value
}
const PERIODS: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600 }
const seconds = (text: string) => {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([smh]?)$/i.exec(text.trim()) ?? []
  const value = Number(digits ?? 0) * (PERIODS[unit.toLowerCase()] ?? 0)
  if (!Number.isFinite(value) || value < 1) throw new Error('must be a number of seconds, such as 5400, 90m or 10h')
  return value
}
const pixels = (text: string) => {
  const [, digits, million] = /^(\d+(?:\.\d+)?)\s*(mp)?$/i.exec(text.trim()) ?? []
  const value = Math.floor(Number(digits ?? 0) * (million ? 1_000_000 : 1))
  // The decoders count no further.
  if (value < 1 || value > 2 ** 31 - 1) throw new Error('must be a number of pixels, such as 33000000 or 33MP')
  return value
}
const address = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' || url.search || url.hash)
    throw new Error('must be an https:// address, such as https://convert.example.org')
  return text.replace(/\/+$/, '')
}
const server = (text: string) => {
  const url = URL.canParse(text.replace('{account}', 'a')) ? new URL(text.replace('{account}', 'a')) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new Error('must be an address that begins with https:// or http://')
  return text.replace(/\/+$/, '')
}
const apiKey = (text: string) => {
  if (text.length < 32 || /\s/.test(text)) throw new Error('must have at least 32 characters and no spaces')
  return text
}
const cidrs = (text: string) => {
  for (const part of text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean))
    if (!/^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(part))
      throw new Error(`must be a list of networks, such as 10.0.0.0/8,fd00::/8; "${part}" is none`)
  return text
}
const text = (value: string) => value

/** Each is set by `REFORGE_` and its name in capitals (`apiKey` by REFORGE_API_KEY). The messages come from here. */
export const SETTINGS = {
  port: setting(8443, 'Port to listen on.', whole(0, 65535)),
  host: setting('127.0.0.1', 'Address to listen on; 0.0.0.0 for all.', text),
  data: setting('./data', 'Folder for the database, the files and the certificates (CA at tls/ca.pem in it).', text),
  apiKey: setting<string | null>(null, 'Key of the first user; any string of 32 characters or more.', apiKey),
  publicUrl: setting<string | null>(null, 'Address that links in answers begin with.', address),
  allowPrivateCidrs: setting('', 'Private networks that imports and webhooks may reach, such as 10.0.0.0/8.', cidrs),
  trustedProxies: setting('', 'Networks of proxies whose X-Forwarded-Proto and -For are believed.', cidrs),
  rateLimit: setting(6000, 'Requests a minute and key; 0 for none.', whole(0, 10_000_000)),
  maxFileSize: setting(5 * 1024 ** 3, 'Largest file, in bytes or as 500MB, 2GB.', bytes),
  maxMediaDuration: setting(26 * 3600, 'Longest sound or film, in seconds or as 90m, 10h.', seconds),
  maxMediaPixels: setting(72_000_000, 'Biggest picture of a film, in pixels or as 33MP.', pixels),
  maxImportFiles: setting(1000, 'Files that one import by prefix may bring.', whole(1, 100_000)),
  blobstoreUrl: setting(
    'https://{account}.blob.core.windows.net',
    'Where blob storage accounts are; {account} stands for the name.',
    server,
  ),
  objstoreBUrl: setting('https://storage.googleapis.com', 'Where the API of objstore_b is.', server),
  objstoreBTokenUrl: setting('https://oauth2.googleapis.com/token', 'Where objstore_b gives out tokens.', server),
  uploadTimeout: setting(3600, 'Seconds after which an upload that never came fails.', whole(1, 86_400)),
  taskTimeout: setting(1800, 'Seconds one task may run.', whole(1, 86_400)),
  concurrency: setting<number | null>(null, 'Conversions at a time; the number of cores by default.', whole(1, 1024)),
  unsafeNoSandbox: setting(false, 'Run engines without a sandbox. Never with files you did not make.', flag),
  metricsToken: setting<string | null>(null, 'Bearer that may read /metrics from elsewhere than loopback.', text),
  logLevel: setting('info', 'fatal, error, warn, info, debug or silent.', (value) => {
    const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent']
    if (!levels.includes(value)) throw new Error(`must be one of ${levels.join(', ')}`)
    return value
  }),
}

export type Config = { [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never }

export class ConfigError extends Error {}

const variable = (name: string): string => `REFORGE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(env: Environment): Config {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { default: fallback, read }] of Object.entries(SETTINGS)) {
    const sent = env[variable(name)]
    try {
      values[name] = sent === undefined || sent === '' ? fallback : read(sent)
    } catch (error) {
      wrong.push(`${variable(name)} ${(error as Error).message}.`)
    }
  }
  if (wrong.length) throw new ConfigError(wrong.join('\n'))
  const config = values as Config
  return { ...config, data: resolve(config.data) }
}

/** Names that look like settings and are none: most likely misspelt. */
export function unknownSettings(env: Environment): string[] {
  const known = new Set(Object.keys(SETTINGS).map(variable))
  return Object.keys(env).filter((name) => name.startsWith('REFORGE_') && !known.has(name))
}
