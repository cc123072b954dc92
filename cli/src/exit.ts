/** How the program ends: a code that means something and a sentence that says what to do. */
import { ReforgeError } from '@reforge/sdk'

export const EXIT = { ok: 0, failed: 1, usage: 2, server: 3, stopped: 130 } as const

/** For help, manual and docs. */
export const MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'All was done.',
  failed: 'A conversion or a request failed.',
  usage: 'It was called in a way that makes no sense.',
  server: 'The server cannot be reached or trusted, or refuses the key.',
  stopped: 'Stopped by Ctrl-C or a signal; what it had begun on the server is canceled.',
}

export class UsageError extends Error {}

/** Why the signal of a command is aborted. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals
  constructor(signal: NodeJS.Signals) {
    super('Stopped.')
    this.signal = signal
  }
}

const isServer = ({ status, code }: ReforgeError): boolean =>
  status === 401 || status === 403 || code === 'network_error' || code === 'untrusted_certificate'

export function exitCode(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof Interrupted) return EXIT.stopped
  return error instanceof ReforgeError && isServer(error) ? EXIT.server : EXIT.failed
}

export function sentence(error: unknown): string {
  if (error instanceof ReforgeError) return clean(ofServer(error))
  if (!(error instanceof Error)) return clean(String(error))
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (code === 'EEXIST' && syscall === 'mkdir') return clean(`${path} is a file, where a folder is needed.`)
  if (code === 'ENOTDIR') return clean(`A part of ${path} is a file, where a folder is needed.`)
  if (code === 'EEXIST') return clean(`${path} is already there. Use --force to replace it.`)
  if (code === 'ENOENT' && path) return clean(`There is no file ${path}.`)
  if (code === 'EISDIR' && path) return clean(`${path} is a folder.`)
  if (code === 'EACCES' || code === 'EPERM') return clean(`${path} may not be read or written.`)
  if (code === 'ENOSPC') return 'The disk is full.'
  return clean(error.message)
}

function ofServer(error: ReforgeError): string {
  const { status, code, message, errors } = error
  if (status === 401)
    return 'The server did not accept the key. Set REFORGE_API_KEY, give --key, or use "reforge login"; "reforge keys create --user you@example.org" makes a key.'
  if (code === 'network_error') return `${message} Start it with "npm start", or give its address with --server.`
  if (code === 'untrusted_certificate') return `${message} Give its authority with --cacert, such as data/tls/ca.pem.`
  if (errors.length === 0) return message
  // Our own job's names mean nothing to the user.
  return errors.map(({ path, message: what }) => `${path.replace(/^tasks\.\w+\.?/, '')} ${what}`.trim()).join(' ')
}

/** For programs: the code, where there is one, and the sentence. */
export function problem(error: unknown): { code?: string; message: string } {
  const { code } = error as { code?: string }
  return { ...(code && { code }), message: sentence(error) }
}

/** Names and messages come from elsewhere; none may steer the terminal. */
export const clean = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, '\uFFFD')
