/** Where the server is: where this page came from. */
export const SERVER = new URL('.', location.href).href.replace(/\/$/, '')

/**
 * A file's address as the server knows it may carry another name of the same server. The page's policy lets it talk to
 * where it came from only; the signature is over the path, so the name can be exchanged.
 */
export function here(address: string): string {
  const { pathname, search } = new URL(address)
  const at = pathname.search(/\/v1\/(files|upload|resumable)\b/)
  return at < 0 ? address : SERVER + pathname.slice(at) + search
}
