import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Agent, fetch } from 'undici'
import { readConfig } from '../../src/config.ts'
import { HOUR } from '../../src/core/task.ts'
import { type Serving, serve } from '../../src/serve.ts'
import { dataUri, picture } from '../support/pictures.ts'

const KEY = 'retention-test-key-0123456789-0123456789'

describe('retention, by a clock that can be moved', () => {
  let now = Date.now()
  let data: string
  let serving: Serving
  let dispatcher: Agent

  // biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }> {
    const answer = await fetch(path.startsWith('http') ? path : serving.url + path, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      json: answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    }
  }
  const stored = async () => {
    const names = await readdir(join(data, 'blobs/files'), { recursive: true })
    return names.filter((name) => name.includes('/')).length
  }

  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'reforge-retention-'))
    const env = {
      REFORGE_PORT: '0',
      REFORGE_DATA: data,
      REFORGE_API_KEY: KEY,
      REFORGE_RATE_LIMIT: '0',
      REFORGE_LOG_LEVEL: 'warn',
      REFORGE_GUESTS: '1',
      REFORGE_AUDIT_DAYS: '3',
    }
    serving = await serve(readConfig(env), { now: () => now })
    dispatcher = new Agent({ connect: { ca: readFileSync(serving.caPath, 'utf8') } })
  })
  after(async () => {
    await dispatcher.close()
    await serving.stop()
    await rm(data, { recursive: true, force: true })
  })

  test('a guest goes a day after coming, with all that was theirs; a session and the log in their own time', async () => {
    const day = 24 * HOUR
    const from = { origin: serving.url }
    const come = await fetch(`${serving.url}/session/guest`, { method: 'POST', dispatcher, headers: from })
    const { user } = (await come.json()) as { user: { id: string } }
    const cookie = come.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const token = async () => {
      const answer = await fetch(`${serving.url}/session/token`, {
        ...{ method: 'POST', dispatcher, headers: { ...from, cookie } },
      })
      return { status: answer.status, ...((await answer.json()) as { token: string }) }
    }
    const bearer = (await token()).token
    const me = async () => {
      const headers = { authorization: `Bearer ${bearer}` }
      return (await fetch(`${serving.url}/v1/account/me`, { dispatcher, headers })).status
    }
    const entries = async () => (await call('GET', `/v1/admin/audit?user=${user.id}`)).json.totalDocs
    assert.equal(await me(), 200)
    now += HOUR / 4
    assert.equal(await me(), 401, 'a token is good for a quarter of an hour')
    now += day - HOUR / 4 - 1
    await serving.sweep()
    assert.equal((await token()).status, 200)
    now += 1
    assert.equal((await token()).status, 401)
    await serving.sweep()
    assert.equal((await call('GET', `/v1/admin/users/${user.id}`)).status, 404)
    assert.equal(await entries(), 1, 'the log remembers')
    now += 2 * day
    await serving.sweep()
    assert.equal(await entries(), 0)
  })

  test('files go after 4 hours, records after 24, and nothing is left on the disk', async () => {
    const created = await call('POST', '/v1/process/jobs', {
      tasks: {
        a: { operation: 'import/base64', file: dataUri(await picture('png')), filename: 'a.png' },
        b: { operation: 'convert', input: 'a', output_format: 'jpg' },
        c: { operation: 'export/url', input: 'b' },
      },
    })
    const { json: job } = await call('GET', `/v1/process/jobs/${created.json.id}/wait`)
    assert.equal(job.status, 'completed')
    const { url } = job.tasks[2].result
    assert.equal((await call('GET', url)).status, 200)
    assert.equal(await stored(), 2)

    now += 4 * HOUR - 60_000
    await serving.sweep()
    assert.equal((await call('GET', url)).status, 200, 'still there a minute before')

    now += 2 * 60_000
    await serving.sweep()
    assert.equal((await call('GET', url)).status, 403, 'the link has expired')
    assert.equal(await stored(), 0)
    assert.equal((await call('GET', `/v1/process/jobs/${job.id}`)).json.status, 'completed', 'the record stays')
    const late = await call('POST', '/v1/process/convert', { input: job.tasks[0].id, output_format: 'webp' })
    assert.equal(late.status, 400)
    assert.match(late.json.message, /expired/)

    now += 20 * HOUR
    await serving.sweep()
    assert.equal((await call('GET', `/v1/process/jobs/${job.id}`)).status, 404)
    assert.equal((await call('GET', `/v1/process/tasks/${job.tasks[0].id}`)).status, 404)
    assert.equal((await call('GET', '/v1/process/jobs')).json.totalDocs, 0)
  })

  test('an upload that never came fails with upload_timeout, and so does its job', async () => {
    const { json: job } = await call('POST', '/v1/process/jobs', {
      tasks: { up: { operation: 'import/upload' }, out: { operation: 'export/url', input: 'up' } },
    })
    await serving.sweep()
    assert.equal((await call('GET', `/v1/process/jobs/${job.id}`)).json.status, 'created')
    now += HOUR + 1000
    await serving.sweep()
    const { json: ended } = await call('GET', `/v1/process/jobs/${job.id}`)
    assert.equal(ended.status, 'failed')
    assert.equal(ended.result.errorCode, 'task_failed')
    assert.equal(ended.tasks[0].result.errorCode, 'upload_timeout')
    assert.match(ended.tasks[1].result.msg, /"up" failed/)
  })

  test('bytes that no record names are removed, once they are old enough', async () => {
    const { writeFile, mkdir, utimes } = await import('node:fs/promises')
    const stray = join(data, 'blobs/files/ab', `ab${'0'.repeat(30)}`)
    await mkdir(join(data, 'blobs/files/ab'), { recursive: true })
    await writeFile(stray, 'stray')
    await utimes(stray, now / 1000, now / 1000)
    await serving.sweep()
    assert.equal(await stored(), 1)
    now += 2 * HOUR
    await serving.sweep()
    assert.equal(await stored(), 0)
  })
})
