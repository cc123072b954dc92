/** The second step of import/upload: the file as multipart/form-data. Streams: nothing is held in memory. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Failure, invalid, Problem } from '../../core/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'
import { throwAway } from '../throw-away.ts'
import { createUploads } from '../uploads.ts'

/** A form field's value; the parameters are short. */
const FIELD = 4096

/** Milliseconds. */
const AT_ONCE = 100

/** The form parser's own complaints are plain errors. */
const isBrokenForm = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof Problem) && /multipart|needle/i.test(error.message)

export function uploadRoutes(deps: HttpDeps): Route[] {
  const { intake, present, settings } = deps
  const uploads = createUploads(deps)
  const tooLarge = (most: number) =>
    new Problem('too_large', `The file is larger than the limit of ${most} bytes. Nothing was kept.`)

  async function take(request: FastifyRequest, id: string, signal: AbortSignal) {
    if (!request.isMultipart())
      throw invalid([
        { path: '', message: 'The body must be multipart/form-data with the form parameters and a field "file".' },
      ])
    const fields: Record<string, string> = {}
    // One byte more than allowed is let through, so that a file of exactly the limit is not refused.
    const limits = { fileSize: settings.maxFileSize + 1, files: 1, fields: 50, fieldSize: FIELD, headerPairs: 100 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        fields[part.fieldname] = String(part.value)
        continue
      }
      if (part.fieldname !== 'file') {
        part.file.resume()
        throw invalid([{ path: part.fieldname, message: 'The file must be in a form field named "file".' }])
      }
      // "Form parameters must come before the file; a missing or late signature is a clear 400."
      const missing = ['expires', 'signature'].filter((name) => fields[name] === undefined)
      if (missing.length) {
        part.file.resume()
        throw invalid(missing.map((name) => ({ path: name, message: 'must be sent as a form field before the file.' })))
      }
      const task = await uploads.open(id, fields.expires ?? '', fields.signature ?? '')
      const most = await uploads.most(task)
      // The length is the whole form's, which is a few hundred bytes more than the file's.
      const size = Number(request.headers['content-length'])
      using _progress = size > 0 ? uploads.follow(task, () => part.file.bytesRead, size) : null
      // An upload that is over at once is told as begun and ended together.
      const begun = setTimeout(() => void uploads.arrived(task).catch(() => {}), AT_ONCE)
      const file = await intake
        .receive(part.file, part.filename || 'upload', { signal, most })
        .catch((error: unknown) => {
          throw error instanceof Failure ? tooLarge(most) : error
        })
        .finally(() => clearTimeout(begun))
      if (part.file.truncated) {
        await deps.blobs.remove([file.blob])
        throw tooLarge(most)
      }
      return uploads.complete(task, file)
    }
    throw invalid([{ path: 'file', message: 'is required: send the file in a form field named "file".' }])
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
          if (isBrokenForm(error)) throw invalid([{ path: '', message: 'The form is broken off or not well formed.' }])
          throw error
        }
      },
    }),
  ]
}
