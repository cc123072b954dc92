/** One piece of work from sources to results: a job of imports, one task and an export, uploaded, followed, ended. */
import {
  type Job,
  type Reforge,
  ReforgeError,
  type ReforgeEvent,
  type ResultFile,
  type TaskDefinition,
} from '@reforge/sdk'
import { follow } from './follow.ts'
import { createGate } from './gate.ts'
import { send } from './send.ts'
import { nameOf, type Source } from './source.ts'

export type Stage = 'queued' | 'uploading' | 'fetching' | 'waiting' | 'working'

export interface Progress {
  stage: Stage
  /** Whole, 0 to 100; undefined while nobody knows. */
  percent?: number | undefined
  /** Tasks before it in the line, while it waits and where the server has said so. */
  ahead?: number | undefined
}

export interface WorkRequest {
  sources: readonly Source[]
  /** What to do with them; its inputs are filled in, unless it names them itself: tasks of before, or of `more`. */
  task: TaskDefinition
  /** Tasks that come between. */
  more?: Record<string, TaskDefinition>
  tag?: string
}

export interface Outcome {
  job: string
  /** The task that did it: later tasks may take its results as their input. */
  task: string
  files: ResultFile[]
}

export interface WorkOptions {
  onProgress: (progress: Progress) => void
  /** The job exists from now on. */
  onJob?: (job: string) => void
  /** Giving up cancels the job on the server. */
  signal: AbortSignal
  /** The page's live events. */
  listen: (listener: (event: ReforgeEvent) => void) => () => void
}

/** Three uploads fill most lines; more only make each slower. */
const uploads = createGate(3)

export async function runWork(reforge: Reforge, request: WorkRequest, options: WorkOptions): Promise<Outcome> {
  const { onJob, signal } = options
  const { sources, task, more, tag } = request
  options.onProgress({ stage: 'queued' })
  const told = inOrder(options)
  const { job, ended } = await uploads.through(async () => {
    const tasks = tasksOf(sources, task, more)
    const created = await reforge.jobs.create({ ...(tag !== undefined && { tag }), tasks }, { signal })
    onJob?.(created.id)
    const end = follow(reforge, created.id, told)
    // Whatever comes of it is awaited below; until then nobody minds.
    end.catch(() => {})
    await upload(reforge, created, sources, told).catch(async (error) => {
      await giveUp(reforge, created.id)
      throw error
    })
    return { job: created, ended: end }
  }, signal)
  if (sources.every(({ kind }) => kind === 'file')) told.onProgress({ stage: 'waiting' })
  try {
    return outcomeOf(await ended)
  } catch (error) {
    if (signal.aborted) await giveUp(reforge, job.id)
    throw error
  }
}

/** A quick server works before the upload's answer is here: what has begun does not wait again. */
function inOrder(options: WorkOptions): WorkOptions {
  let working = false
  return {
    ...options,
    onProgress(progress) {
      if (progress.stage === 'working') working = true
      else if (working) return
      options.onProgress(progress)
    },
  }
}

export const importName = (index: number): string => `import-${index + 1}`

export function tasksOf(
  sources: readonly Source[],
  task: TaskDefinition,
  more: Record<string, TaskDefinition> = {},
): Record<string, TaskDefinition> {
  const imports = sources.map((source, index): [string, TaskDefinition] => [
    importName(index),
    source.kind === 'link' ? { operation: 'import/url', url: source.url } : { operation: 'import/upload' },
  ])
  const names = imports.map(([name]) => name)
  return {
    ...Object.fromEntries(imports),
    ...more,
    process: { ...task, input: task.input ?? (names.length === 1 ? names[0] : names) },
    export: { operation: 'export/url', input: 'process' },
  }
}

async function upload(reforge: Reforge, job: Job, sources: readonly Source[], { onProgress, signal }: WorkOptions) {
  const files = sources.flatMap((source, index) => (source.kind === 'file' ? [{ index, file: source.file }] : []))
  if (files.length === 0) return onProgress({ stage: sources.length > 0 ? 'fetching' : 'waiting' })
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  let before = 0
  for (const { index, file } of files) {
    const task = job.tasks?.find(({ name }) => name === importName(index))
    if (!task) throw new ReforgeError(`The job has no task for ${nameOf({ kind: 'file', file })}.`, { code: 'no_task' })
    const tell = (percent: number) => {
      const sent = before + (file.size * percent) / 100
      onProgress({ stage: 'uploading', percent: Math.floor((sent / Math.max(1, total)) * 100) })
    }
    tell(0)
    await send(reforge, task, file, { onProgress: tell, signal })
    before += file.size
  }
}

/** Best effort: whoever gave up must not wait for it. */
const giveUp = (reforge: Reforge, id: string): Promise<unknown> => reforge.jobs.cancel(id).catch(() => null)

function outcomeOf(job: Job): Outcome {
  const tasks = job.tasks ?? []
  const named = (name: string) => tasks.find((task) => task.name === name)
  if (job.status === 'completed') {
    const files = (named('export')?.result.files ?? []).filter((file): file is ResultFile => file.url !== undefined)
    return { job: job.id, task: named('process')?.id ?? '', files }
  }
  // The task to blame is the one that failed although its inputs had not.
  const failed = tasks.filter(({ status }) => status === 'failed' || status === 'canceled')
  const culprit = failed.find(({ dependsOn }) => !failed.some(({ id }) => dependsOn.includes(id)))
  throw new ReforgeError(culprit?.result.msg || job.result.msg || '', {
    code: culprit?.status === 'canceled' ? 'canceled' : 'job_failed',
    errorCode: culprit?.result.errorCode,
  })
}
