/** What every refusal must look like, whatever was wrong. */
import assert from 'node:assert/strict'
import type { Answer } from './server.ts'

const STATUS_OF: Record<string, number> = {
  invalid_parameter: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  too_large: 413,
  range_not_satisfiable: 416,
  too_many_requests: 429,
}

/** Never a stack, a host path or an engine's raw output. */
const LEAKS =
  /\bat .*:\d+:\d+|node_modules|node:internal|\/tmp\/|\/home\/|\/root\/|\/usr\/|\/work\/|\.ts:\d+|SQLITE|FST_/

export function assertRefused(answer: Answer, code: string, says?: RegExp, at?: string): void {
  const { status, text, json, headers } = answer
  assert.equal(status, STATUS_OF[code], text)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(json.code, code, text)
  assert.equal(typeof json.message, 'string')
  assert.notEqual(json.message, '')
  assert.ok(Array.isArray(json.errors), text)
  for (const issue of json.errors) {
    assert.equal(typeof issue.path, 'string')
    assert.equal(typeof issue.message, 'string')
    assert.doesNotMatch(issue.path, /^body\b/)
  }
  assert.equal(typeof json.requestId, 'string')
  assert.ok(json.requestId.length >= 8)
  assert.doesNotMatch(text, LEAKS)
  if (says) assert.match(json.message, says)
  if (at !== undefined) {
    const paths = json.errors.map((issue: { path: string }) => issue.path)
    assert.ok(paths.includes(at), `errors name ${at}: ${text.slice(0, 500)}`)
  }
}
