/** The dashboard's files, as its build left them. Without a build the service works all the same, by its API. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Styles that the page makes while it runs must carry the nonce; scripts come from files alone. `bucket` is where files are
 * fetched from and sent to when that is not this server.
 */
const policy = (nonce: string, bucket: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce && ` 'nonce-${nonce}'`}`,
    `img-src 'self' blob: data:${bucket}`,
    `media-src 'self' blob:${bucket}`,
    // A PDF is shown by the browser's own reader, from bytes that the page has fetched.
    'frame-src blob:',
    `connect-src 'self'${bucket}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Stands in the built page wherever the nonce of an answer belongs. */
const PLACE = '__NONCE__'

export async function registerPages(app: FastifyInstance, dir: string, origin: string | null): Promise<void> {
  if (!existsSync(dir)) return
  const bucket = origin ? ` ${origin}` : ''
  await app.register(files, {
    root: dir,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ['**/index.html'],
    setHeaders: (reply, path) => {
      reply.header('Content-Security-Policy', policy('', bucket))
      reply.header('Referrer-Policy', 'no-referrer')
      // Names of built files change with their content; all others must always be asked for.
      const kept = path.includes('/assets/')
      reply.header('Cache-Control', kept ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // Never kept: a nonce is good for one answer.
  const page = async (_request: unknown, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    const html = await readFile(join(dir, 'index.html'), 'utf8')
    return reply
      .headers({
        'Content-Security-Policy': policy(nonce, bucket),
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(html.replaceAll(PLACE, nonce))
  }
  app.get('/', page)
  app.get('/index.html', page)
}
