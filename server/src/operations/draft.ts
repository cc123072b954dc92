/** One task definition of a request, read by its operation's declaration. Problems are collected, not thrown. */
import { Type } from 'typebox'
import { nearest } from '../catalog/nearest.ts'
import type { Issue } from '../core/errors.ts'
import { at, read } from '../core/shape.ts'
import type { JsonObject } from '../core/task.ts'
import type { Operations } from './index.ts'
import type { Operation } from './operation.ts'

export interface Draft {
  id: string
  path: string
  name: string
  /** undefined when the definition names none that exists. */
  operation: Operation | undefined
  /** Read and checked; whole only when there are no issues. */
  params: Record<string, unknown>
  /** As sent. */
  payload: JsonObject
  /** Names or ids, in order. */
  input: string[]
  issues: Issue[]
  unknown: string[]
}

/** "`input` is a string or an array everywhere." */
export const InputField = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1000 }),
])
const InputGiven = Type.Object({ input: InputField })

interface Definition {
  path: string
  name: string
  definition: unknown
  id: string
  /** Fixed for the operation's own endpoint; in a job it is a field of the definition. */
  operation?: string
  operations: Operations
}

export function draftTask({ path, name, definition, id, operation: fixed, operations }: Definition): Draft {
  const draft: Draft = {
    id,
    path,
    name,
    operation: undefined,
    params: {},
    payload: {},
    input: [],
    issues: [],
    unknown: [],
  }
  if (definition === null || typeof definition !== 'object' || Array.isArray(definition)) {
    draft.issues.push({ path, message: 'must be a JSON object.' })
    return draft
  }
  const { operation: sent, ...rest } = definition as JsonObject
  const operation = operations.get(fixed ?? (typeof sent === 'string' ? sent : ''))
  if (!operation) {
    draft.issues.push({ path: at(path, 'operation'), message: unknownOperation(sent, operations) })
    return draft
  }
  draft.operation = operation
  draft.payload = rest

  const { input, ...fields } = rest
  const { value, issues, unknown } = read(operation.params, fields, path)
  draft.params = value as Record<string, unknown>
  draft.issues.push(...issues)
  draft.unknown.push(...unknown)
  if (issues.length === 0)
    draft.issues.push(
      ...(operation.check?.(value, { inJob: fixed === undefined }) ?? []).map((issue) => ({
        ...issue,
        path: at(path, issue.path),
      })),
    )
  readInput(draft, operation, input)
  return draft
}

function readInput(draft: Draft, operation: Operation, sent: unknown): void {
  const [least, most] = operation.inputs
  const path = at(draft.path, 'input')
  if (most === 0) {
    if (sent !== undefined) draft.unknown.push('input')
    return
  }
  if (sent === undefined || sent === null) {
    const what = least > 1 ? `${least} or more tasks` : 'a task'
    draft.issues.push({ path, message: `is required and must name ${what} to take files from.` })
    return
  }
  const wrapped = read(InputGiven, { input: sent }, draft.path)
  draft.issues.push(...wrapped.issues)
  if (wrapped.issues.length) return
  draft.input = [wrapped.value.input].flat()
  if (draft.input.length > most) draft.issues.push({ path, message: `must name at most ${most} tasks.` })
}

function unknownOperation(sent: unknown, operations: Operations): string {
  const names = [...operations.keys()]
  if (sent === undefined) return `is required and must be one of ${names.join(', ')}.`
  const near = typeof sent === 'string' ? nearest(sent, names) : null
  return `must be one of ${names.join(', ')}.${near ? ` Did you mean ${near}?` : ''}`
}
