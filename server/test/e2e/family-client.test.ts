/** A public client of this API family works here with its base URL and its key changed, and nothing else. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import axios from 'axios'
import sharp from 'sharp'
import { createFamilyClient } from '../support/family-client.ts'
import { serveFiles } from '../support/file-server.ts'
import { dataUri, picture } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import type { Shown } from '../support/steps.ts'

const photo = await picture('png')
const files = await serveFiles({ '/photos/sea.png': photo })
const server = await startServer({ env: { REFORGE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' } })
after(async () => {
  await server[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
})
const client = createFamilyClient(server.url, server.key, server.ca)

const formatOf = async (task: Shown): Promise<string | undefined> =>
  (await sharp(await client.download(task.result.url)).metadata()).format

const ID = /^[0-9a-f]{24}$/
const byName = (job: Shown): Record<string, Shown> =>
  Object.fromEntries(job.tasks.map((task: Shown) => [task.name, task]))

describe('single tasks', () => {
  test('upload, convert and export, each naming the task before it', async () => {
    const created = await client.task('import/upload')
    assert.match(created.id, ID)
    assert.equal(created.status, 'processing')
    assert.equal(created.job, null)
    assert.equal(created.name, 'import/upload')
    assert.match(created.result.form.url, /^https:/)
    assert.ok(Object.values(created.result.form.parameters).every((value) => typeof value === 'string'))

    const answer = await client.upload(photo, 'sea.png', created)
    assert.equal(answer.msg, 'ok')
    assert.equal(answer.id, created.id)
    assert.equal(answer.status, 'completed')
    assert.equal(answer.result.filename, 'sea.png')

    const convert = await client.task('convert', { input: created.id, output_format: 'jpg', options: { quality: 80 } })
    assert.deepEqual(convert.dependsOn, [created.id])
    assert.deepEqual(convert.payload, { input: created.id, output_format: 'jpg', options: { quality: 80 } })
    const exported = await client.task('export/url', { input: [convert.id] })
    const done = await client.poll('tasks', exported.id)
    assert.equal(done.status, 'completed')
    assert.equal(done.result.filename, 'sea.jpg')
    assert.equal(done.result.format, 'jpg')
    assert.equal(done.result.files.length, 1)
    assert.deepEqual(
      { ...done.result.files[0] },
      { url: done.result.url, filename: 'sea.jpg', size: done.result.size, format: 'jpg' },
    )
    assert.equal((await client.download(done.result.url)).length, done.result.size)
    assert.equal(await formatOf(done), 'jpeg')
  })

  test('import/base64 keeps the bytes and echoes none of them', async () => {
    const task = await client.task('import/base64', { file: dataUri(photo), filename: 'sea.png' })
    assert.deepEqual(task.payload, { file: '', filename: 'sea.png' })
    const done = await client.poll('tasks', task.id)
    assert.equal(done.result.size, photo.length)
    assert.deepEqual(await client.download(done.result.url), photo)
  })

  test('import/url takes the name from the address, or as given', async () => {
    const url = `${files.url}/photos/sea.png?X-Sig=a%2Fb+c`
    const plain = await client.task('import/url', { url })
    const named = await client.task('import/url', { url, filename: 'other.png' })
    assert.equal((await client.poll('tasks', plain.id)).result.filename, 'sea.png')
    assert.equal((await client.poll('tasks', named.id)).result.filename, 'other.png')
    assert.ok(files.hits.includes('/photos/sea.png?X-Sig=a%2Fb+c'), 'the query is passed on byte for byte')
  })

  test('a task may be named as input before it has ended', async () => {
    const upload = await client.task('import/upload')
    const convert = await client.task('convert', { input: upload.id, output_format: 'webp' })
    assert.equal(convert.status, 'created')
    await client.upload(photo, 'sea.png', upload)
    assert.equal(await formatOf(await client.poll('tasks', convert.id)), 'webp')
  })
})

describe('jobs', () => {
  const chain = {
    fetch: { operation: 'import/url', url: `${files.url}/photos/sea.png` },
    small: { operation: 'convert', input: 'fetch', output_format: 'jpg', options: { image_custom_width: '64' } },
    thumb: { operation: 'convert', input: ['fetch'], input_format: 'png', output_format: 'webp' },
    out: { operation: 'export/url', input: ['small', 'thumb'] },
  }

  test('tasks take input from each other by name, and the answer names them by id', async () => {
    const job = await client.job(chain, 'holiday')
    assert.match(job.id, ID)
    assert.equal(job.tag, 'holiday')
    const tasks = byName(job)
    assert.deepEqual(Object.keys(tasks), ['fetch', 'small', 'thumb', 'out'])
    assert.deepEqual(tasks.out.dependsOn, [tasks.small.id, tasks.thumb.id])
    assert.ok(job.tasks.every((task: Shown) => task.job === job.id))

    const done = await client.poll('jobs', job.id)
    assert.equal(done.status, 'completed')
    assert.deepEqual(done.result, {})
    const { out } = byName(done)
    assert.deepEqual(
      out.result.files.map(({ filename }: Shown) => filename),
      ['sea.jpg', 'sea.webp'],
    )
    assert.equal((await sharp(await client.download(out.result.url)).metadata()).width, 64)
  })

  test('an upload inside a job shows its form at once, and the job goes on when the file has come', async () => {
    const job = await client.job({
      mine: { operation: 'import/upload' },
      out: { operation: 'export/url', input: 'mine', filename: 'renamed' },
    })
    assert.equal(job.status, 'created')
    const { mine } = byName(job)
    assert.equal(mine.status, 'processing')
    await client.upload(photo, 'sea.png', mine)
    const done = await client.poll('jobs', job.id)
    assert.equal(byName(done).out.result.filename, 'renamed.png')
  })

  test('a job may take an earlier task of the caller by its id', async () => {
    const { id } = await client.upload(photo, 'sea.png')
    const job = await client.job({ small: { operation: 'compress', input: id } })
    assert.deepEqual(byName(job).small.dependsOn, [id])
    const done = await client.poll('jobs', job.id)
    assert.equal(done.status, 'completed')
    // … and a task outside any job may take one of a job's.
    const { result } = await client.poll('tasks', (await client.task('export/url', { input: [done.tasks[0].id] })).id)
    assert.equal(result.format, 'png')
  })

  test('a wrong input_format fails the job, and everything that did not complete says why', async () => {
    const job = await client.job({
      mine: { operation: 'import/url', url: `${files.url}/photos/sea.png` },
      wrong: { operation: 'convert', input: 'mine', input_format: 'gif', output_format: 'jpg' },
      next: { operation: 'compress', input: 'wrong' },
      last: { operation: 'export/url', input: ['next', 'mine'] },
    })
    const failed = await client.poll('jobs', job.id)
    assert.equal(failed.status, 'failed')
    assert.equal(failed.result.errorCode, 'task_failed')
    assert.match(failed.result.msg, /"wrong".*PNG.*not gif/)
    const { mine, wrong, next, last } = byName(failed)
    assert.equal(mine.status, 'completed')
    for (const task of [wrong, next, last]) {
      assert.equal(task.status, 'failed')
      assert.equal(task.result.errorCode, 'processing_failed')
      assert.ok(task.endedAt)
    }
    assert.match(wrong.result.msg, /"sea.png" is PNG \(png\), not gif as input_format says/)
    assert.match(next.result.msg, /input task "wrong" failed/)
    assert.match(last.result.msg, /input task "next".*"wrong" failed/)
  })

  test('errors are read from message, errors and errorCode', async () => {
    const error = await client.job({ a: { operation: 'convert', input: 'b' } }).catch((thrown) => thrown)
    assert.ok(axios.isAxiosError(error))
    assert.equal(error.response?.status, 400)
    const { code, message, errors, requestId } = error.response?.data ?? {}
    assert.equal(code, 'invalid_parameter')
    assert.deepEqual(errors.map(({ path }: Shown) => path).sort(), ['tasks.a.input', 'tasks.a.output_format'])
    assert.match(message, /tasks\.a\.input.*"b"/)
    assert.equal(requestId, error.response?.headers['x-request-id'])
  })
})
