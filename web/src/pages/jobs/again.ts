/** The same job anew, as far as its record tells: what was uploaded is taken from the earlier run while it is there. Pure. */
import type { Job, JobBody, Task, TaskDefinition } from '@reforge/sdk'

export interface Again {
  body: JobBody
  /** Tasks that need their file again. */
  uploads: string[]
  /** Tasks whose files of the earlier run are taken. */
  reused: string[]
  /** Tasks with secrets, which no record shows. */
  secrets: string[]
}

/** What a record shows instead of a secret. */
const MASK = '***'

const isHidden = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes(MASK)
    : typeof value === 'object' && value !== null && Object.values(value).some(isHidden)

/** The content of what was uploaded or sent along is not in the record. */
const broughtAlong = ({ operation }: Task): boolean => operation === 'import/upload' || operation === 'import/base64'

const hasFiles = ({ status, expiresAt, result }: Task, now: number): boolean =>
  status === 'completed' && Date.parse(expiresAt) > now && (result.files?.length ?? 0) > 0

/** The definition as it was sent; types cannot know what an earlier server accepted. */
const definitionOf = ({ operation, payload }: Task): TaskDefinition => ({ operation, ...payload }) as TaskDefinition

export function againOf(job: Job, now: number): Again {
  const tasks = job.tasks ?? []
  const isImport = ({ operation }: Task) => operation.startsWith('import/')
  const reused = tasks.filter(
    (task) => isImport(task) && (broughtAlong(task) || isHidden(task.payload)) && hasFiles(task, now),
  )
  const idOf = new Map(reused.map(({ name, id }) => [name, id]))
  const rest = tasks.filter((task) => !reused.includes(task))
  const inputOf = (input: unknown) => {
    const exchange = (name: unknown) => idOf.get(String(name)) ?? String(name)
    return Array.isArray(input) ? input.map(exchange) : exchange(input)
  }
  const define = (task: Task): TaskDefinition => {
    if (broughtAlong(task)) return { operation: 'import/upload' }
    const { input, ...definition } = definitionOf(task)
    return input === undefined ? definition : { ...definition, input: inputOf(input) }
  }
  return {
    body: {
      ...(job.tag !== null && { tag: job.tag }),
      tasks: Object.fromEntries(rest.map((task) => [task.name, define(task)])),
    },
    uploads: rest.filter(broughtAlong).map(({ name }) => name),
    reused: reused.map(({ name }) => name),
    secrets: rest.filter((task) => !broughtAlong(task) && isHidden(task.payload)).map(({ name }) => name),
  }
}

/** The job as it was asked for, for "as code": uploads stay uploads, and content that no record shows is left to fill in. */
export const bodyOf = (job: Job): JobBody => ({
  ...(job.tag !== null && { tag: job.tag }),
  tasks: Object.fromEntries(
    (job.tasks ?? []).map((task) => {
      const definition = definitionOf(task)
      return [
        task.name,
        definition.operation === 'import/base64' ? { ...definition, file: 'data:;base64,…' } : definition,
      ]
    }),
  ),
})
