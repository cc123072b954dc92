/** The states of tasks and jobs: what cancel, delete and failure do, to the task and to all that hangs on it. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { serveFiles } from '../support/file-server.ts'
import { dataUri, picture } from '../support/pictures.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'
import { until } from '../support/until.ts'

const photo = await picture('png', 48, 32)
const files = await serveFiles({
  '/never.png': null,
  '/half.png': (_request, response) => {
    response.writeHead(200, { 'content-length': photo.length * 2 })
    response.write(photo)
  },
  '/secret.png': (_request, response) => void response.writeHead(401).end(),
  '/private.png': (_request, response) => void response.writeHead(403).end(),
})
const server = await startServer({ env: { REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8', REFORGE_CONCURRENCY: '1' } })
after(async () => {
  await server[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
})
const { create, ended, run, done, imported, send } = stepsOn(server)

const cancel = (id: string) => server.call('POST', `/v1/process/tasks/${id}/cancel`)
const remove = (kind: 'tasks' | 'jobs', id: string) => server.call('DELETE', `/v1/process/${kind}/${id}`)
const show = async (kind: 'tasks' | 'jobs', id: string): Promise<Shown> =>
  (await server.call('GET', `/v1/process/${kind}/${id}`)).json
const byName = (job: Shown): Record<string, Shown> =>
  Object.fromEntries(job.tasks.map((task: Shown) => [task.name, task]))
const processing = (id: string) =>
  until(async () => (await show('tasks', id)).status === 'processing', 'the task is processing')
const bytesKept = async () => (await server.inside.kept()).length

const endless = (): Promise<Shown> => create('import/url', { url: `${files.url}/never.png` })
/** Nothing in it moves until the file is uploaded. */
const chain = {
  mine: { operation: 'import/upload' },
  small: { operation: 'convert', input: 'mine', output_format: 'jpg' },
  out: { operation: 'export/url', input: 'small' },
  other: { operation: 'import/base64', file: dataUri(photo), filename: 'other.png' },
}

describe('birth', () => {
  test('a task is created, an upload is processing, times and expiry are there', async () => {
    const upload = await create('import/upload')
    assert.equal(upload.status, 'processing')
    assert.equal(upload.startedAt, null)
    assert.equal(upload.endedAt, null)
    assert.equal(Date.parse(upload.expiresAt) - Date.parse(upload.createdAt), 4 * 3_600_000)
    const waiting = await create('compress', { input: upload.id })
    assert.equal(waiting.status, 'created')
    assert.deepEqual(waiting.result, {})
    assert.equal('percent' in waiting, false)
  })

  test('a job is created, lives 24 hours and says where it is', async () => {
    const job = await create('jobs', { tasks: { mine: chain.mine, small: chain.small } })
    assert.equal(job.status, 'created')
    assert.equal(job.tag, null)
    assert.equal(job.startedAt, null)
    assert.equal(job.endedAt, null)
    assert.equal(Date.parse(job.expiresAt) - Date.parse(job.createdAt), 24 * 3_600_000)
    assert.equal(job.links.self, `${server.url}/v1/process/jobs/${job.id}`)
    const again = await server.fetch(job.links.self, { headers: { authorization: `Bearer ${server.key}` } })
    assert.deepEqual(await again.json(), job)
  })

  test('unknown top-level fields are ignored and listed as warnings', async () => {
    const single = await create('import/upload', { webhook: 1, input: 'x' })
    assert.deepEqual(single.warnings.map(({ path }: Shown) => path).sort(), ['input', 'webhook'])
    const job = await create('jobs', { extra: 1, tasks: { a: { operation: 'import/upload', colour: 'red' } } })
    assert.deepEqual(job.warnings.map(({ path }: Shown) => path).sort(), ['extra', 'tasks.a.colour'])
    assert.match(job.warnings[0].message, /ignored/)
    assert.equal('warnings' in (await create('import/upload')), false)
  })
})

describe('a job', () => {
  test('is processing once bytes arrive, and completed when all its tasks are', async () => {
    const job = await create('jobs', { tasks: { mine: chain.mine, small: chain.small } })
    await send(byName(job).mine, photo)
    const over = await ended('jobs', job.id)
    assert.equal(over.status, 'completed')
    assert.ok(over.startedAt && over.endedAt)
    assert.ok(over.tasks.every((task: Shown) => task.startedAt && task.endedAt && task.status === 'completed'))
  })

  test('fails with the first failure, while siblings go on', async () => {
    const job = await create('jobs', {
      tasks: {
        ...chain,
        bad: { operation: 'import/url', url: `${files.url}/nothing.png` },
        hurt: { operation: 'compress', input: ['bad', 'other'] },
      },
    })
    const failed = await ended('jobs', job.id)
    assert.equal(failed.status, 'failed')
    assert.equal(failed.result.errorCode, 'task_failed')
    assert.match(failed.result.msg, /"bad" failed: .*404/)
    await ended('tasks', byName(job).other.id)
    await send(byName(job).mine, photo)
    assert.equal((await ended('tasks', byName(job).out.id)).status, 'completed')
    const tasks = byName(await show('jobs', job.id))
    assert.deepEqual([tasks.bad.status, tasks.hurt.status, tasks.other.status], ['failed', 'failed', 'completed'])
    assert.match(tasks.hurt.result.msg, /input task "bad" failed/)
    assert.equal((await show('jobs', job.id)).status, 'failed')
  })

  test('fails with the root cause also when that lies outside of it', async () => {
    for (const [end, jobCode, taskCode] of [
      [(id: string) => cancel(id), 'task_canceled', 'processing_failed'],
      [(id: string) => remove('tasks', id), 'task_deleted', 'user_deleted_task'],
    ] as const) {
      const upload = await create('import/upload')
      const job = await create('jobs', {
        tasks: { a: { operation: 'compress', input: upload.id }, b: { operation: 'export/url', input: 'a' } },
      })
      assert.equal((await end(upload.id)).status, 200)
      const failed = await ended('jobs', job.id)
      assert.equal(failed.result.errorCode, jobCode)
      assert.ok(failed.result.msg)
      for (const task of failed.tasks) assert.equal(task.result.errorCode, taskCode)
    }
  })
})

describe('cancel', () => {
  test('of an upload that waits: its dependents fail, transitively, and its job', async () => {
    const job = await create('jobs', { tasks: chain })
    const answer = await cancel(byName(job).mine.id)
    assert.equal(answer.status, 200)
    assert.equal(answer.json.status, 'canceled')
    assert.ok(answer.json.endedAt)
    const failed = await ended('jobs', job.id)
    assert.equal(failed.result.errorCode, 'task_canceled')
    assert.match(failed.result.msg, /"mine" was canceled/)
    const { small, out } = byName(failed)
    assert.deepEqual([small.status, out.status], ['failed', 'failed'])
    assert.equal(small.result.errorCode, 'processing_failed')
    assert.match(small.result.msg, /input task "mine" was canceled/)
    assert.match(out.result.msg, /"small".*"mine" was canceled/)
    assert.equal((await ended('tasks', byName(job).other.id)).status, 'completed')
  })

  test('of a created task leaves its input alone', async () => {
    const upload = await create('import/upload')
    const waiting = await create('compress', { input: upload.id })
    assert.equal((await cancel(waiting.id)).json.status, 'canceled')
    assert.equal((await send(upload, photo)).status, 'completed')
    assert.equal((await show('tasks', waiting.id)).status, 'canceled')
  })

  test('of a running import stops it', async () => {
    const task = await endless()
    await processing(task.id)
    assert.equal((await cancel(task.id)).json.status, 'canceled')
    assert.equal((await show('tasks', task.id)).status, 'canceled')
  })

  test('of a running engine kills it: the next task gets its place', async () => {
    const big = await imported(await picture('jpeg', 2600, 2600), 'big.jpg')
    const slow = await create('convert', { input: big.id, output_format: 'avif', options: { avif_effort: 6 } })
    await processing(slow.id)
    assert.equal((await cancel(slow.id)).json.status, 'canceled')
    const next = await done('convert', { input: big.id, output_format: 'jpg', options: { image_custom_width: 10 } })
    assert.equal(next.result.format, 'jpg')
    assert.equal((await show('tasks', slow.id)).status, 'canceled')
  })

  test('twice is the same as once', async () => {
    const upload = await create('import/upload')
    const first = await cancel(upload.id)
    const second = await cancel(upload.id)
    assert.equal(second.status, 200)
    assert.deepEqual(second.json, first.json)
  })

  test('of what has completed or failed is a conflict', async () => {
    const task = await imported(photo)
    assertRefused(await cancel(task.id), 'conflict', /already completed/)
    const failed = await run('convert', { input: task.id, input_format: 'gif', output_format: 'jpg' })
    assertRefused(await cancel(failed.id), 'conflict', /already failed/)
  })

  test('like upload and delete, takes an empty body with a JSON content type', async () => {
    const upload = await create('import/upload')
    const headers = { 'content-type': 'application/json' }
    const asked = (method: string, path: string) => server.call(method, `/v1/process/${path}`, undefined, headers)
    assert.equal((await asked('POST', `tasks/${upload.id}/cancel`)).status, 200)
    assert.equal((await asked('DELETE', `tasks/${upload.id}`)).status, 200)
    assert.equal((await asked('POST', 'import/upload')).status, 201)
  })
})

describe('delete', () => {
  test('of a completed task removes record, files and link', async () => {
    const before = await bytesKept()
    const task = await imported(photo)
    assert.equal(await bytesKept(), before + 1)
    const answer = await remove('tasks', task.id)
    assert.deepEqual([answer.status, answer.text], [200, ''])
    assertRefused(await server.call('GET', `/v1/process/tasks/${task.id}`), 'not_found')
    assertRefused(await remove('tasks', task.id), 'not_found')
    assert.equal((await server.fetch(task.result.url)).status, 404)
    assert.equal(await bytesKept(), before)
  })

  test('of a task whose file an export shares keeps the bytes for the export', async () => {
    const task = await imported(photo)
    const exported = await done('export/url', { input: task.id })
    await remove('tasks', task.id)
    const answer = await server.fetch(exported.result.url)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), photo)
  })

  test('of a running task stops it and fails what hangs on it, however far down', async () => {
    const task = await endless()
    await processing(task.id)
    const job = await create('jobs', {
      tasks: { a: { operation: 'compress', input: task.id }, b: { operation: 'export/url', input: 'a' } },
    })
    assert.equal((await remove('tasks', task.id)).status, 200)
    const failed = await ended('jobs', job.id)
    assert.equal(failed.result.errorCode, 'task_deleted')
    assert.deepEqual(
      failed.tasks.map(({ result }: Shown) => result.errorCode),
      ['user_deleted_task', 'user_deleted_task'],
    )
    assert.match(failed.tasks[0].result.msg, /deleted/)
  })

  test('of a task of a running job fails the job with task_deleted', async () => {
    const job = await create('jobs', { tasks: chain })
    await remove('tasks', byName(job).mine.id)
    const failed = await ended('jobs', job.id)
    assert.equal(failed.result.errorCode, 'task_deleted')
    assert.deepEqual(Object.keys(byName(failed)), ['small', 'out', 'other'])
    assert.equal(byName(failed).out.result.errorCode, 'user_deleted_task')
  })

  test('of a task of a finished job leaves the job as it is', async () => {
    const job = await create('jobs', { tasks: { other: chain.other } })
    const over = await ended('jobs', job.id)
    await remove('tasks', over.tasks[0].id)
    assert.deepEqual(await show('jobs', job.id), { ...over, tasks: [] })
  })

  test('of a job removes it, its tasks and their files, also while it runs', async () => {
    const before = await bytesKept()
    const job = await create('jobs', {
      tasks: { ...chain, slow: { operation: 'import/url', url: `${files.url}/half.png` } },
    })
    await ended('tasks', byName(job).other.id)
    const outside = await create('compress', { input: byName(job).mine.id })
    const answer = await remove('jobs', job.id)
    assert.deepEqual([answer.status, answer.text], [200, ''])
    assertRefused(await server.call('GET', `/v1/process/jobs/${job.id}`), 'not_found')
    for (const { id } of job.tasks) assertRefused(await server.call('GET', `/v1/process/tasks/${id}`), 'not_found')
    const fallen = await ended('tasks', outside.id)
    assert.equal(fallen.result.errorCode, 'user_deleted_task')
    await until(async () => (await bytesKept()) === before, 'all bytes are gone')
  })
})

describe('failure', () => {
  for (const [path, code, says] of [
    ['/secret.png', 'invalid_credentials', /401/],
    ['/private.png', 'insufficient_permission', /403/],
    ['/nothing.png', 'processing_failed', /404/],
  ] as const)
    test(`a source that answers ${says.source} is ${code}`, async () => {
      const { status, result } = await run('import/url', { url: files.url + path })
      assert.deepEqual([status, result.errorCode], ['failed', code])
      assert.match(result.msg, says)
    })

  test('wrong options are found when the task starts, if the format was not known before', async () => {
    const upload = await create('import/upload')
    const convert = await create('convert', { input: upload.id, output_format: 'jpg', options: { qualty: 1 } })
    await send(upload, photo)
    const { result } = await ended('tasks', convert.id)
    assert.equal(result.errorCode, 'processing_failed')
    assert.match(result.msg, /qualty.*Did you mean quality.*Valid options/)
  })
})

describe('wait', () => {
  test('answers as it is when the time is over', async () => {
    const upload = await create('import/upload')
    const { status, json } = await server.call('GET', `/v1/process/tasks/${upload.id}/wait?timeout=0`)
    assert.deepEqual([status, json.status], [200, 'processing'])
    const job = await create('jobs', { tasks: { mine: chain.mine } })
    const shown = await server.call('GET', `/v1/process/jobs/${job.id}/wait?timeout=0.2`)
    assert.deepEqual([shown.status, shown.json.status], [200, 'created'])
  })

  test('answers when it has ended', async () => {
    const upload = await create('import/upload')
    const waiting = server.call('GET', `/v1/process/tasks/${upload.id}/wait?include=payload`)
    await send(upload, photo)
    const { json } = await waiting
    assert.equal(json.status, 'completed')
    assert.deepEqual(json.payload, {})
  })

  test('answers 404 when it is deleted meanwhile', async () => {
    const upload = await create('import/upload')
    const waiting = server.call('GET', `/v1/process/tasks/${upload.id}/wait`)
    await until(async () => (await server.call('GET', '/health')).status === 200, 'the server goes on')
    await remove('tasks', upload.id)
    assertRefused(await waiting, 'not_found')
  })
})

test('percent tells how far a running task is, as far as that is known', async () => {
  const task = await create('import/url', { url: `${files.url}/half.png` })
  await until(async () => (await show('tasks', task.id)).percent !== undefined, 'the percent is known')
  assert.equal((await show('tasks', task.id)).percent, 50)
  await cancel(task.id)
  assert.equal('percent' in (await show('tasks', task.id)), false)
})
