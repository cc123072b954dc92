/** What plans limit besides minutes, over HTTPS: tasks at a time, requests, bytes; and plans themselves. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { picture } from '../support/pictures.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { slowPicture } from '../support/slow-picture.ts'
import { type Shown, type Steps, stepsOn } from '../support/steps.ts'
import { until } from '../support/until.ts'

type Somebody = { id: string } & Steps & TestServer

let server: TestServer
let ada: Somebody
let bob: Somebody
before(async () => {
  server = await startServer({ env: { REFORGE_CONCURRENCY: '1' } })
  ;[ada, bob] = [await somebody('ada@example.org'), await somebody('bob@example.org')]
})
after(() => server[Symbol.asyncDispose]())
afterEach(() => server.call('PATCH', `/v1/admin/users/${ada.id}`, { plan: 'unlimited' }))

const PLANS = '/v1/admin/plans'

/** Somebody with a key of their own. */
async function somebody(email: string): Promise<Somebody> {
  const key = await server.otherKey(email)
  const { docs } = (await server.call('GET', `/v1/admin/users?search=${email}`)).json
  const own: TestServer = {
    ...server,
    key,
    call: (method, path, body, headers) =>
      server.call(method, path, body, { authorization: `Bearer ${key}`, ...headers }),
  }
  return { ...own, ...stepsOn(own), id: docs[0].id }
}
/** Puts her on a plan with these limits. */
async function limit(name: string, limits: object): Promise<void> {
  assert.equal((await server.call('POST', PLANS, { name, ...limits })).status, 201)
  assert.equal((await server.call('PATCH', `/v1/admin/users/${ada.id}`, { plan: name })).status, 200)
}
const toPng = (input: Shown) => ({ input: input.id, output_format: 'png' })

describe('tasks at a time', () => {
  const processing = async ({ call }: TestServer): Promise<number> =>
    (await call('GET', '/v1/process/tasks?status=processing')).json.totalDocs

  test('are as many as the plan allows; who has used that up does not hold up others', async () => {
    await limit('flood', { concurrency: 1 })
    const slow = await ada.imported(slowPicture(), 'slow.svg')
    const flood: Shown[] = []
    for (let i = 0; i < 4; i++) flood.push(await ada.create('convert', toPng(slow)))
    await until(async () => (await processing(ada)) > 0, 'the first one runs')
    const photo = await bob.imported(await picture('webp'), 'a.webp')
    await bob.done('convert', toPng(photo))
    await bob.done('convert', toPng(photo))
    assert.equal(await processing(ada), 1)
    assert.equal((await ada.call('GET', '/v1/account/me')).json.limits.concurrency, 1)

    // The plan is raised, and the next thing that happens to a task of hers brings it to the queue.
    assert.equal((await server.call('PATCH', `${PLANS}/flood`, { concurrency: 2 })).status, 200)
    assert.equal((await ada.call('DELETE', `/v1/process/tasks/${flood.pop().id}`)).status, 200)
    const brought = ada.imported(await picture('png'))
    await until(async () => (await processing(ada)) === 2, 'two run')
    for (const { id } of flood) assert.equal((await ada.call('DELETE', `/v1/process/tasks/${id}`)).status, 200)
    await brought
  })

  test('are shared fairly: one task of another comes before the rest of a flood', async () => {
    const [big, photo] = [
      await ada.imported(slowPicture(500), 'a.svg'),
      await bob.imported(await picture('webp'), 'a.webp'),
    ]
    const flood: Shown[] = []
    // More than run at once, also where there are several workers.
    for (let i = 0; i < 14; i++) flood.push(await ada.create('convert', toPng(big)))
    const one = await bob.done('convert', toPng(photo))
    const last = await ada.ended('tasks', flood.at(-1).id)
    assert.equal(last.status, 'completed')
    assert.ok(Date.parse(one.endedAt) <= Date.parse(last.startedAt), `${one.endedAt} ${last.startedAt}`)
  })
})

test('requests a minute are those of the plan, for each key on its own', async () => {
  await limit('calm', { ratePerMinute: 3 })
  const answers = []
  for (let i = 0; i < 5; i++) answers.push(await ada.call('GET', '/v1/process/jobs'))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 429, 429],
  )
  assertRefused(answers[4]!, 'too_many_requests', /3 requests a minute/)
  assert.equal(answers[0]?.headers.get('ratelimit-policy'), '"default";q=3;w=60')
  assert.match(answers[4]?.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await server.call('GET', '/v1/process/jobs')).headers.get('ratelimit'), null)
})

describe('bytes of a file', () => {
  test('are those of the plan: uploaded, resumed, imported and made', async () => {
    await limit('small', { maxFileSize: 20_000 })
    const large = new Uint8Array(20_001)
    assert.equal((await ada.call('GET', '/v1/account/me')).json.limits.maxFileSize, 20_000)

    const form = await ada.create('import/upload')
    assertRefused(await ada.post(form, large, 'a.bin'), 'too_large', /limit of 20000 bytes/)
    assert.equal((await ada.post(form, large.subarray(1), 'a.bin')).status, 200)

    const { resumable } = (await ada.create('import/upload')).result.form
    const announce = (headers: Record<string, string>) =>
      server.fetch(resumable, { method: 'POST', headers: { 'tus-resumable': '1.0.0', ...headers } })
    assert.equal((await announce({ 'upload-length': '20001' })).status, 413)
    const begun = await announce({ 'upload-defer-length': '1' })
    assert.equal(begun.status, 201)
    const sent = await server.fetch(begun.headers.get('location') ?? '', {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: large,
    })
    assert.equal(sent.status, 413)

    const file = `data:application/octet-stream;base64,${Buffer.from(large).toString('base64')}`
    const failed = await ada.run('import/base64', { file, filename: 'a.bin' })
    assert.match(failed.result.msg, /larger than the limit of 20000 bytes/)

    const drawing = await ada.imported(slowPicture(500), 'a.svg')
    const made = await ada.run('convert', toPng(drawing))
    assert.deepEqual([made.status, made.result.errorCode], ['failed', 'processing_failed'])
    assert.match(made.result.msg, /^The result is larger than the limit of 20000 bytes/)
  })
})

describe('plans', () => {
  test('are made, shown, changed and deleted, by administrators only', async () => {
    const made = await server.call('POST', PLANS, { name: 'team', minutesPerDay: 60.5, concurrency: 4 })
    assert.equal(made.status, 201)
    assert.deepEqual(made.json, {
      ...{ name: 'team', minutesPerDay: 60.5, minutesPerMonth: null, minutesPerTask: null, concurrency: 4 },
      ...{ maxFileSize: null, ratePerMinute: null, filesHours: null, recordsHours: null, users: 0, builtIn: false },
    })
    assertRefused(await server.call('POST', PLANS, { name: 'team' }), 'conflict', /team/)
    const changed = await server.call('PATCH', `${PLANS}/team`, { minutesPerDay: null, filesHours: 2 })
    assert.deepEqual([changed.json.minutesPerDay, changed.json.filesHours, changed.json.concurrency], [null, 2, 4])
    const names = async () => (await server.call('GET', PLANS)).json.plans.map(({ name }: Shown) => name)
    assert.ok((await names()).includes('team'))

    for (const [method, path] of [
      ['GET', PLANS],
      ['POST', PLANS],
      ['PATCH', `${PLANS}/team`],
      ['DELETE', `${PLANS}/team`],
    ] as const)
      assertRefused(await ada.call(method, path, method === 'GET' ? undefined : { name: 'mine' }), 'forbidden')

    await server.call('PATCH', `/v1/admin/users/${ada.id}`, { plan: 'team' })
    assertRefused(await server.call('DELETE', `${PLANS}/team`), 'conflict', /Somebody has/)
    await server.call('PATCH', `/v1/admin/users/${ada.id}`, { plan: 'unlimited' })
    assert.equal((await server.call('DELETE', `${PLANS}/team`)).status, 200)
    assert.ok(!(await names()).includes('team'))
    assertRefused(await server.call('DELETE', `${PLANS}/team`), 'not_found')
    assertRefused(await server.call('PATCH', `${PLANS}/team`, {}), 'not_found')
  })

  test('of the service itself stay, and nothing wrong gets in', async () => {
    for (const name of ['unlimited', 'guest'])
      assertRefused(await server.call('DELETE', `${PLANS}/${name}`), 'conflict', /always there/)
    assertRefused(await server.call('PATCH', `${PLANS}/unlimited`, { concurrency: 1 }), 'conflict', /no limits/)
    assert.equal((await server.call('PATCH', `${PLANS}/guest`, { minutesPerDay: 5 })).status, 200)
    const wrong = { name: 'No Name', filesHours: 5, recordsHours: 25, concurrency: 1.5, minutesPerDay: -1 }
    const refused = await server.call('POST', PLANS, wrong)
    assertRefused(refused, 'invalid_parameter')
    assert.deepEqual(refused.json.errors.map(({ path }: Shown) => path).sort(), [
      'concurrency',
      'filesHours',
      'minutesPerDay',
      'name',
      'recordsHours',
    ])
  })
})

test('what was refused and what was used is counted for Prometheus', async () => {
  await limit('empty', { minutesPerMonth: 0 })
  const photo = await ada.imported(await picture('webp'), 'a.webp')
  const refused = await ada.call('POST', '/v1/process/convert', toPng(photo))
  assert.deepEqual([refused.status, refused.json.errorCode], [402, 'out_of_conversion_minutes'])
  const text = await (await server.fetch('/metrics')).text()
  assert.match(text, /^reforge_quota_refusals_total\{limit="month",when="asked"\} 1$/m)
  assert.match(text, /^reforge_conversion_minutes_total\{operation="convert"\} (?!0$)[\d.]+$/m)
})
