/** The second step of import/upload: the file as multipart/form-data. Streams: nothing is held in memory. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Failure, invalid, Problem } from '../../core/errors.ts'
import { AT_ONCE } from '../../core/machine.ts'
import type { HttpDeps } from '../deps.ts'
import { BrokenForm, isForm, readForm } from '../form.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'
import { throwAway } from '../throw-away.ts'
import { createUploads } from '../uploads.ts'

/** The parameters are few and short. */
const LIMITS = { fields: 50, field: 4096 }

export function uploadRoutes(deps: HttpDeps): Route[] {
  const { intake, present } = deps
  const uploads = createUploads(deps)
  const tooLarge = (most: number) =>
    new Problem('too_large', `The file is larger than the limit of ${most} bytes. Nothing was kept.`)

  async function take(request: FastifyRequest, id: string, signal: AbortSignal) {
    const { raw } = request
    const contentType = raw.headers['content-type']
    if (!isForm(contentType))
      throw invalid([
        { path: '', message: 'The body must be multipart/form-data with the form parameters and a field "file".' },
      ])
    const { fields, file: sent } = await readForm(raw, contentType ?? '', LIMITS)
    using _rest = { [Symbol.dispose]: () => sent?.body.destroy() }
    if (!sent) throw invalid([{ path: 'file', message: 'is required: send the file in a form field named "file".' }])
    if (sent.name !== 'file')
      throw invalid([{ path: sent.name, message: 'The file must be in a form field named "file".' }])
    // "Form parameters must come before the file; a missing or late signature is a clear 400."
    const missing = ['expires', 'signature'].filter((name) => !fields.has(name))
    if (missing.length)
      throw invalid(missing.map((name) => ({ path: name, message: 'must be sent as a form field before the file.' })))
    const task = await uploads.open(id, fields.get('expires') ?? '', fields.get('signature') ?? '')
    const most = await uploads.most(task)
    // The length is the whole form's, which is a few hundred bytes more than the file's.
    const size = Number(raw.headers['content-length'])
    using _progress = size > 0 ? uploads.follow(task, sent.received, size) : null
    // An upload that is over at once is told as begun and ended together.
    const begun = setTimeout(() => void uploads.arrived(task).catch(() => {}), AT_ONCE)
    const file = await intake
      .receive(sent.body, sent.filename || 'upload', { signal, most })
      .catch((error: unknown) => {
        throw error instanceof Failure ? tooLarge(most) : error
      })
      .finally(() => clearTimeout(begun))
    return uploads.complete(task, file)
  }

  return [
    route({
      method: 'POST',
      path: '/v1/upload/:taskId',
      tag: 'Import',
      summary: 'Upload the file of an import/upload task, with its form parameters before the file.',
      access: 'signed',
      cors: true,
      raw: true,
      body: Type.Unsafe<unknown>({
        type: 'object',
        required: ['expires', 'signature', 'file'],
        properties: {
          expires: { type: 'string' },
          signature: { type: 'string' },
          file: { type: 'string', format: 'binary' },
        },
      }),
      answer: { status: 200, schema: ref('Task') },
      async handle({ request, params, signal }) {
        try {
          const task = await take(request, params.taskId ?? '', signal)
          return { msg: 'ok', ...present.task(task) }
        } catch (error) {
          throwAway(request)
          if (error instanceof BrokenForm)
            throw invalid([{ path: '', message: `The form is broken off or not well formed: ${error.message}.` }])
          throw error
        }
      },
    }),
  ]
}
