/** reforge run: a job as the API takes it, from a file. Uploads what it waits for and saves what it exports. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  fileFromPath,
  type Job,
  type JobBody,
  type Reforge,
  ReforgeError,
  type ResultFile,
  save,
} from '@reforge/sdk/node'
import type { Command, Context } from '../command.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { createLook } from '../look.ts'
import { print, taskRow } from '../records.ts'
import { codeOf, watch } from '../watch.ts'
import { bytes } from '../words.ts'

const EXAMPLE = 'reforge run job.json photo=photo.png'

const isJob = (value: unknown): value is JobBody =>
  typeof value === 'object' && value !== null && 'tasks' in value && typeof value.tasks === 'object'

async function readJob({ in: stdin }: Context, path: string): Promise<JobBody> {
  const json = path === '-' ? await text(stdin) : readFileSync(path, 'utf8')
  let body: unknown
  try {
    body = JSON.parse(json)
  } catch (error) {
    throw new UsageError(`${path} is no JSON: ${(error as Error).message}`)
  }
  if (!isJob(body)) throw new UsageError(`${path} is no job: it has no "tasks".`)
  return body
}

/** `photo=a.png` for the task photo, or just `a.png` where one task waits for an upload. */
export function assign(body: JobBody, given: readonly string[]): Map<string, string> {
  const waiting = Object.entries(body.tasks).flatMap(([name, task]) =>
    task.operation === 'import/upload' ? [name] : [],
  )
  const [only] = waiting
  const files = new Map<string, string>()
  for (const word of given) {
    const at = word.indexOf('=')
    const named = at > 0 && waiting.includes(word.slice(0, at))
    const task = named ? word.slice(0, at) : waiting.length === 1 ? only : undefined
    if (task === undefined)
      throw new UsageError(
        `Say which task "${word}" is for. ${waiting.length ? `These wait for a file: ${waiting.join(', ')}` : 'None waits for a file'}. For example: ${EXAMPLE}`,
      )
    files.set(task, named ? word.slice(at + 1) : word)
  }
  const without = waiting.filter((name) => !files.has(name))
  if (without.length)
    throw new UsageError(`${without.join(', ')} waits for a file. For example: reforge run job.json ${without[0]}=FILE`)
  for (const path of files.values()) if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`)
  return files
}

async function sendAll(reforge: Reforge, job: Job, files: ReadonlyMap<string, string>, signal: AbortSignal) {
  for (const [name, path] of files) {
    const task = job.tasks?.find((each) => each.name === name)
    if (task) await reforge.upload(task, await fileFromPath(path), { signal })
  }
}

/** The names in the job are the user's own, so what is wrong is told with its whole path. */
function inFull(error: unknown): never {
  if (!(error instanceof ReforgeError) || error.errors.length === 0) throw error
  throw new ReforgeError(error.message, { status: error.status, code: error.code })
}

const linked = ({ tasks = [] }: Job): ResultFile[] =>
  tasks
    .filter(({ operation }) => operation === 'export/url')
    .flatMap(({ result }) => result.files ?? [])
    .filter((file): file is ResultFile => file.url !== undefined)

async function keep(context: Context, reforge: Reforge, job: Job): Promise<void> {
  const { values, out, signal } = context
  const look = createLook(out)
  const saved = []
  for (const file of linked(job)) {
    const path = join(values['output-dir'] ?? '.', basename(file.filename))
    const { size } = await save(reforge, file, path, { overwrite: values.force ?? false, signal })
    saved.push({ path, size })
    if (values.json) continue
    out.write(out.isTTY ? `${look.good('✓')} ${path}  ${look.faint(bytes(size))}\n` : `${path}\n`)
  }
  if (values.json) out.write(`${JSON.stringify({ ok: true, job: job.id, outputs: saved })}\n`)
}

function fail({ out, err, values }: Context, job: Job): void {
  const failed = (job.tasks ?? []).filter(({ status }) => status === 'failed' || status === 'canceled')
  // Those that only depend on it have nothing to tell.
  const culprit = failed.find(({ dependsOn }) => !failed.some(({ id }) => dependsOn.includes(id)))
  const message = culprit
    ? clean(`${culprit.name}: ${culprit.result.msg ?? culprit.status}`)
    : (job.result.msg ?? 'The job failed.')
  if (values.json) out.write(`${JSON.stringify({ ok: false, job: job.id, error: { message } })}\n`)
  else if (out.isTTY) print(out, (job.tasks ?? []).map(taskRow))
  else err.write(`${message}\n`)
}

export const run: Command = {
  summary: 'Run a job from a file, upload what it waits for and save its results.',
  about: [
    'The file, or - for standard input, holds the body of POST /v1/process/jobs. A task import/upload takes its file from NAME=FILE. What export/url links to is saved here, or in --output-dir.',
  ],
  takes: [
    { name: 'JOB', word: 'job file', completes: 'file' },
    { name: 'NAME=FILE', word: 'file', optional: true, many: true, completes: 'file' },
  ],
  flags: ['output-dir', 'force'],
  examples: [
    ['reforge run job.json', 'as it is'],
    [EXAMPLE, 'with the file that its task "photo" waits for'],
  ],
  async run(context) {
    const [path = '', ...given] = context.names
    const body = await readJob(context, path)
    const files = assign(body, given)
    const reforge = await context.reforge()
    const job = await reforge.jobs.create(body, { signal: context.signal }).catch(inFull)
    try {
      await sendAll(reforge, job, files, context.signal)
      const ended = await watch(context, job, false)
      if (ended.status === 'completed') await keep(context, reforge, ended)
      else fail(context, ended)
      return codeOf(ended)
    } catch (error) {
      await reforge.jobs.cancel(job.id, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
      if (!context.signal.aborted) throw error
      context.err.write('Stopped. What was under way on the server is canceled.\n')
      return EXIT.stopped
    }
  },
}
