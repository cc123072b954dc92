/** Minutes, over HTTPS and by a clock that can be moved: used up before a task and during it, by account, task and key. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { Agent, fetch } from 'undici'
import { readConfig } from '../../src/config.ts'
import { HOUR } from '../../src/core/task.ts'
import { type Serving, serve } from '../../src/serve.ts'
import { dataUri, picture } from '../support/pictures.ts'
import { slowPicture } from '../support/slow-picture.ts'
import type { Shown } from '../support/steps.ts'
import { until } from '../support/until.ts'

const KEY = 'quota-test-key-0123456789-0123456789-0123'
const MINUTE = 60_000

describe('conversion minutes', () => {
  let ahead = 0
  const pass = (ms: number) => {
    ahead += ms
  }
  let data: string
  let serving: Serving
  let dispatcher: Agent
  let me: string

  async function call(
    method: string,
    path: string,
    body?: unknown,
    key = KEY,
  ): Promise<{ status: number; json: Shown }> {
    const answer = await fetch(serving.url + path, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      json: answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    }
  }
  async function ok(method: string, path: string, body?: unknown, key = KEY): Promise<Shown> {
    const { status, json } = await call(method, path, body, key)
    assert.ok(status < 300, JSON.stringify(json))
    return json
  }
  const ended = (id: string): Promise<Shown> => ok('GET', `/v1/process/tasks/${id}/wait?timeout=60`)

  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'reforge-quota-'))
    const env = {
      REFORGE_PORT: '0',
      REFORGE_DATA: data,
      REFORGE_API_KEY: KEY,
      REFORGE_RATE_LIMIT: '0',
      REFORGE_LOG_LEVEL: 'warn',
    }
    serving = await serve(readConfig(env), { now: () => Date.now() + ahead })
    dispatcher = new Agent({ connect: { ca: readFileSync(serving.caPath, 'utf8') } })
    // After the certificates were made. Noon, so that nothing here happens by itself at midnight.
    pass(Date.UTC(2030, 5, 15, 12) - Date.now())
    me = (await ok('GET', '/v1/account/me')).id
  })
  after(async () => {
    await dispatcher.close()
    await serving.stop()
    await rm(data, { recursive: true, force: true })
  })
  afterEach(async () => {
    // What was only just taken is not yet told as begun; left alone it would end, and be counted, in the day of the next test.
    for (const status of ['created', 'processing'])
      for (const { id } of (await ok('GET', `/v1/process/tasks?status=${status}`)).docs)
        await ok('DELETE', `/v1/process/tasks/${id}`)
    await ok('PATCH', `/v1/admin/users/${me}`, { plan: 'unlimited' })
    // A new day for every test.
    pass(24 * HOUR)
  })

  let plans = 0
  /** Gives me a plan with these limits. */
  async function limit(limits: object): Promise<string> {
    const name = `plan-${++plans}`
    await ok('POST', '/v1/admin/plans', { name, ...limits })
    await ok('PATCH', `/v1/admin/users/${me}`, { plan: name })
    return name
  }
  const imported = async (bytes: Uint8Array, filename: string): Promise<Shown> =>
    ended((await ok('POST', '/v1/process/import/base64', { file: dataUri(bytes), filename })).id)
  const convert = (input: Shown, key = KEY) =>
    call('POST', '/v1/process/convert', { input: input.id, output_format: 'png' }, key)
  /** A conversion that runs and would go on for minutes. */
  async function running(input: Shown, key = KEY): Promise<Shown> {
    const { status, json } = await convert(input, key)
    assert.equal(status, 201, JSON.stringify(json))
    await until(
      async () => (await ok('GET', `/v1/process/tasks/${json.id}`)).status === 'processing',
      'the conversion runs',
    )
    return json
  }
  function assertOut(answer: { status: number; json: Shown }, says: RegExp): void {
    assert.equal(answer.status, 402, JSON.stringify(answer.json))
    assert.equal(answer.json.code, 'payment_required')
    assert.equal(answer.json.errorCode, 'out_of_conversion_minutes')
    assert.match(answer.json.message, says)
    assert.equal(typeof answer.json.requestId, 'string')
  }

  test('that are used up refuse a conversion, in a job too, until the day is over; imports cost nothing', async () => {
    const file = await imported(await picture('webp'), 'a.webp')
    await limit({ minutesPerDay: 0 })
    assertOut(await convert(file), /^The 0 conversion minutes of this account for today are used up\..*T00:00:00\.000Z/)
    const tasks = {
      a: { operation: 'import/base64', file: dataUri(await picture('png')), filename: 'a.png' },
      b: { operation: 'convert', input: 'a', output_format: 'jpg' },
    }
    assertOut(await call('POST', '/v1/process/jobs', { tasks }), /for today/)
    assert.equal((await ok('GET', '/v1/process/jobs')).totalDocs, 0, 'nothing was kept')
    assert.equal((await call('POST', '/v1/process/jobs', { tasks: { a: tasks.a } })).status, 201)
    assert.equal((await call('POST', '/v1/process/export/url', { input: file.id })).status, 201)
    assert.equal((await convert({ id: 'nothing' })).status, 400, 'what is wrong is told first')
  })

  test('of the day that run out during a task stop it, and what it used is charged', async () => {
    const file = await imported(slowPicture(), 'slow.svg')
    await limit({ minutesPerDay: 2 })
    const before = (await ok('GET', '/v1/account/me')).minutes
    assert.deepEqual([before.used, before.limit, before.left], [0, 2, 2])
    const task = await running(file)
    pass(MINUTE)
    const during = (await ok('GET', '/v1/account/me')).minutes
    assert.ok(during.used >= 1 && during.left <= 1, JSON.stringify(during))
    pass(MINUTE)
    const failed = await ended(task.id)
    assert.equal(failed.status, 'failed')
    assert.equal(failed.result.errorCode, 'out_of_conversion_minutes')
    assert.match(failed.result.msg, /^The 2 conversion minutes of this account for today are used up/)
    const then = (await ok('GET', '/v1/account/me')).minutes
    assert.ok(then.used >= 2 && then.used < 4, JSON.stringify(then))
    assert.equal(then.left, 0)
    assertOut(await convert(file), /The 2 conversion minutes of this account for today/)
    pass(24 * HOUR)
    assert.deepEqual((await ok('GET', '/v1/account/me')).minutes.left, 2)
    assert.equal((await convert(await imported(await picture('webp'), 'a.webp'))).status, 201)
  })

  test('of the month last until the next one, and what waits behind them never starts', async () => {
    const file = await imported(slowPicture(), 'slow.svg')
    const used = (await ok('GET', '/v1/account/me')).minutes.month.used
    await limit({ minutesPerMonth: Math.ceil(used) + 2, concurrency: 1 })
    const task = await running(file)
    const next = (await convert(file)).json
    pass(4 * MINUTE)
    assert.match((await ended(task.id)).result.msg, /for this month are used up\..*2030-07-01T00:00:00.000Z/)
    const behind = await ended(next.id)
    assert.deepEqual([behind.status, behind.result.errorCode], ['failed', 'out_of_conversion_minutes'])
    assert.equal(behind.startedAt, null)
    pass(24 * HOUR)
    assertOut(await convert(await imported(await picture('webp'), 'a.webp')), /for this month/)
  })

  test('of one task are a cap of their own: the next task has as many', async () => {
    const file = await imported(slowPicture(), 'slow.svg')
    await limit({ minutesPerTask: 0.01, minutesPerDay: 100 })
    const { json } = await convert(file)
    const failed = await ended(json.id)
    assert.deepEqual([failed.status, failed.result.errorCode], ['failed', 'out_of_conversion_minutes_per_task'])
    assert.match(failed.result.msg, /^One task may use 0\.01 conversion minutes/)
    assert.equal((await ok('GET', '/v1/account/me')).minutes.perTask, 0.01)
    assert.equal((await convert(file)).status, 201)
  })

  test('of a key are its own share: others go on, it can be raised, and not by the key itself', async () => {
    const small = await ok('POST', '/v1/account/keys', { name: 'small', budget: { minutes: 1, per: 'day' } })
    assert.deepEqual([small.budget.minutes, small.budget.per, small.budget.used], [1, 'day', 0])
    const file = await imported(slowPicture(), 'slow.svg')
    const task = await running(file, small.key)
    pass(2 * MINUTE)
    assert.match((await ended(task.id)).result.msg, /^The 1 conversion minute of this key is used up/)
    assertOut(await convert(file, small.key), /of this key is used up/)
    const photo = await imported(await picture('webp'), 'a.webp')
    assert.equal((await convert(photo)).status, 201, 'another key of the same account')
    const change = (budget: unknown, key = KEY) => call('PATCH', `/v1/account/keys/${small.id}`, { budget }, key)
    assert.equal((await change(null, small.key)).status, 403)
    assert.equal((await call('POST', '/v1/account/keys', { name: 'free' }, small.key)).status, 403)
    assert.equal((await change({ minutes: -1, per: 'year' })).status, 400)
    const { json: raised } = await change({ minutes: 60, per: 'month' })
    assert.ok(raised.budget.used >= 2, JSON.stringify(raised))
    assert.equal((await convert(photo, small.key)).status, 201)
    assert.equal((await change(null)).json.budget, null)
    const listed = (await ok('GET', '/v1/account/keys')).keys.find(({ id }: Shown) => id === small.id)
    assert.deepEqual([listed.name, listed.budget], ['small', null])
  })

  test('are told by day, operation, format and key, and the sums agree', async () => {
    const other = await ok('POST', '/v1/account/keys', { name: 'other' })
    const file = await imported(await picture('webp'), 'a.webp')
    const made = [await convert(file), await convert(file, other.key)]
    for (const { json } of made) {
      const { status, result } = await ended(json.id)
      assert.equal(status, 'completed', JSON.stringify(result))
    }
    const usage = async (by: string, more = ''): Promise<Shown> => ok('GET', `/v1/account/usage?by=${by}${more}`)
    const { rows, total, from, to } = await usage('day,operation,from,format,key')
    const converted = rows.filter((row: Shown) => row.operation === 'convert' && row.from === 'webp' && row.day === to)
    assert.deepEqual(
      converted.map(({ tasks, failed, format, bytesIn }: Shown) => [tasks, failed, format, bytesIn]),
      Array(2).fill([1, 0, 'png', file.result.size]),
    )
    assert.ok(converted.some(({ key, keyName }: Shown) => key === other.id && keyName === 'other'))
    for (const by of ['day', 'operation', 'format', 'key', 'from,key']) {
      const { rows: parts, total: same } = await usage(by, `&from=${from}&to=${to}`)
      assert.deepEqual(same, total, by)
      for (const sum of ['tasks', 'failed', 'bytesIn', 'bytesOut'])
        assert.equal(
          parts.reduce((all: number, row: Shown) => all + row[sum], 0),
          total[sum],
          `${sum} by ${by}`,
        )
    }
    const { minutes } = await ok('GET', '/v1/account/me')
    assert.ok(
      Math.abs(total.seconds / 60 - minutes.month.used) < 0.002,
      `${total.seconds} s, ${minutes.month.used} min`,
    )
    assert.equal((await call('GET', '/v1/account/usage?by=user&from=2030-02-31&to=soon')).json.errors.length, 3)
  })

  test('and hours: a plan keeps files and records shorter', async () => {
    await limit({ filesHours: 0.5, recordsHours: 2 })
    const tasks = { a: { operation: 'import/base64', file: dataUri(await picture('png')), filename: 'a.png' } }
    const job = await ok('POST', '/v1/process/jobs', { tasks })
    const hours = ({ createdAt, expiresAt }: Shown) => (Date.parse(expiresAt) - Date.parse(createdAt)) / HOUR
    assert.deepEqual([hours(job), hours(job.tasks[0])], [2, 0.5])
    const alone = await imported(await picture('png'), 'b.png')
    assert.deepEqual((await ok('GET', '/v1/account/me')).retention, { filesHours: 0.5, recordsHours: 2 })
    pass(1.9 * HOUR)
    await serving.sweep()
    assert.equal((await call('GET', `/v1/process/jobs/${job.id}`)).status, 200)
    assert.equal((await call('GET', `/v1/process/tasks/${alone.id}`)).status, 200)
    pass(0.2 * HOUR)
    await serving.sweep()
    assert.equal((await call('GET', `/v1/process/jobs/${job.id}`)).status, 404)
    assert.equal((await call('GET', `/v1/process/tasks/${alone.id}`)).status, 404)
  })
})
