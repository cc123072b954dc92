/** Jobs kept under a name, in this browser and for one account. Secrets and file contents never get here. */
import type { JobBody } from '@reforge/sdk'
import { isSecret } from '../../openapi/secrets.ts'
import { bodyOf, type Draft, draftOf } from './draft.ts'

export interface Template {
  name: string
  job: JobBody
}

const keyOf = (user: string): string => `reforge-templates:${user}`

const withoutSecrets = (value: unknown, operation = ''): unknown => {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isSecret(name) && !(operation === 'import/base64' && name === 'file'))
      .map(([name, inner]) => [name, withoutSecrets(inner, operationIn(inner))]),
  )
}

const operationIn = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'operation' in value ? String(value.operation) : ''

/** The job as it may be kept and passed on. */
export function templateOf(name: string, draft: Draft): Template {
  const body = bodyOf(draft)
  const tasks = Object.entries(body.tasks).map(([task, definition]) => [
    task,
    withoutSecrets(definition, definition.operation),
  ])
  return { name, job: { ...body, tasks: Object.fromEntries(tasks) } }
}

/** Whatever a file or the browser holds: a template, a list of them, or a job's JSON under the file's name. */
export function readTemplates(json: unknown, name: string): Template[] {
  if (Array.isArray(json)) return json.flatMap((each) => readTemplates(each, name))
  if (typeof json !== 'object' || json === null) return []
  if ('job' in json) return readTemplates(json.job, 'name' in json ? String(json.name) : name)
  const draft = draftOf(json)
  return draft && draft.steps.length > 0 ? [templateOf(name, draft)] : []
}

export function loadTemplates(user: string): Template[] {
  try {
    return readTemplates(JSON.parse(localStorage.getItem(keyOf(user)) ?? '[]'), '')
  } catch {
    return []
  }
}

/** Throws when the browser has no room. */
export const storeTemplates = (user: string, templates: readonly Template[]): void =>
  localStorage.setItem(keyOf(user), JSON.stringify(templates))

/** One of the same name is replaced. */
export const withTemplate = (templates: readonly Template[], template: Template): Template[] =>
  [...templates.filter(({ name }) => name !== template.name), template].sort((a, b) => a.name.localeCompare(b.name))
