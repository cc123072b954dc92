/** How to get into an SFTP server: a password, or a private key instead. */
import { Type } from 'typebox'
import { openSftp } from '../../connectors/sftp.ts'
import type { Storage } from '../../connectors/storage.ts'
import type { Issue } from '../../core/errors.ts'
import type { RunContext } from '../operation.ts'
import { given, perhapsSecret, place, text } from './fields.ts'

/** "`host` and `port` as string or number." */
export const sftpAccess = {
  host: Type.Union([text('Host name or address.'), Type.Number()], { description: 'Host name or address.' }),
  port: Type.Optional(
    Type.Union([Type.String({ maxLength: 5 }), Type.Number()], { description: 'Port; 22 by default.' }),
  ),
  username: text('Who logs in.'),
  password: perhapsSecret('Not needed when `private_key` is given.'),
  private_key: perhapsSecret('Private key, instead of the password.'),
  passphrase: perhapsSecret('Unlocks the private key.'),
  host_key: place('Key that the server must show: its fingerprint as `SHA256:…`, or its line of known_hosts.'),
}

export const sftpSecrets = ['password', 'private_key', 'passphrase'] as const

interface Access {
  host: string | number
  port?: string | number
  username: string
  password?: string
  private_key?: string
  passphrase?: string
  host_key?: string
}

const DEFAULT_PORT = 22
const HOST_KEY = /^SHA256:[A-Za-z0-9+/]{43}=?$|(^|\s)AAAA[A-Za-z0-9+/]+=*/

const portOf = ({ port }: Pick<Access, 'port'>): number =>
  port === undefined || port === null || port === ''
    ? DEFAULT_PORT
    : /^\s*\d+\s*$/.test(String(port))
      ? Number(port)
      : Number.NaN

export function checkSftp(params: Access): Issue[] {
  const issues: Issue[] = []
  const port = portOf(params)
  if (/[\s/@]/.test(String(params.host)))
    issues.push({ path: 'host', message: 'must be a host name or an address, nothing else.' })
  if (!(port >= 1 && port <= 65_535)) issues.push({ path: 'port', message: 'must be a number from 1 to 65535.' })
  if (!given(params.password) && !given(params.private_key))
    issues.push({ path: 'password', message: 'is required, unless private_key is given.' })
  if (given(params.host_key) && !HOST_KEY.test(params.host_key.trim()))
    issues.push({
      path: 'host_key',
      message: 'must be a fingerprint as ssh-keygen -l shows it (SHA256:…), or a public key in base64.',
    })
  return issues
}

export const openSftpAccess = (params: Access, { guard, signal }: RunContext<unknown>): Storage =>
  openSftp(
    { ...params, host: String(params.host), port: portOf(params), host_key: params.host_key || undefined },
    guard,
    signal,
  )
