/** reforge jobs: list, show, watch, cancel, delete. */
import type { Job } from '@reforge/sdk'
import type { Argument, Command, Context } from '../command.ts'
import { clean, EXIT, UsageError } from '../exit.ts'
import { STATUSES } from '../flags.ts'
import { createLook } from '../look.ts'
import { didYouMean } from '../nearest.ts'
import { colour, print, show, story, taskRow } from '../records.ts'
import { codeOf, watch } from '../watch.ts'
import { ago } from '../words.ts'

const LATEST = 20
const ID: readonly Argument[] = [{ name: 'ID', word: 'job' }]
const IDS: readonly Argument[] = [{ name: 'ID', word: 'job', many: true }]
const SOME = '6650c0ffee0123456789abcd'

function statusOf(text: string | undefined) {
  const status = STATUSES.find((each) => each === text)
  if (text !== undefined && !status)
    throw new UsageError(`No job is "${text}".${didYouMean(text, STATUSES)} There are: ${STATUSES.join(', ')}.`)
  return status
}

async function list({ out, err, values, reforge }: Context): Promise<number> {
  const status = statusOf(values.status)
  const only = { ...(status && { status }), ...(values.tag && { tag: values.tag }) }
  const { docs, totalDocs } = await (await reforge()).jobs.list({ include: 'tasks', per_page: LATEST, ...only })
  const age = ({ createdAt }: Job) => ago(Date.now() - Date.parse(createdAt))
  show({ out, values }, docs, (job) => [job.id, job.status, age(job), story(job)])
  if (!out.isTTY || values.json) return EXIT.ok
  if (totalDocs === 0) err.write('No jobs yet. For example: reforge convert photo.png photo.jpg\n')
  if (totalDocs > docs.length) out.write(`${createLook(out).faint(`${docs.length} of ${totalDocs}`)}\n`)
  return EXIT.ok
}

function tell({ out, values }: Context, job: Job): void {
  if (values.json) return void out.write(`${JSON.stringify(job)}\n`)
  print(out, (job.tasks ?? []).map(taskRow))
  if (out.isTTY) out.write(`\n${colour(createLook(out), job.status)}  ${clean(job.result.msg ?? '')}\n`)
}

async function one(context: Context): Promise<number> {
  tell(context, await (await context.reforge()).jobs.get(context.names[0] ?? ''))
  return EXIT.ok
}

async function follow(context: Context): Promise<number> {
  const { jobs } = await context.reforge()
  const job = await watch(context, await jobs.get(context.names[0] ?? ''), true).catch((error) => {
    if (!context.signal.aborted) throw error
    context.err.write('Stopped watching. The job goes on.\n')
    return null
  })
  if (!job) return EXIT.stopped
  if (context.out.isTTY && !context.values.json) tell(context, job)
  return codeOf(job)
}

/** Does it to each job and tells which are done. */
const toEach = (act: (context: Context, id: string) => Promise<Job | null>) => async (context: Context) => {
  const { names, out, values } = context
  for (const id of names) {
    const job = await act(context, id)
    out.write(values.json ? `${JSON.stringify(job ?? { id, deleted: true })}\n` : `${clean(id)}\n`)
  }
  return EXIT.ok
}

export const jobs: Command = {
  summary: 'List your jobs, show, watch, cancel or delete them.',
  takes: [{ name: 'ID', word: 'job', optional: true }],
  flags: ['status', 'tag'],
  examples: [
    ['reforge jobs', `the latest ${LATEST}`],
    ['reforge jobs --status failed', 'those that failed'],
    [`reforge jobs ${SOME}`, 'one with its tasks'],
  ],
  verbs: {
    list: {
      summary: 'List your latest jobs.',
      flags: ['status', 'tag'],
      examples: [['reforge jobs list --status processing', 'those under way']],
      run: list,
    },
    show: {
      summary: 'Show a job with its tasks.',
      takes: ID,
      examples: [[`reforge jobs show ${SOME}`, 'one job']],
      run: one,
    },
    watch: {
      summary: 'Follow a job to its end; fails when the job does.',
      about: ['Ctrl-C ends the watching, not the job. With --json every event is a line.'],
      takes: ID,
      examples: [[`reforge jobs watch ${SOME}`, 'until it has ended']],
      run: follow,
    },
    cancel: {
      summary: 'Cancel what has not ended of jobs.',
      takes: IDS,
      examples: [[`reforge jobs cancel ${SOME}`, 'one job']],
      run: toEach(async ({ reforge }, id) => (await reforge()).jobs.cancel(id)),
    },
    delete: {
      summary: 'Delete jobs with their files.',
      takes: IDS,
      examples: [[`reforge jobs delete ${SOME}`, 'one job']],
      run: toEach(async ({ reforge }, id) => {
        await (await reforge()).jobs.delete(id)
        return null
      }),
    },
  },
  run: (context) => (context.names[0] === undefined ? list(context) : one(context)),
}
