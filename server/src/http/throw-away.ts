/** A client that is still sending sees our answer only if we go on reading: the rest of a refused request is thrown away. */
import type { FastifyRequest } from 'fastify'

/** Then the connection is cut. */
const PATIENCE = 10_000

export function throwAway({ raw }: FastifyRequest): void {
  if (raw.destroyed) return
  raw.unpipe()
  raw.resume()
  const timer = setTimeout(() => raw.destroy(), PATIENCE)
  raw.once('close', () => clearTimeout(timer))
}
