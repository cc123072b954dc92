/** Resumable uploads by tus 1.0 on the same task. The token in the address is the right; parts wait in a folder of their own. */
import { randomBytes } from 'node:crypto'
import { FileStore } from '@tus/file-store'
import { EVENTS, Server } from '@tus/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound, Problem } from '../core/errors.ts'
import type { HttpDeps } from './deps.ts'
import { asProblem } from './errors.ts'
import { createUploads } from './uploads.ts'

const PATH = '/v1/resumable'

/** tus answers in its own way; what it throws must have its shape. */
function refusal(error: unknown): { status_code: number; body: string } {
  const problem = asProblem(error)
  return {
    status_code: problem.status,
    body: JSON.stringify({ code: problem.code, message: problem.message, errors: problem.issues }),
  }
}

export function registerResumable(app: FastifyInstance, deps: HttpDeps): void {
  const { links, intake, settings } = deps
  const uploads = createUploads(deps)
  const parts = new FileStore({ directory: settings.uploads })

  const tokenOf = (url: string) => new URL(url, 'https://x').pathname.slice(PATH.length + 1).split('/')[0] ?? ''

  async function open(url: string, upload: string | null | undefined) {
    const token = links.readToken(tokenOf(url))
    if (!token) throw notFound('The upload')
    const task = await uploads.open(token.task, token.expires, token.signature)
    if (upload && !upload.startsWith(task.id)) throw notFound('The upload')
    return task
  }

  const tus = new Server({
    path: PATH,
    datastore: parts,
    // What tus may tell before there is an upload is what nobody may exceed.
    maxSize: async (request, upload) =>
      request.method === 'OPTIONS' ? settings.maxFileSize : uploads.most(await open(request.url, upload)),
    respectForwardedHeaders: false,
    disableTerminationForFinishedUploads: true,
    generateUrl: (request, { id }) => links.self(`${PATH}/${tokenOf(request.url)}/${id}`),
    getFileIdFromRequest: (_request, last) => (last && /^[0-9a-f]{24}_[\w-]+$/.test(last) ? last : undefined),
    namingFunction: (request) =>
      `${links.readToken(tokenOf(request.url))?.task}_${randomBytes(9).toString('base64url')}`,
    async onUploadFinish(request, upload) {
      try {
        const task = await open(request.url, upload.id)
        await uploads.arrived(task)
        const name = upload.metadata?.filename ?? upload.metadata?.name ?? 'upload'
        const file = await intake.adopt(`${settings.uploads}/${upload.id}`, name)
        await parts.configstore.delete(upload.id)
        await uploads.complete(task, file)
        return {}
      } catch (error) {
        throw refusal(error)
      }
    },
  })
  tus.on(EVENTS.POST_RECEIVE, (request, upload) => {
    void open(request.url, upload.id)
      .then(async (task) => {
        await uploads.arrived(task)
        if (upload.size) await uploads.progressed(task, (upload.offset / upload.size) * 100)
      })
      .catch(() => {})
  })

  /** Before tus sees it, so that a refusal has the shape of all others. */
  async function admit({ url, method, params, headers }: FastifyRequest): Promise<void> {
    if (method === 'OPTIONS') return
    const task = await open(url, (params as { upload?: string }).upload)
    const length = Number(headers['upload-length'])
    const most = length > 0 ? await uploads.most(task) : 0
    if (length > most) throw new Problem('too_large', `The file is larger than the limit of ${most} bytes.`)
    if (method === 'PATCH') await uploads.arrived(task)
  }

  app.register(async (scope) => {
    // The bytes go to tus unread.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async () => undefined)
    for (const url of [`${PATH}/:token`, `${PATH}/:token/:upload`])
      scope.route({
        method: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
        url,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          reply.header('Access-Control-Allow-Origin', '*')
          await admit(request)
          reply.hijack()
          for (const [name, value] of Object.entries(reply.getHeaders())) if (value) reply.raw.setHeader(name, value)
          await tus.handle(request.raw, reply.raw)
        },
      })
  })
}
