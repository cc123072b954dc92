/** Jobs and tasks by the SDK against a real server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataUri } from '../../server/test/support/pictures.ts'
import type { JobBody } from '../src/index.ts'
import { ground, toJpg } from './support.ts'

const on = ground()
const body: JobBody = structuredClone(toJpg) as JobBody

test('a job is created, shown, listed and deleted', async () => {
  const { jobs } = on.reforge
  const job = await jobs.create({ tag: 'list-me', ...body })
  assert.deepEqual(job.tasks?.map(({ name }) => name).sort(), ['in', 'out', 'work'])
  assert.equal((await jobs.get(job.id)).id, job.id)
  const page = await jobs.list({ tag: 'list-me', include: 'tasks' })
  assert.deepEqual([page.totalDocs, page.docs[0]?.tasks?.length], [1, 3])
  assert.equal(await jobs.delete(job.id), undefined)
  await assert.rejects(jobs.get(job.id), { status: 404 })
})

test('single tasks are created one after the other and waited for', async () => {
  const { tasks } = on.reforge
  const input = await tasks.create('import/base64', { file: dataUri(on.png), filename: 'a.png' })
  const convert = await tasks.create('convert', { input: input.id, output_format: 'webp' })
  const done = await tasks.wait(convert.id)
  assert.deepEqual([done.status, done.result.filename], ['completed', 'a.webp'])
  assert.equal((await tasks.list({ operation: 'convert' })).docs[0]?.id, convert.id)
  const shown = await tasks.get(convert.id, { include: 'payload' })
  assert.equal(shown.payload?.output_format, 'webp')
  await tasks.delete(convert.id)
  await assert.rejects(tasks.get(convert.id), { status: 404 })
})

test('a task is canceled, twice if need be', async () => {
  const { tasks } = on.reforge
  const task = await tasks.create('import/upload', {})
  assert.equal((await tasks.cancel(task.id)).status, 'canceled')
  assert.equal((await tasks.cancel(task.id)).status, 'canceled')
})

test('a wait that ends early answers the job as it is, and one can be given up', async () => {
  const { jobs } = on.reforge
  const job = await jobs.create(body)
  assert.equal((await jobs.wait(job.id, { timeout: 0 })).status, 'created')
  const controller = new AbortController()
  const waiting = jobs.wait(job.id, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
})

test('the same idempotency key makes one job', async () => {
  const { jobs } = on.reforge
  const [first, second] = [
    await jobs.create(body, { idempotencyKey: 'k1' }),
    await jobs.create(body, { idempotencyKey: 'k1' }),
  ]
  assert.equal(first.id, second.id)
  await assert.rejects(jobs.create({ ...body, tag: 'x' }, { idempotencyKey: 'k1' }), { status: 409, code: 'conflict' })
})

test('errors carry everything the server said', async () => {
  const wrong = { tasks: { a: { operation: 'convert', input: 'nobody', output_format: 'nope' } } } as const
  const error = await on.reforge.jobs.create(wrong).catch((caught) => caught)
  assert.deepEqual([error.name, error.status, error.code], ['ReforgeError', 400, 'invalid_parameter'])
  assert.ok(error.errors.some(({ path }: { path: string }) => path.startsWith('tasks.a')))
  assert.match(error.requestId, /./)
  await assert.rejects(on.client({ key: 'wrong' }).account.me(), { status: 401, code: 'unauthorized' })
  const readOnly = await on.server.otherKey('reader@example.org', 'tasks:read')
  await assert.rejects(on.client({ key: readOnly }).jobs.create(body), { status: 403 })
})

test('formats, options and the account are answered as the API shows them', async () => {
  const { formats, options, account } = on.reforge
  const exts = async (list: ReturnType<typeof formats.all>) => (await list).formats.map(({ ext }) => ext)
  assert.ok((await exts(formats.all())).includes('png'))
  assert.ok((await exts(formats.convert({ input_format: 'png' }))).includes('jpg'))
  assert.ok((await exts(formats.compress({}))).includes('jpg'))
  const described = await options.convert({ input_format: 'png', output_format: 'jpg' })
  assert.ok(described.options.some(({ name }) => name === 'quality'))
  await assert.rejects(options.convert({ input_format: 'png', output_format: 'nope' }), { status: 400 })
  assert.match((await account.me()).email, /@/)
})

test('formats need no key', async () => {
  assert.ok((await on.client({ key: undefined }).formats.all()).formats.length > 0)
})

test('a certificate that is not trusted is named as such, and one without a fetch is refused', async () => {
  const { createReforge } = await import('../src/index.ts')
  await assert.rejects(createReforge({ url: on.server.url }).formats.all(), { code: 'untrusted_certificate' })
  assert.throws(() => createReforge({ url: on.server.url, ca: on.server.ca }), { code: 'no_fetch' })
})
