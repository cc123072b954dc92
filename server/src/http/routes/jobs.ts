/** Jobs: create, list, show, wait, delete. Another user's job is not found. */
import { Type } from 'typebox'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { erase } from '../../core/machine.ts'
import { PAGE, pageOf } from '../../core/page.ts'
import { hasEnded, JOB_STATUSES, type Job } from '../../core/task.ts'
import { JobBody, planJob } from '../../operations/plan.ts'
import { awaitEnd } from '../await-end.ts'
import { createCreator } from '../create.ts'
import type { HttpDeps } from '../deps.ts'
import { type Caller, type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'
import { paging, readInclude, Timeout } from './tasks.ts'

const ListQuery = Type.Object({
  status: Type.Optional(Type.Enum([...JOB_STATUSES])),
  tag: Type.Optional(Type.String({ description: 'Only jobs with this tag.' })),
  operation: Type.Optional(Type.String({ description: 'Only jobs with a task of this operation, such as convert.' })),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only jobs with this in their tag or in the name of a file, or whose id begins with it.',
    }),
  ),
  include: Type.Optional(Type.String({ description: '`tasks` for the tasks of each job.' })),
  ...paging,
})

export function jobRoutes(deps: HttpDeps): Route[] {
  const { store, blobs, bus, clock, present } = deps
  const create = createCreator(deps)

  async function own(caller: Caller, id: string): Promise<Job> {
    const job = isId(id) ? await store.job(id) : null
    if (job?.user !== caller.user.id) throw notFound(`The job ${id}`)
    return job
  }
  const show = async (job: Job) => present.job(job, await store.tasksOf(job.id))

  /** One job, with the place of its tasks in the line. */
  async function showOne(job: Job) {
    const tasks = await store.tasksOf(job.id)
    const places = await Promise.all(tasks.map(async (task) => ({ id: task.id, ahead: await store.ahead(task) })))
    const ahead = new Map(places.flatMap(({ id, ahead }) => (ahead === null ? [] : [[id, ahead] as const])))
    return present.job(job, tasks, ahead)
  }

  return [
    route({
      method: 'POST',
      path: '/v1/process/jobs',
      tag: 'Jobs',
      summary: 'Create a job: a set of tasks that take input from each other by name.',
      access: 'tasks:write',
      creates: true,
      body: JobBody,
      answer: { status: 201, schema: ref('Job') },
      handle: (ask) =>
        create(
          ask,
          (context) => planJob(ask.body, context),
          (change) => present.job(change.jobs[0]!, change.tasks),
        ),
    }),
    route({
      method: 'GET',
      path: '/v1/process/jobs',
      tag: 'Jobs',
      summary: 'List your jobs, newest first.',
      access: 'tasks:read',
      query: ListQuery,
      answer: { status: 200, schema: ref('JobPage') },
      async handle({ query: { per_page = PAGE.default, page = 1, include, ...filter }, caller }) {
        const withTasks = readInclude(include, ['tasks']).has('tasks')
        const { docs, total } = await store.listJobs({ user: caller.user.id, ...filter }, page, per_page)
        const shown = await Promise.all(docs.map((job) => (withTasks ? show(job) : present.job(job))))
        return pageOf(shown, total, page, per_page)
      },
    }),
    route({
      method: 'GET',
      path: '/v1/process/jobs/:jobId',
      tag: 'Jobs',
      summary: 'Show a job with its tasks.',
      access: 'tasks:read',
      answer: { status: 200, schema: ref('Job') },
      handle: async ({ params, caller }) => showOne(await own(caller, params.jobId ?? '')),
    }),
    route({
      method: 'GET',
      path: '/v1/process/jobs/:jobId/wait',
      tag: 'Jobs',
      summary: 'Answer when the job has ended, or as it is when the time is over.',
      access: 'tasks:read',
      query: Timeout,
      answer: { status: 200, schema: ref('Job') },
      async handle({ params, query, caller, signal }) {
        const id = params.jobId ?? ''
        const look = () => own(caller, id)
        const timeout = (query.timeout ?? 30) * 1000
        return show(await awaitEnd(bus, id, look, ({ status }) => hasEnded(status), timeout, signal))
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/process/jobs/:jobId',
      tag: 'Jobs',
      summary: 'Delete a job with all its tasks and files.',
      access: 'tasks:write',
      answer: { status: 200, schema: null },
      async handle({ params, caller }) {
        const job = await own(caller, params.jobId ?? '')
        const written = await store.changeJob(job.id, (record, slice) => erase(record, slice, clock.now()))
        if (!written) throw notFound(`The job ${job.id}`)
        await blobs.remove(written.freed)
        return ''
      },
    }),
  ]
}
