/** Tasks: list, show, wait, cancel, delete. Another user's task is not found. */
import { Type } from 'typebox'
import { invalid, notFound, Problem } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { transition } from '../../core/machine.ts'
import { PAGE, pageOf } from '../../core/page.ts'
import { hasEnded, streamOf, TASK_STATUSES, type Task } from '../../core/task.ts'
import { awaitEnd } from '../await-end.ts'
import type { HttpDeps } from '../deps.ts'
import { type Caller, type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

export const paging = {
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE.most, description: 'Page size, 50 by default.' })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Page number, from 1.' })),
}

export const Timeout = Type.Object({
  timeout: Type.Optional(Type.Number({ minimum: 0, maximum: 120, description: 'Seconds to wait; 30 by default.' })),
})

const ListQuery = Type.Object({
  status: Type.Optional(Type.Enum([...TASK_STATUSES])),
  operation: Type.Optional(Type.String({ description: 'Only tasks with this operation, such as import/url.' })),
  job: Type.Optional(Type.String({ description: 'Only tasks of this job.' })),
  ...paging,
})

const ShowQuery = Type.Object({
  include: Type.Optional(Type.String({ description: '`payload` and `job`, comma-separated.' })),
})

const INCLUDES = ['payload', 'job']

export function readInclude(text: string | undefined, allowed: readonly string[]): Set<string> {
  const wanted = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const odd = wanted.filter((part) => !allowed.includes(part))
  if (odd.length)
    throw invalid([
      { path: 'include', message: `"${odd.join(', ')}" is not possible. Possible: ${allowed.join(', ')}.` },
    ])
  return new Set(wanted)
}

export function taskRoutes(deps: HttpDeps): Route[] {
  const { store, blobs, bus, clock, present } = deps

  async function own(caller: Caller, id: string): Promise<Task> {
    const task = isId(id) ? await store.task(id) : null
    if (task?.user !== caller.user.id) throw notFound(`The task ${id}`)
    return task
  }

  async function show(task: Task, include: string | undefined) {
    const wanted = readInclude(include, INCLUDES)
    const job = wanted.has('job') && task.job ? await store.job(task.job) : null
    return present.task(task, { payload: wanted.has('payload'), job, ahead: await store.ahead(task) })
  }

  return [
    route({
      method: 'GET',
      path: '/v1/process/tasks',
      tag: 'Tasks',
      summary: 'List your tasks, newest first.',
      access: 'tasks:read',
      query: ListQuery,
      answer: { status: 200, schema: ref('TaskPage') },
      async handle({ query: { per_page = PAGE.default, page = 1, ...filter }, caller }) {
        if (filter.status === 'deleted') return pageOf([], 0, page, per_page)
        const { docs, total } = await store.listTasks({ user: caller.user.id, ...filter }, page, per_page)
        return pageOf(
          docs.map((task) => present.task(task)),
          total,
          page,
          per_page,
        )
      },
    }),
    route({
      method: 'GET',
      path: '/v1/process/tasks/:taskId',
      tag: 'Tasks',
      summary: 'Show a task.',
      access: 'tasks:read',
      query: ShowQuery,
      answer: { status: 200, schema: ref('Task') },
      handle: async ({ params, query, caller }) => show(await own(caller, params.taskId ?? ''), query.include),
    }),
    route({
      method: 'GET',
      path: '/v1/process/tasks/:taskId/wait',
      tag: 'Tasks',
      summary: 'Answer when the task has ended, or as it is when the time is over.',
      access: 'tasks:read',
      query: Type.Object({ ...Timeout.properties, ...ShowQuery.properties }),
      answer: { status: 200, schema: ref('Task') },
      async handle({ params, query, caller, signal }) {
        readInclude(query.include, INCLUDES)
        const first = await own(caller, params.taskId ?? '')
        const look = () => own(caller, first.id)
        const task = await awaitEnd(
          bus,
          streamOf(first),
          look,
          ({ status }) => hasEnded(status),
          (query.timeout ?? 30) * 1000,
          signal,
        )
        return show(task, query.include)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/process/tasks/:taskId/cancel',
      tag: 'Tasks',
      summary: 'Cancel a task that has not ended; tasks that depend on it fail.',
      access: 'tasks:write',
      answer: { status: 200, schema: ref('Task') },
      async handle({ params, caller }) {
        const task = await own(caller, params.taskId ?? '')
        await store.change(task.id, (slice) => transition(slice, { type: 'canceled' }, clock.now()))
        const now = await own(caller, task.id)
        if (now.status !== 'canceled')
          throw new Problem('conflict', `The task has already ${now.status === 'failed' ? 'failed' : 'completed'}.`)
        return present.task(now)
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/process/tasks/:taskId',
      tag: 'Tasks',
      summary: 'Delete a task and its files; tasks that depend on it fail.',
      access: 'tasks:write',
      answer: { status: 200, schema: null },
      async handle({ params, caller }) {
        const task = await own(caller, params.taskId ?? '')
        const written = await store.change(task.id, (slice) => transition(slice, { type: 'deleted' }, clock.now()))
        if (!written) throw notFound(`The task ${task.id}`)
        await blobs.remove(written.freed)
        return ''
      },
    }),
  ]
}
