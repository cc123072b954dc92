/** The dashboard's files, as its build left them. Without a build the service works all the same, by its API. */
import { existsSync } from 'node:fs'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export async function registerPages(app: FastifyInstance, dir: string): Promise<void> {
  if (!existsSync(dir)) return
  await app.register(files, {
    root: dir,
    wildcard: false,
    setHeaders: (reply, path) => {
      reply.header('Content-Security-Policy', POLICY)
      reply.header('Referrer-Policy', 'no-referrer')
      // Names of built files change with their content; the page itself must always be asked for.
      const kept = path.includes('/assets/')
      reply.header('Cache-Control', kept ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}
