/** One file in, its results out: a job of import, processing and export, waited for, and canceled when given up. */
import { ReforgeError } from './errors.ts'
import type { createJobs, createTasks } from './jobs.ts'
import type { Job, ResultFile, Task, TaskBody, TaskDefinition } from './schema.ts'
import type { UploadOptions } from './sending.ts'
import type { Uploadable } from './source.ts'

/** An address is fetched by the server, everything else is uploaded. */
export type Input = Uploadable | URL | string

export interface Progress {
  stage: 'upload' | 'waiting' | 'working'
  /** Whole, 0 to 100; undefined while nobody knows. */
  percent: number | undefined
  /** Bytes, while uploading. */
  sent?: number
}

export interface RunOptions {
  /** Name of an input that has none of its own. */
  inputName?: string
  tag?: string
  onProgress?: (progress: Progress) => void
  /** Giving up cancels the job's tasks on the server. */
  signal?: AbortSignal
}

export interface ConvertOptions extends RunOptions, Omit<TaskBody<'convert'>, 'input' | 'output_format'> {
  /** The format to convert to, as an extension. */
  to: string
}

export interface CompressOptions extends RunOptions, Omit<TaskBody<'compress'>, 'input'> {}

interface OneFileDeps {
  jobs: ReturnType<typeof createJobs>
  tasks: ReturnType<typeof createTasks>
  upload(task: Task, file: Uploadable, options: UploadOptions): Promise<Task>
}

export function createOneFile({ jobs, tasks, upload }: OneFileDeps) {
  async function run(input: Input, work: TaskDefinition, options: RunOptions): Promise<ResultFile[]> {
    const { signal, tag } = options
    const isAddress = typeof input === 'string' || input instanceof URL
    const source: TaskDefinition = isAddress
      ? { operation: 'import/url', url: String(input), ...(options.inputName && { filename: options.inputName }) }
      : { operation: 'import/upload' }
    const job = await jobs.create(
      {
        ...(tag !== undefined && { tag }),
        tasks: {
          import: source,
          process: { ...work, input: 'import' },
          export: { operation: 'export/url', input: 'process' },
        },
      },
      { ...(signal && { signal }) },
    )
    try {
      const waiting = job.tasks?.find(({ name }) => name === 'import')
      if (!isAddress && waiting) await send(waiting, input, options)
      return resultOf(await ended(job, options))
    } catch (error) {
      if (!(error instanceof ReforgeError && error.code === 'job_failed')) await cancel(job.id)
      throw error
    }
  }

  async function send(task: Task, file: Uploadable, { inputName, onProgress, signal }: RunOptions): Promise<void> {
    await upload(task, file, {
      ...(inputName && { filename: inputName }),
      ...(signal && { signal }),
      ...(onProgress && {
        onProgress: (sent, total) =>
          onProgress({ stage: 'upload', sent, percent: total ? Math.floor((sent / total) * 100) : undefined }),
      }),
    })
  }

  async function ended({ id }: Job, { onProgress, signal }: RunOptions): Promise<Job> {
    if (!onProgress) return jobs.wait(id, { ...(signal && { signal }) })
    onProgress({ stage: 'waiting', percent: undefined })
    for await (const { type, data } of jobs.follow(id, { ...(signal && { signal }) }))
      if ('operation' in data && data.name === 'process' && (type === 'task_started' || type === 'task_min_update'))
        onProgress({ stage: 'working', percent: data.percent })
    return jobs.get(id, { ...(signal && { signal }) })
  }

  /** Best effort: whoever gave up must not wait for it, nor learn of a second trouble. */
  async function cancel(id: string): Promise<void> {
    const signal = AbortSignal.timeout(5_000)
    const job = await jobs.get(id, { signal }).catch(() => null)
    const open = job?.tasks?.filter(({ status }) => status === 'created' || status === 'processing') ?? []
    // All at once: canceling the first makes the others fail, which is just as well.
    await Promise.allSettled(open.map((task) => tasks.cancel(task.id, { signal })))
  }

  return {
    convert: (input: Input, { to, options, filename, engine, input_format, ...run_ }: ConvertOptions) =>
      run(
        input,
        { operation: 'convert', output_format: to, ...given({ options, filename, engine, input_format }) },
        run_,
      ),
    compress: (
      input: Input,
      { output_format, options, filename, engine, input_format, ...run_ }: CompressOptions = {},
    ) =>
      run(input, { operation: 'compress', ...given({ output_format, options, filename, engine, input_format }) }, run_),
  }
}

/** What is undefined was not given, and is not sent. */
const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** The task to blame is the one that failed although its inputs had not. */
function resultOf(job: Job): ResultFile[] {
  const tasks = job.tasks ?? []
  if (job.status === 'completed') return tasks.find(({ name }) => name === 'export')?.result.files ?? []
  const failed = tasks.filter(({ status }) => status === 'failed' || status === 'canceled')
  const culprit = failed.find(({ dependsOn }) => !failed.some(({ id }) => dependsOn.includes(id)))
  const why = culprit?.status === 'canceled' ? 'The conversion was canceled.' : (culprit?.result.msg ?? job.result.msg)
  throw new ReforgeError(why || 'The job failed.', { code: 'job_failed', errorCode: culprit?.result.errorCode })
}
