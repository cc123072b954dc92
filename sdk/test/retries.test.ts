/** What the SDK does when the network or a proxy in between does not do its part. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobBody, Task } from '../src/index.ts'
import { flaky } from './flaky.ts'
import { ground, toJpg } from './support.ts'

const on = ground()
const body = structuredClone(toJpg) as JobBody

test('a busy server is asked again', async () => {
  await using proxy = await flaky(on.server, { status: 503 }, { status: 502 })
  const { formats } = on.client({ url: proxy.url })
  assert.ok((await formats.all()).formats.length > 0)
  assert.equal(proxy.seen.length, 3)
})

test('a job whose answer was lost is not made a second time', async () => {
  await using proxy = await flaky(on.server, { status: 504, afterwards: true })
  const job = await on.client({ url: proxy.url }).jobs.create({ ...body, tag: 'once' })
  const [first, second] = proxy.seen.map(({ headers }) => headers['idempotency-key'])
  assert.ok(first && first === second)
  assert.deepEqual(
    (await on.reforge.jobs.list({ tag: 'once' })).docs.map(({ id }) => id),
    [job.id],
  )
})

test('a deletion whose answer was lost has worked', async () => {
  const job = await on.reforge.jobs.create(body)
  await using proxy = await flaky(on.server, { status: 502, afterwards: true })
  await on.client({ url: proxy.url }).jobs.delete(job.id)
  assert.equal(proxy.seen.length, 2)
  await assert.rejects(on.client({ url: proxy.url }).jobs.delete(job.id), { status: 404 })
})

test('Retry-After is honoured, unless it asks for too much', async () => {
  await using proxy = await flaky(on.server, { status: 429, headers: { 'retry-after': '0' } })
  await on.client({ url: proxy.url }).formats.all()
  proxy.troubles.push({ status: 429, headers: { 'retry-after': '600' } })
  await assert.rejects(on.client({ url: proxy.url }).formats.all(), { status: 429, retryAfter: 600 })
  assert.equal(proxy.seen.length, 3)
})

test('without retries the first trouble is the caller’s', async () => {
  await using proxy = await flaky(on.server, { status: 503 })
  await assert.rejects(on.client({ url: proxy.url, retries: 0 }).formats.all(), { status: 503, code: 'http_503' })
})

test('a server that is not there is tried again, then named', async () => {
  const { url } = await flaky(on.server).then(async (proxy) => {
    await proxy[Symbol.asyncDispose]()
    return proxy
  })
  await assert.rejects(on.client({ url, retries: 1 }).account.me(), {
    status: 0,
    code: 'network_error',
    message: /ECONNREFUSED/,
  })
})

test('an answer that breaks off is asked for again', async () => {
  await using proxy = await flaky(on.server, { cut: 10 })
  assert.ok((await on.client({ url: proxy.url }).formats.all()).formats.length > 0)
  assert.equal(proxy.seen.length, 2)
})

/** The task with its form leading through the proxy. */
function through(url: string, task: Task): Task {
  const form = task.result.form
  assert.ok(form)
  return { ...task, result: { ...task.result, form: { ...form, url: url + new URL(form.url).pathname } } }
}

test('an upload that can be read again is sent again, also when only its answer was lost', async () => {
  await using proxy = await flaky(on.server)
  const reforge = on.client({ url: proxy.url })
  for (const afterwards of [false, true]) {
    const task = through(proxy.url, await reforge.tasks.create('import/upload', {}))
    proxy.troubles.push({ status: 503, afterwards })
    const done = await reforge.upload(task, new File([on.png], 'a.png'))
    assert.deepEqual([done.status, done.result.size], ['completed', on.png.length])
  }
  const task = through(proxy.url, await reforge.tasks.create('import/upload', {}))
  proxy.troubles.push({ status: 503 })
  await assert.rejects(reforge.upload(task, new Blob([on.png]).stream()), { status: 503 })
})

test('a stream of events that is cut goes on where it was, each event once', async () => {
  const job = await on.reforge.jobs.create(body)
  const task = job.tasks?.find(({ name }) => name === 'in')
  assert.ok(task)
  await on.reforge.upload(task, on.png)
  await on.reforge.jobs.wait(job.id)
  const whole = (await Array.fromAsync(on.reforge.jobs.follow(job.id))).map(({ id, type }) => `${id} ${type}`)

  await using proxy = await flaky(on.server, { cut: 2000 }, { status: 503 }, { cut: 3000 })
  const events = await Array.fromAsync(on.client({ url: proxy.url }).jobs.follow(job.id))
  assert.deepEqual(
    events.map(({ id, type }) => `${id} ${type}`),
    whole,
  )
  assert.ok(proxy.seen.length >= 4)
  assert.notEqual(proxy.seen.at(-1)?.headers['last-event-id'], undefined)
})
