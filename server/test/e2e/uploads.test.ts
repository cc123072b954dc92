/** Uploads that break off, race, or go on where they were; and what is left behind of them: nothing. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { connect } from 'node:tls'
import * as tus from 'tus-js-client'
import { picture } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'
import { until } from '../support/until.ts'

const photo = await picture('png', 300, 200)
const server = await startServer({ env: { REFORGE_MAX_FILE_SIZE: '1MB' } })
after(() => server[Symbol.asyncDispose]())
const { create, ended, post, send, download } = stepsOn(server)

const show = async (id: string): Promise<Shown> => (await server.call('GET', `/v1/process/tasks/${id}`)).json
async function left(folder: string): Promise<string[]> {
  if (folder === 'blobs') return server.inside.kept()
  const entries = await readdir(join(server.data, folder), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

describe('a form upload', () => {
  test('that breaks off leaves nothing, and the task can still be uploaded to', async () => {
    const task = await create('import/upload')
    const before = await left('blobs')
    const { url, parameters } = task.result.form
    const fields = Object.entries(parameters).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    const { pathname, port } = new URL(url)
    const socket = connect({ host: 'localhost', port: Number(port), ca: server.ca })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n`
    socket.write(head + fields.join('') + file)
    socket.write(Buffer.alloc(200_000, 7))
    await until(async () => (await show(task.id)).startedAt !== null, 'the first bytes have arrived')
    socket.destroy()
    await until(async () => (await left('blobs')).length === before.length, 'they are gone again')
    assert.equal((await show(task.id)).status, 'processing')
    await send(task, photo)
    assert.equal((await show(task.id)).status, 'completed')
    assert.doesNotMatch(server.printed(), /request failed/)
  })

  test('may be sent twice at the same time: one wins, the other is told, one file is kept', async () => {
    const task = await create('import/upload')
    const before = await left('blobs')
    const answers = await Promise.all([post(task, photo, 'a.png'), post(task, photo, 'b.png')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await left('blobs')).length, before.length + 1)
    const winner = answers.find(({ status }) => status === 200)?.json
    assert.equal((await show(task.id)).result.filename, winner.result.filename)
  })

  test('may come from a page of another origin', async () => {
    const { url } = (await create('import/upload')).result.form
    const headers = { origin: 'https://example.org', 'access-control-request-method': 'POST' }
    const preflight = await server.fetch(url, { method: 'OPTIONS', headers })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/)
    const refused = await server.fetch(url, { method: 'POST', headers: { origin: 'https://example.org' } })
    assert.equal(refused.status, 400)
    assert.equal(refused.headers.get('access-control-allow-origin'), '*', 'the page can read what was wrong')
  })

  for (const name of ['süß 海 😀.png', "it's 50% off; really.png", 'a+b.png'])
    test(`keeps the name ${name}`, async () => {
      const task = await create('import/upload')
      assert.equal((await send(task, photo, name)).result.filename, name)
    })
})

describe('a resumable upload', () => {
  const agent = new Agent({ ca: server.ca })
  const httpStack = new tus.DefaultHttpStack({ agent })
  interface Told {
    error: Error | null
    statuses: number[]
  }
  async function upload(endpoint: string, bytes: Buffer, options: Partial<tus.UploadOptions> = {}): Promise<Told> {
    const statuses: number[] = []
    const error = await new Promise<Error | null>((resolve) => {
      const sending = new tus.Upload(bytes, {
        endpoint,
        httpStack,
        uploadSize: bytes.length,
        chunkSize: 40_000,
        retryDelays: null,
        metadata: { filename: 'süß.png', filetype: 'image/png' },
        onAfterResponse: (_request, response) => void statuses.push(response.getStatus()),
        onSuccess: () => resolve(null),
        onError: resolve,
        ...options,
      })
      sending.start()
    })
    return { error, statuses }
  }

  test('completes the task, with the name it was given', async () => {
    const task = await create('import/upload')
    const { error, statuses } = await upload(task.result.form.resumable, photo)
    assert.equal(error, null)
    assert.deepEqual(new Set(statuses), new Set([201, 204]))
    const { status, result } = await ended('tasks', task.id)
    assert.deepEqual([status, result.filename, result.format], ['completed', 'süß.png', 'png'])
    assert.deepEqual(await download(result.url), photo)
    assert.deepEqual(await left('uploads'), [])
  })

  test('goes on where it was interrupted', async () => {
    const task = await create('import/upload')
    let uploadUrl = ''
    await new Promise<void>((resolve) => {
      const first = new tus.Upload(photo, {
        endpoint: task.result.form.resumable,
        httpStack,
        uploadSize: photo.length,
        chunkSize: 40_000,
        retryDelays: null,
        onChunkComplete: () => {
          uploadUrl = first.url ?? ''
          void first.abort().then(resolve)
        },
      })
      first.start()
    })
    const shown = await show(task.id)
    assert.equal(shown.status, 'processing')
    assert.ok(shown.startedAt, 'it has started: bytes have come')
    const offsets: number[] = []
    const { error } = await upload(task.result.form.resumable, photo, {
      uploadUrl,
      onProgress: (sent) => void offsets.push(sent),
    })
    assert.equal(error, null)
    assert.ok(Math.min(...offsets) >= 40_000, `it began again at ${Math.min(...offsets)}`)
    const { result } = await ended('tasks', task.id)
    assert.deepEqual(await download(result.url), photo)
  })

  test('of a file larger than allowed is refused at once, and nothing is left', async () => {
    const task = await create('import/upload')
    const { statuses } = await upload(task.result.form.resumable, Buffer.alloc(1024 * 1024 + 1))
    assert.deepEqual(statuses, [413])
    assert.deepEqual(await left('uploads'), [])
    assert.equal((await show(task.id)).status, 'processing')
  })

  test('of an empty file completes', async () => {
    const task = await create('import/upload')
    const { error } = await upload(task.result.form.resumable, Buffer.alloc(0))
    assert.equal(error, null)
    assert.equal((await ended('tasks', task.id)).result.size, 0)
  })

  test('with a wrong token is refused', async () => {
    const task = await create('import/upload')
    const { resumable } = task.result.form
    const other = (await create('import/upload')).result.form.resumable
    const wrong = [
      [resumable.slice(0, -1) + (resumable.endsWith('A') ? 'B' : 'A'), 403],
      [resumable.replace(task.id, other.split('/').at(-1).slice(0, 24)), 403],
      [`${server.url}/v1/resumable/nothing`, 404],
      [`${server.url}/v1/resumable/${'0'.repeat(24)}-99999999999-x.y`, 403],
    ] as const
    for (const [address, status] of wrong) assert.deepEqual((await upload(address, photo)).statuses, [status], address)
    assert.deepEqual(await left('uploads'), [])
  })

  test("cannot reach another task's parts", async () => {
    const mine = await create('import/upload')
    const theirs = await create('import/upload')
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '100' }
    const made = await server.fetch(theirs.result.form.resumable, { method: 'POST', headers })
    const part = made.headers.get('location')?.split('/').at(-1)
    assert.ok(part)
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const answer = await server.fetch(`${mine.result.form.resumable}/${part}`, {
        method,
        headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        ...(method === 'PATCH' && { body: 'x' }),
      })
      assert.equal(answer.status, 404, method)
    }
    for (const climbing of ['..%2f..%2fsecrets', '../secrets', '%2e%2e%2fsecrets', `${theirs.id}_x%2f..`]) {
      const answer = await server.fetch(`${mine.result.form.resumable}/${climbing}`, { method: 'HEAD', headers })
      assert.equal(answer.status, 404, climbing)
    }
  })

  test('to a task that has its file is a conflict', async () => {
    const task = await create('import/upload')
    await send(task, photo)
    assert.deepEqual((await upload(task.result.form.resumable, photo)).statuses, [409])
  })

  test('to a task that was canceled or deleted meanwhile is refused', async () => {
    const task = await create('import/upload')
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '100' }
    const made = await server.fetch(task.result.form.resumable, { method: 'POST', headers })
    await server.call('POST', `/v1/process/tasks/${task.id}/cancel`)
    const more = { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const patch = () =>
      server.fetch(made.headers.get('location') ?? '', { method: 'PATCH', headers: more, body: 'x'.repeat(100) })
    assert.equal((await patch()).status, 409)
    await server.call('DELETE', `/v1/process/tasks/${task.id}`)
    assert.equal((await patch()).status, 404)
  })

  test('answers its refusals in the shape of all others', async () => {
    const task = await create('import/upload')
    for (const [headers, address] of [
      [{ 'tus-resumable': '1.0.0', 'upload-length': '10' }, `${server.url}/v1/resumable/nothing`],
      [{ 'tus-resumable': '1.0.0', 'upload-length': '99999999' }, task.result.form.resumable],
      [{ 'tus-resumable': '1.0.0', 'upload-length': '10' }, task.result.form.resumable.slice(0, -1)],
    ] as const) {
      const answer = await server.fetch(address, { method: 'POST', headers })
      const body = (await answer.json()) as Shown
      assert.ok(answer.status >= 400 && answer.status < 500)
      assert.equal(typeof body.code, 'string')
      assert.ok(Array.isArray(body.errors))
      assert.equal(body.requestId, answer.headers.get('x-request-id'))
    }
  })

  test('may come from a page of another origin', async () => {
    const { resumable } = (await create('import/upload')).result.form
    const headers = {
      origin: 'https://example.org',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'tus-resumable,upload-offset',
    }
    const preflight = await server.fetch(resumable, { method: 'OPTIONS', headers })
    assert.ok(preflight.ok)
    assert.ok(preflight.headers.get('access-control-allow-origin'))
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PATCH/)
    const made = await server.fetch(resumable, {
      method: 'POST',
      headers: { origin: 'https://example.org', 'tus-resumable': '1.0.0', 'upload-length': '5' },
    })
    assert.match(made.headers.get('access-control-expose-headers') ?? '', /Location/i)
  })
})
