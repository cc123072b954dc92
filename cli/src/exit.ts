/** How the program ends: a code that means something and a sentence that says what to do. */
import { ReforgeError } from '@reforge/sdk'

export const EXIT = { ok: 0, failed: 1, usage: 2, server: 3, stopped: 130 } as const

export class UsageError extends Error {}

const isServer = ({ status, code }: ReforgeError): boolean =>
  status === 401 || status === 403 || code === 'network_error' || code === 'untrusted_certificate'

export function exitCode(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  return error instanceof ReforgeError && isServer(error) ? EXIT.server : EXIT.failed
}

export function sentence(error: unknown): string {
  if (error instanceof ReforgeError) return clean(ofServer(error))
  if (!(error instanceof Error)) return clean(String(error))
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') return clean(`${path} is already there. Use --force to replace it.`)
  if (code === 'EACCES' || code === 'EPERM') return clean(`${path} may not be read or written.`)
  if (code === 'ENOSPC') return 'The disk is full.'
  return clean(error.message)
}

function ofServer(error: ReforgeError): string {
  const { status, code, message, errors } = error
  if (status === 401)
    return 'The server did not accept the key. Set REFORGE_API_KEY or give --key; "reforge keys create --user you@example.org" makes one.'
  if (code === 'network_error') return `${message} Start it with "npm start", or give its address with --server.`
  if (code === 'untrusted_certificate') return `${message} Give its authority with --cacert, such as data/tls/ca.pem.`
  if (errors.length === 0) return message
  // Our own job's names mean nothing to the user.
  return errors.map(({ path, message: what }) => `${path.replace(/^tasks\.\w+\.?/, '')} ${what}`.trim()).join(' ')
}

/** Names and messages come from elsewhere; none may steer the terminal. */
export const clean = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, '\uFFFD')
