/** Errors as answers: one shape, every problem with its path, never a stack, a host path or an engine's raw output. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../core/errors.ts'

export const notJson = (): Problem =>
  new Problem('invalid_parameter', 'The body must be JSON. Send the header "Content-Type: application/json".', {
    issues: [{ path: 'Content-Type', message: 'must be application/json.' }],
  })

/** What Fastify itself refuses, in our words. */
const KNOWN: Record<string, () => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('too_large', 'The request body is too large.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem('invalid_parameter', 'The body is not as long as its Content-Length says.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJson,
  FST_ERR_BAD_URL: () => new Problem('invalid_parameter', 'The address is not a valid URL.'),
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, statusCode } = error as Partial<FastifyError>
  const known = code ? KNOWN[code] : undefined
  if (known) return known()
  if (statusCode === 400) return new Problem('invalid_parameter', 'The request cannot be read.')
  return new Problem('internal_error', 'Something went wrong in the service. Try again later.')
}

export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .send(bodyOf(problem, request.id))
}

export const bodyOf = ({ code, message, issues, errorCode }: Problem, requestId: string) => ({
  code,
  message,
  errors: issues,
  ...(errorCode && { errorCode }),
  requestId,
})
