/** Following a job by SSE and by socket.io against a real server. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Events, JobBody, ReforgeEvent } from '../src/index.ts'
import { ground, toJpg } from './support.ts'

const on = ground()
const body = structuredClone(toJpg) as JobBody

async function newJob() {
  const job = await on.reforge.jobs.create(body)
  const task = job.tasks?.find(({ name }) => name === 'in')
  assert.ok(task)
  return { id: job.id, task, send: () => on.reforge.upload(task, new File([on.png], 'a.png')) }
}

function events(t: TestContext): Events {
  const opened = on.reforge.events()
  t.after(() => opened.close())
  return opened
}

test('a job is followed from its creation to its end', async () => {
  const job = await newJob()
  const types: string[] = []
  for await (const event of on.reforge.jobs.follow(job.id)) {
    types.push(event.type)
    if (event.type === 'job_created') await job.send()
    if (event.type === 'job_completed') assert.equal(event.data.status, 'completed')
  }
  assert.equal(types.filter((type) => type === 'task_completed').length, 3)
  assert.equal(types.at(-1), 'job_completed')
})

test('following goes on after a given event, can be given up, and ends at a job that is not there', async () => {
  const job = await newJob()
  const all = on.reforge.jobs.follow(job.id)
  const first = (await all.next()).value
  assert.ok(first)
  const controller = new AbortController()
  const rest = on.reforge.jobs.follow(job.id, { lastEventId: first.id, signal: controller.signal })
  const second = (await rest.next()).value
  assert.notEqual(second?.id, first.id)
  await all.return()
  controller.abort(new Error('enough'))
  await assert.rejects(Array.fromAsync(rest), /enough/)
  await assert.rejects(on.reforge.jobs.follow('0123456789abcdef01234567').next(), { status: 404 })
})

test('live events reach the handlers of their channel', async (t) => {
  const live = events(t)
  const [mine, other] = [await newJob(), await newJob()]
  const seen: string[] = []
  const strays: ReforgeEvent[] = []
  const done = Promise.withResolvers<string | undefined>()
  await live.subscribe(`job.${other.id}`, { any: (event) => strays.push(event) })
  await live.subscribe(`job.${mine.id}`, {
    task_completed: (task) => seen.push(task.name),
    job_completed: (job) => done.resolve(job.id),
  })
  await mine.send()
  assert.equal(await done.promise, mine.id)
  assert.deepEqual(seen, ['in', 'work', 'out'])
  assert.deepEqual(strays, [])
})

test('who comes late is told the end, also the second time', async (t) => {
  const live = events(t)
  const job = await newJob()
  await job.send()
  await on.reforge.jobs.wait(job.id)
  for (const _ of [1, 2]) {
    const told = Promise.withResolvers<string>()
    await live.subscribe(`job.${job.id}`, { job_completed: ({ status }) => told.resolve(status) })
    assert.equal(await told.promise, 'completed')
  }
})

test('a channel that was left is quiet', async (t) => {
  const live = events(t)
  const job = await newJob()
  const heard: string[] = []
  const leave = await live.subscribe(`job.${job.id}`, { any: ({ type }) => heard.push(type) })
  await leave()
  await job.send()
  await on.reforge.jobs.wait(job.id)
  // Told to another channel of the same connection, so everything before it has been told as well.
  const told = Promise.withResolvers<void>()
  await live.subscribe(`task.${job.task.id}`, { task_completed: () => told.resolve() })
  await told.promise
  assert.deepEqual(heard, [])
})

test('everything of a user comes on the user’s channels', async (t) => {
  const live = events(t)
  const { id } = await on.reforge.account.me()
  const told = Promise.withResolvers<string>()
  await live.subscribe(`user.${id}.jobs`, { job_created: (job) => told.resolve(job.id) })
  const job = await newJob()
  assert.equal(await told.promise, job.id)
})

test('a wrong key, a strange channel and closed events are refused in words', async (t) => {
  const live = events(t)
  await assert.rejects(live.subscribe('job.0123456789abcdef01234567', {}), { code: 'refused', message: /not found/ })
  live.close()
  await assert.rejects(live.subscribe('job.0123456789abcdef01234567', {}), { code: 'closed' })
  const stranger = on.client({ key: 'wrong' }).events()
  t.after(() => stranger.close())
  await assert.rejects(stranger.subscribe('job.0123456789abcdef01234567', {}), { code: 'unauthorized' })
})
