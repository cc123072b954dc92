/**
 * Downloads: the signature in the address is the right. Streams with ranges, as an attachment, under the right name; or
 * sends the client to where the bytes are.
 */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { extOf, formatOf } from '../../catalog/formats.ts'
import { notFound, Problem } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { TaskFile } from '../../core/task.ts'
import type { HttpDeps } from '../deps.ts'
import { readRange } from '../range.ts'
import { type Route, route } from '../route.ts'

/** RFC 6266: an ASCII name for old clients, the real one for all others. */
export function disposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(filename).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** If-None-Match: a list of tags, weak ones as good as strong ones. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))

function mediaType(file: TaskFile): string {
  const ext = extOf(file.format)
  return ext ? formatOf(ext).mime : 'application/octet-stream'
}

/** Time to begin; who comes later, or resumes, comes by here again. */
const REDIRECT_SECONDS = 300

export function fileRoutes({ store, blobs, clock, links }: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/files/:taskId/:fileId/:filename',
      tag: 'Files',
      summary: 'Download a file by its signed address.',
      access: 'signed',
      cors: true,
      query: Type.Object({ expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) }),
      produces: 'application/octet-stream',
      answer: { status: 200, schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      async handle({ request, reply, params, query }) {
        const path = request.url.split('?')[0] ?? ''
        const verdict = links.checkDownload(path, query.expires ?? '', query.signature ?? '', clock.now())
        if (verdict !== 'ok')
          throw new Problem('forbidden', verdict === 'expired' ? 'This link has expired.' : 'This link is not valid.')
        const { taskId = '', fileId = '' } = params
        const task = isId(taskId) ? await store.task(taskId) : null
        const file = task?.result?.files?.find(({ id }) => id === fileId)
        if (!task || !file || task.expiresAt <= clock.now()) throw notFound('The file')
        return send(file)

        async function send(found: TaskFile) {
          const etag = `"${found.blob}"`
          const ifRange = request.headers['if-range']
          const fits = ifRange === undefined || ifRange === etag
          const range = fits ? readRange(request.headers.range, found.size) : null
          if (range === 'unsatisfiable')
            throw new Problem('range_not_satisfiable', `The file has ${found.size} bytes.`, {
              headers: { 'Content-Range': `bytes */${found.size}` },
            })
          reply.headers({
            'Accept-Ranges': 'bytes',
            ETag: etag,
            'Cache-Control': 'private, max-age=3600',
            'Content-Type': mediaType(found),
            'Content-Disposition': disposition(found.filename),
            'X-Content-Type-Options': 'nosniff',
            'Content-Security-Policy': 'sandbox',
          })
          if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
          // Its signature is for a GET only.
          if (blobs.link && request.method === 'GET' && found.size > 0) {
            const shown = {
              disposition: disposition(found.filename),
              type: mediaType(found),
              seconds: REDIRECT_SECONDS,
            }
            return reply.header('Cache-Control', 'no-store').redirect(await blobs.link(found.blob, shown), 302)
          }
          const { start, end } = range ?? { start: 0, end: found.size - 1 }
          reply.header('Content-Length', end - start + 1)
          if (range) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${found.size}`)
          // A stream, though an empty one: for a text the length would be set to its own.
          if (request.method === 'HEAD' || found.size === 0) return reply.send(Readable.from([]))
          return reply.send(blobs.read(found.blob, { start, end }))
        }
      },
    }),
  ]
}
