/** What a job is called and does, in a line. Pure; the texts are given. */
import type { Job, Task } from '@reforge/sdk'
import { kindOf } from '../../graph/kinds.ts'
import type { Texts } from '../../texts/texts.tsx'
import { nameOf } from '../../work/source.ts'

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The file that a task brought in, or will. */
function sourceNames({ result, payload }: Task): string[] {
  const files = result.files?.map(({ filename }) => filename) ?? []
  if (files.length > 0) return files
  const named = asText(payload?.filename)
  const url = asText(payload?.url)
  return named ? [named] : url && URL.canParse(url) ? [nameOf({ kind: 'link', url })] : []
}

/** Called by its files; where there are none, by its tag or its id. */
export function titleOf(job: Job, { jobs }: Pick<Texts, 'jobs'>): string {
  const tasks = job.tasks ?? []
  const imports = tasks.filter(({ operation }) => kindOf(operation) === 'import')
  const names = (imports.length > 0 ? imports : tasks).flatMap(sourceNames)
  const [first] = names
  if (first === undefined) return job.tag || jobs.nameless(job.id)
  return names.length > 1 ? jobs.andMore(first, names.length - 1) : first
}

export const operationName = (operation: string, { jobs }: Pick<Texts, 'jobs'>): string =>
  jobs.operations[operation] ?? operation

/** "Convert to PDF, Compress"; of a job that only brings files from one place to another, both places. */
export function workOf(job: Job, texts: Pick<Texts, 'jobs'>): string {
  const tasks = job.tasks ?? []
  const works = tasks.filter(({ operation }) => kindOf(operation) === 'process')
  const words = (works.length > 0 ? works : tasks).map(({ operation, payload }) => {
    const name = operationName(operation, texts)
    const format = kindOf(operation) === 'process' ? asText(payload?.output_format) : undefined
    return format ? texts.jobs.into(name, format) : name
  })
  return [...new Set(words)].join(', ')
}

export const ended = ({ status }: { status: string }): boolean => status !== 'created' && status !== 'processing'

/** Milliseconds that something ran, or has run until now; null before it starts. */
export function spanOf({ startedAt, endedAt }: Pick<Task, 'startedAt' | 'endedAt'>, now: number): number | null {
  if (!startedAt) return null
  return Math.max(0, (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt))
}

/** The task to blame is the one that failed although its inputs had not. */
export function culpritOf({ tasks = [] }: Job): Task | undefined {
  const failed = tasks.filter(({ status }) => status === 'failed' || status === 'canceled')
  return failed.find(({ dependsOn }) => !failed.some(({ id }) => dependsOn.includes(id))) ?? failed[0]
}
