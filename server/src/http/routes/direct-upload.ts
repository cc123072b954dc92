/**
 * Uploads that go straight to where files are kept, for clients that can: they ask for an invitation, send the file
 * there, and say so here. The rights are those of the form.
 */
import { Type } from 'typebox'
import { notFound, Problem, TooLarge } from '../../core/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { type Route, readBody, route } from '../route.ts'
import { ref } from '../schemas.ts'
import { createUploads } from '../uploads.ts'

const INVITED_SECONDS = 3600

const right = {
  expires: Type.String({ description: 'From the parameters of the form.' }),
  signature: Type.String({ description: 'From the parameters of the form.' }),
}
const Ask = Type.Object({ ...right, size: Type.Integer({ minimum: 0, description: 'Bytes of the file.' }) })
const Done = Type.Object({ ...right, filename: Type.Optional(Type.String({ maxLength: 1000 })) })

const Invitation = Type.Object({
  method: Type.Unsafe<'POST' | 'PUT'>({ type: 'string', enum: ['POST', 'PUT'] }),
  url: Type.String({ description: 'Where to send the file.' }),
  parameters: Type.Record(Type.String(), Type.String(), {
    description: 'For POST: form fields to send before the field `file`. A PUT has the bare bytes as its body.',
  }),
  complete: Type.String({ description: 'Address to post to when the file is there.' }),
})

export function directUploadRoutes(deps: HttpDeps): Route[] {
  const { blobs, intake, present, links } = deps
  const uploads = createUploads(deps)
  const incoming = () => {
    if (!blobs.incoming) throw notFound('The address')
    return blobs.incoming
  }
  const tooLarge = (most: number) =>
    new Problem('too_large', `The file is larger than the limit of ${most} bytes. Nothing was kept.`)

  return [
    route({
      method: 'POST',
      path: '/v1/upload/:taskId/direct',
      tag: 'Import',
      summary: 'Where to send the file of an import/upload task without a detour. Only where `form.direct` is told.',
      access: 'signed',
      cors: true,
      body: Ask,
      answer: { status: 200, schema: Invitation },
      async handle({ params, body }) {
        const { expires, signature, size } = readBody(Ask, body)
        const task = await uploads.open(params.taskId ?? '', expires, signature)
        const most = await uploads.most(task)
        if (size > most) throw tooLarge(most)
        const invitation = await incoming().invite(task.id, size, INVITED_SECONDS)
        await uploads.arrived(task)
        return { ...invitation, complete: links.self(`/v1/upload/${task.id}/complete`) }
      },
    }),
    route({
      method: 'POST',
      path: '/v1/upload/:taskId/complete',
      tag: 'Import',
      summary: 'Says that the file of an import/upload task was sent.',
      access: 'signed',
      cors: true,
      body: Done,
      answer: { status: 200, schema: ref('Task') },
      async handle({ params, body }) {
        const { expires, signature, filename } = readBody(Done, body)
        const task = await uploads.open(params.taskId ?? '', expires, signature)
        const most = await uploads.most(task)
        const kept = await incoming()
          .collect(task.id, most)
          .catch((error: unknown) => {
            throw error instanceof TooLarge ? tooLarge(most) : error
          })
        if (!kept) throw new Problem('conflict', 'No file has arrived for this task.')
        const done = await uploads.complete(task, await intake.take(kept, filename || 'upload'))
        return { msg: 'ok', ...present.task(done) }
      },
    }),
  ]
}
