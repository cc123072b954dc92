/**
 * Whether a request comes from a page of ours. The cookie's SameSite says the same to browsers; this says it to those that
 * do not listen, and to neighbours on the same site. Knows nothing of who is signed in.
 */
import type { FastifyRequest } from 'fastify'
import { Problem } from '../core/errors.ts'

const SAFE = ['GET', 'HEAD']

/** A browser tells where a request comes from, in words a page cannot forge. `home` is where our links lead to. */
function isFromOwnPage({ method, headers, host }: FastifyRequest, home: string): boolean {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  if (origin !== undefined && origin !== home && origin !== `https://${host}`) return false
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && SAFE.includes(method))
  // Neither header: no page of a browser that is still in use. It may look, and no other page could read the answer.
  return origin !== undefined || SAFE.includes(method)
}

export function requireOwnPage(request: FastifyRequest, home: string): void {
  if (!isFromOwnPage(request, home))
    throw new Problem(
      'forbidden',
      'Only the pages of this service may ask that: the header Origin or Sec-Fetch-Site is missing or names another site.',
    )
}
