/** Opens an SFTP session over a socket of the guard's: who we are, who they must be, and what is wrong if not. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Client, ConnectConfig, SFTPWrapper } from 'ssh2'
import { Failure } from '../core/errors.ts'
import type { Guard } from '../net/guard.ts'
import { broken, Passing } from './trouble.ts'

export interface SftpAccess {
  host: string
  port: number
  username: string
  password?: string | undefined
  private_key?: string | undefined
  passphrase?: string | undefined
  /** `SHA256:…`, or the key itself as it stands in known_hosts. */
  host_key?: string | undefined
}

type Done<T> = (error: Error | null | undefined, value: T) => void

export interface Session {
  sftp: SFTPWrapper
  /** One request and its answer. Fails when the connection goes: ssh2 forgets what was asked on a dead one. */
  call<T>(start: (done: Done<T>) => void): Promise<T>
  alive(): boolean
  end(): void
}

const READY_MS = 20_000
const STILL_THERE_MS = 10_000
/** Who is stopped may still remove what is half written. */
const TIDY_UP_MS = 5000

/** ssh2 is loaded when the first server is used. */
export async function connectSftp(access: SftpAccess, guard: Guard, signal: AbortSignal): Promise<Session> {
  const { Client, default: ssh2 } = await import('ssh2')
  const { host, port, private_key } = access
  const privateKey = private_key && keyText(private_key)
  if (privateKey) checkKey(ssh2.utils.parseKey(privateKey, access.passphrase))
  const sock = await guard.connect({ host, port, use: 'any', signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw broken(error, `${host}:${port}`)
  })
  const client = new Client()
  let presented = ''
  let open = true
  const waiting = new Set<(error: Error) => void>()
  client.on('close', () => {
    open = false
    for (const fail of waiting) fail(new Error('the connection was closed'))
  })
  let established = false
  const stop = () => {
    if (established) setTimeout(() => client.destroy(), TIDY_UP_MS).unref()
    else client.destroy()
  }
  signal.addEventListener('abort', stop)
  client.once('close', () => signal.removeEventListener('abort', stop))
  const config: ConnectConfig = {
    sock,
    username: access.username,
    ...(privateKey ? { privateKey, passphrase: access.passphrase } : { password: access.password }),
    tryKeyboard: !privateKey && access.password !== undefined,
    readyTimeout: READY_MS,
    keepaliveInterval: STILL_THERE_MS,
    hostVerifier: (key: Buffer) => {
      presented = fingerprint(key)
      return access.host_key === undefined || isKey(access.host_key, key)
    },
  }
  try {
    const sftp = await ready(client, config, access.password)
    established = true
    return { sftp, call: caller(waiting, () => open), alive: () => open, end: () => client.end() }
  } catch (error) {
    client.destroy()
    signal.throwIfAborted()
    throw inWords(error, access, presented)
  }
}

const caller = (waiting: Set<(error: Error) => void>, alive: () => boolean): Session['call'] =>
  function call(start) {
    const { promise, resolve, reject } = Promise.withResolvers<Parameters<Parameters<typeof start>[0]>[1]>()
    if (!alive()) reject(new Error('the connection was closed'))
    else {
      waiting.add(reject)
      start((error, value) => (error ? reject(error) : resolve(value)))
    }
    return promise.finally(() => waiting.delete(reject))
  }

function ready(client: Client, config: ConnectConfig, password = ''): Promise<SFTPWrapper> {
  const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>()
  client.on('error', reject)
  client.on('close', () => reject(new Error('closed')))
  // Many servers ask for the password in this way only.
  client.on('keyboard-interactive', (_name, _text, _language, prompts, answer) => answer(prompts.map(() => password)))
  client.on('ready', () => client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))))
  client.connect(config)
  return promise
}

/** Errors of authentication and of host keys have no code: the words of ssh2 are all there is. */
function inWords(error: unknown, { host, port, username, host_key }: SftpAccess, presented: string): Failure {
  const { message = '', level = '' } = error as { message?: string; level?: string }
  const refusedKey = host_key !== undefined && /host denied|verification failed/i.test(message)
  if (refusedKey)
    return new Failure(
      'processing_failed',
      `${host} showed another host key than host_key says: ${presented}. Nothing was sent.`,
    )
  if (level === 'client-authentication')
    return new Failure('invalid_credentials', `${host} did not accept the credentials of ${username}.`)
  if (/no matching|handshake failed/i.test(message))
    return new Failure('processing_failed', `${host}:${port} offers no way of encryption that is known here.`, message)
  if (/unable to start subsystem|channel open failure/i.test(message))
    return new Failure('processing_failed', `${host} offers no SFTP to ${username}.`, message)
  return new Passing(`The connection to ${host}:${port} could not be made or broke off.`, message)
}

function checkKey(parsed: unknown): void {
  if (!(parsed instanceof Error)) return
  const why = /passphrase|integrity|decrypt|cipher/i.test(parsed.message)
    ? 'private_key is locked: its passphrase is missing or wrong.'
    : 'private_key is not a private key that can be read.'
  throw new Failure('invalid_credentials', why)
}

/** Keys are often pasted out of JSON, with `\n` for the line breaks. */
const keyText = (text: string): string => `${text.replaceAll('\\n', '\n').trim()}\n`

const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

function isKey(wanted: string, key: Buffer): boolean {
  const text = wanted.trim()
  const print = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(text)?.[1]
  if (print) return same(Buffer.from(`SHA256:${print}`), Buffer.from(fingerprint(key)))
  const blob = /(?:^|\s)(AAAA[A-Za-z0-9+/]+=*)/.exec(text)?.[1]
  return blob !== undefined && same(Buffer.from(blob, 'base64'), key)
}

const same = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
