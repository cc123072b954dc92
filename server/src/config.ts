/** Settings from the environment, each declared once. A wrong one stops the start, with its name and what is allowed. */
import { resolve } from 'node:path'
import { type GroupRule, readGroups } from './core/groups.ts'
import type { Lane } from './core/task.ts'
import { ROLES, type Role } from './ports/nodes.ts'

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
const issuer = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : null
  const isHere = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)) || url.search || url.hash)
    throw new Error('must be an https:// address, such as https://login.example.org')
  return value
}
const oneOf =
  <const T extends string>(...names: T[]) =>
  (value: string): T => {
    const found = names.find((name) => name === value)
    if (!found) throw new Error(`must be one of ${names.join(', ')}`)
    return found
  }

const postgres = (value: string) => {
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol))
    throw new Error('must be an address such as postgres://user:password@host/database')
  return value
}
const names = (value: string): string[] =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

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
  warm: setting(true, 'Start what stays warm at once, not at its first use.', flag),
  unsafeNoSandbox: setting(false, 'Run engines without a sandbox. Never with files you did not make.', flag),
  metricsToken: setting<string | null>(null, 'Bearer that may read /metrics from elsewhere than loopback.', text),
  guests: setting(false, 'Whether people may convert without an account, on the plan "guest".', flag),
  auditDays: setting(365, 'Days that the audit log is kept.', whole(1, 36_500)),
  oidcIssuer: setting<string | null>(null, 'OpenID Connect provider to sign in with.', issuer),
  oidcClientId: setting<string | null>(null, 'What this service is called at the provider.', text),
  oidcClientSecret: setting<string | null>(null, 'Its secret there; none for a public client.', text),
  oidcTitle: setting('single sign-on', 'Name of the provider, on the button.', text),
  oidcAllow: setting(
    'invited' as 'invited' | 'groups' | 'all',
    'Who may come by the provider for the first time: invited, groups (members of one in REFORGE_OIDC_GROUPS) or all.',
    oneOf('invited', 'groups', 'all'),
  ),
  oidcGroups: setting<GroupRule[]>(
    [],
    'What groups at the provider give, such as staff=team,admins=admin:unlimited,*=basic.',
    readGroups,
  ),
  role: setting(
    'all' as Role,
    'What this process does: all, api (takes requests) or worker (runs tasks).',
    oneOf(...ROLES),
  ),
  engines: setting<string[] | null>(
    null,
    'Engines a worker uses, such as office,ffmpeg, or none; all it finds by default.',
    (value) => (value === 'none' ? [] : names(value)),
  ),
  lanes: setting<Lane[] | null>(null, 'What a worker takes: io, light, heavy; all by default.', (value) =>
    names(value).map(oneOf('io', 'light', 'heavy')),
  ),
  secret: setting<string | null>(null, 'Text that all nodes share; what seals and signs is made of it.', apiKey),
  drain: setting(
    10,
    'Seconds that running tasks get to finish when the server stops; then they are given back.',
    whole(0, 86_400),
  ),
  splitVideo: setting(
    0,
    'Seconds that a part has where a long film is spread over several workers, such as 60; 0 for never.',
    whole(0, 86_400),
  ),
  databaseUrl: setting<string | null>(
    null,
    'PostgreSQL for the records, such as postgres://user:password@host/reforge; a file in the data folder by default.',
    postgres,
  ),
  s3Bucket: setting<string | null>(null, 'Bucket that holds the files; the data folder does by default.', text),
  s3Region: setting('us-east-1', 'Region of the bucket.', text),
  s3Endpoint: setting<string | null>(null, "Where the bucket is; Amazon's by default.", server),
  s3PublicEndpoint: setting<string | null>(null, 'Where clients find the bucket, if that is elsewhere.', server),
  s3AccessKey: setting<string | null>(null, 'Access key of the bucket.', text),
  s3SecretKey: setting<string | null>(null, 'Secret key of the bucket.', text),
  s3ForcePathStyle: setting(false, "Whether the bucket's name is in the path, not in the host's name.", flag),
  s3Downloads: setting(
    'through' as 'redirect' | 'through',
    'How clients get files: through (the server) or redirect (to a signed address of the bucket).',
    oneOf('redirect', 'through'),
  ),
  s3Uploads: setting(
    'through' as 'direct' | 'through',
    'How clients may send files: through (the server) or also direct (to the bucket).',
    oneOf('direct', 'through'),
  ),
  logLevel: setting('info', 'fatal, error, warn, info, debug or silent.', (value) => {
    const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent']
    if (!levels.includes(value)) throw new Error(`must be one of ${levels.join(', ')}`)
    return value
  }),
}

export type Config = { [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never }

export class ConfigError extends Error {}

/** Where clients meet the bucket, if they do. */
export function bucketOrigin(config: Config): string | null {
  const { s3Bucket: bucket, s3Downloads, s3Uploads, s3Region, s3ForcePathStyle } = config
  if (!bucket || (s3Downloads === 'through' && s3Uploads === 'through')) return null
  const { protocol, host } = new URL(
    config.s3PublicEndpoint ?? config.s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`,
  )
  return `${protocol}//${s3ForcePathStyle ? host : `${bucket}.${host}`}`
}

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
  if (config.oidcIssuer !== null && config.oidcClientId === null)
    throw new ConfigError('REFORGE_OIDC_ISSUER needs REFORGE_OIDC_CLIENT_ID.')
  if (config.s3Bucket !== null && (config.s3AccessKey === null || config.s3SecretKey === null))
    throw new ConfigError('REFORGE_S3_BUCKET needs REFORGE_S3_ACCESS_KEY and REFORGE_S3_SECRET_KEY.')
  if (config.splitVideo > 0 && config.databaseUrl === null)
    throw new ConfigError(
      'REFORGE_SPLIT_VIDEO needs REFORGE_DATABASE_URL: one machine has nobody to share a film with.',
    )
  return { ...config, data: resolve(config.data) }
}

/** Names that look like settings and are none: most likely misspelt. */
export function unknownSettings(env: Environment): string[] {
  const known = new Set(Object.keys(SETTINGS).map(variable))
  return Object.keys(env).filter((name) => name.startsWith('REFORGE_') && !known.has(name))
}
