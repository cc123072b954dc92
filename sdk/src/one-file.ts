/** Files in, results out: a job of import, processing and export, waited for, and canceled when given up. */
import { ReforgeError } from './errors.ts'
import type { createJobs } from './jobs.ts'
import type { Job, ResultFile, Task, TaskBody, TaskDefinition } from './schema.ts'
import type { UploadOptions } from './sending.ts'
import { sourceOf, type Uploadable } from './source.ts'

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

/** The format to produce, as an extension. */
interface To {
  to: string
}

export interface ConvertOptions extends RunOptions, To, Omit<TaskBody<'convert'>, 'input' | 'output_format'> {}
export interface MergeOptions extends RunOptions, To, Omit<TaskBody<'merge'>, 'input' | 'output_format'> {}
export interface CompressOptions extends RunOptions, Omit<TaskBody<'compress'>, 'input'> {}
export interface CutOptions extends RunOptions, Omit<TaskBody<'crop'>, 'input'> {}

interface OneFileDeps {
  jobs: ReturnType<typeof createJobs>
  upload(task: Task, file: Uploadable, options: UploadOptions): Promise<Task>
}

const isAddress = (input: Input): input is URL | string => typeof input === 'string' || input instanceof URL

export function createOneFile({ jobs, upload }: OneFileDeps) {
  async function run(inputs: readonly Input[], work: TaskDefinition, options: RunOptions): Promise<ResultFile[]> {
    const { signal, tag, inputName } = options
    const named = new Map(inputs.map((input, index) => [index === 0 ? 'import' : `import-${index + 1}`, input]))
    const source = (input: Input): TaskDefinition =>
      isAddress(input)
        ? { operation: 'import/url', url: String(input), ...(inputName && { filename: inputName }) }
        : { operation: 'import/upload' }
    const job = await jobs.create(
      {
        ...(tag !== undefined && { tag }),
        tasks: {
          ...Object.fromEntries([...named].map(([name, input]) => [name, source(input)])),
          process: { ...work, input: [...named.keys()] },
          export: { operation: 'export/url', input: 'process' },
        },
      },
      { ...(signal && { signal }) },
    )
    try {
      await sendAll(job, named, options)
      return resultOf(await ended(job, options))
    } catch (error) {
      if (!(error instanceof ReforgeError && error.code === 'job_failed')) await giveUp(job.id)
      throw error
    }
  }

  /** One after the other, told as one. */
  async function sendAll(job: Job, named: ReadonlyMap<string, Input>, options: RunOptions): Promise<void> {
    const { inputName, onProgress, signal } = options
    const files = [...named].flatMap(([name, input]) => (isAddress(input) ? [] : [{ name, file: input }]))
    const sizes = files.map(({ file }) => sourceOf(file).size)
    const total = sizes.reduce<number | undefined>((sum = NaN, size = NaN) => sum + size, 0)
    let before = 0
    for (const [index, { name, file }] of files.entries()) {
      const task = job.tasks?.find((each) => each.name === name)
      if (!task) continue
      const tell = (now: number) => {
        const sent = before + now
        onProgress?.({ stage: 'upload', sent, percent: total ? Math.floor((sent / total) * 100) : undefined })
      }
      const name_ = inputName && { filename: inputName }
      await upload(task, file, { ...name_, ...(signal && { signal }), ...(onProgress && { onProgress: tell }) })
      before += sizes[index] ?? 0
    }
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
  const giveUp = (id: string): Promise<unknown> =>
    jobs.cancel(id, { signal: AbortSignal.timeout(5_000) }).catch(() => null)

  const single =
    <O extends 'compress' | 'crop' | 'trim'>(operation: O) =>
    (input: Input, { output_format, options, filename, engine, input_format, ...how }: CutOptions = {}) =>
      run([input], { operation, ...given({ output_format, options, filename, engine, input_format }) }, how)

  return {
    convert: (input: Input, { to, options, filename, engine, input_format, ...how }: ConvertOptions) =>
      run(
        [input],
        { operation: 'convert', output_format: to, ...given({ options, filename, engine, input_format }) },
        how,
      ),
    /** Several files into one, in their order. */
    merge: (inputs: readonly Input[], { to, options, filename, engine, ...how }: MergeOptions) =>
      run(inputs, { operation: 'merge', output_format: to, ...given({ options, filename, engine }) }, how),
    compress: single('compress'),
    /** Where to cut is said by `options`. */
    crop: single('crop'),
    trim: single('trim'),
  }
}

/** What is undefined was not given, and is not sent. */
const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** The task to blame is the one that failed although its inputs had not. */
function resultOf(job: Job): ResultFile[] {
  const tasks = job.tasks ?? []
  if (job.status === 'completed') {
    const files = tasks.find(({ name }) => name === 'export')?.result.files ?? []
    return files.filter((file): file is ResultFile => file.url !== undefined)
  }
  const failed = tasks.filter(({ status }) => status === 'failed' || status === 'canceled')
  const culprit = failed.find(({ dependsOn }) => !failed.some(({ id }) => dependsOn.includes(id)))
  const why = culprit?.status === 'canceled' ? 'The conversion was canceled.' : (culprit?.result.msg ?? job.result.msg)
  throw new ReforgeError(why || 'The job failed.', { code: 'job_failed', errorCode: culprit?.result.errorCode })
}
