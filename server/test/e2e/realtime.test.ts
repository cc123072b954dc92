/** Events over socket.io: who is told what, in which order, and who is told nothing. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { listenTo } from '../support/listener.ts'
import { dataUri, picture } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { stepsOn, taskOf } from '../support/steps.ts'

const photo = await picture('png', 64, 48)
const server = await startServer()
after(() => server[Symbol.asyncDispose]())
const { create, ended, send, run, imported } = stepsOn(server)
const other = await server.otherKey('eve@example.org')
const { id: user } = (await server.call('GET', '/v1/account/me')).json

const chain = {
  mine: { operation: 'import/upload' },
  small: { operation: 'convert', input: 'mine', output_format: 'jpg' },
  out: { operation: 'export/url', input: 'small' },
}

describe('what is told', () => {
  test("each event once, the tasks' before the job's, the data as the API shows it", async () => {
    using socket = await listenTo(server)
    const job = await create('jobs', { tasks: chain })
    // Three ways to hear of the same: still each once.
    for (const channel of [`job.${job.id}`, `task.${taskOf(job, 'out').id}`, `user.${user}.jobs`])
      assert.deepEqual(await socket.subscribe(channel), { ok: true })
    await send(taskOf(job, 'mine'), photo)
    const told = await socket.hear('job_completed', job.id)
    assert.deepEqual(
      socket.lines().filter((line) => !line.startsWith('task_min_update')),
      [
        'job_started job',
        'task_started mine',
        'task_completed mine',
        'task_started small',
        'task_completed small',
        'task_started out',
        'task_completed out',
        'job_completed job',
      ],
    )
    const shown = (await server.call('GET', `/v1/process/jobs/${job.id}`)).json
    assert.deepEqual(told, shown)
    const out = (await server.call('GET', `/v1/process/tasks/${taskOf(job, 'out').id}?include=payload`)).json
    assert.deepEqual(await socket.hear('task_completed', out.id), out)
  })

  test('before job_failed come the events of the failed task and of all that hang on it', async () => {
    using socket = await listenTo(server)
    const tasks = { ...chain, small: { ...chain.small, input_format: 'gif' } }
    const job = await create('jobs', { tasks })
    await socket.subscribe(`job.${job.id}`)
    await send(taskOf(job, 'mine'), photo)
    const failed = await socket.hear('job_failed', job.id)
    assert.equal(failed.result.errorCode, 'task_failed')
    assert.deepEqual(socket.lines().slice(-3), ['task_failed small', 'task_failed out', 'job_failed job'])
  })

  test('cancel and delete are told too', async () => {
    using socket = await listenTo(server)
    const job = await create('jobs', { tasks: chain })
    await socket.subscribe(`job.${job.id}`)
    await server.call('POST', `/v1/process/tasks/${taskOf(job, 'mine').id}/cancel`)
    assert.equal((await socket.hear('job_failed')).result.errorCode, 'task_canceled')
    assert.equal(socket.lines()[0], 'task_canceled mine')
    await server.call('DELETE', `/v1/process/jobs/${job.id}`)
    await socket.hear('job_deleted', job.id)
    assert.equal(socket.lines().filter((line) => line.startsWith('task_deleted')).length, 3)
  })

  test("the user's channels carry job events only, and task events only", async () => {
    using jobs = await listenTo(server)
    using tasks = await listenTo(server)
    assert.deepEqual(await jobs.subscribe(`user.${user}.jobs`), { ok: true })
    assert.deepEqual(await tasks.subscribe(`user.${user}.tasks`), { ok: true })
    const job = await create('jobs', {
      tasks: { a: { operation: 'import/base64', file: dataUri(photo), filename: 'a.png' } },
    })
    const lone = await imported(photo)
    await jobs.hear('job_completed', job.id)
    await tasks.hear('task_completed', lone.id)
    await tasks.hear('task_completed', job.tasks[0].id)
    assert.deepEqual(jobs.lines(), ['job_created job', 'job_started job', 'job_completed job'])
    assert.ok(tasks.heard.every(({ event }) => event.startsWith('task_')))
  })

  test('who subscribes late is told the final event, once', async () => {
    const job = await create('jobs', {
      tasks: { a: { operation: 'import/base64', file: dataUri(photo), filename: 'a.png' } },
    })
    await ended('jobs', job.id)
    const failed = await run('convert', { input: job.tasks[0].id, input_format: 'gif', output_format: 'jpg' })
    using socket = await listenTo(server)
    await socket.subscribe(`job.${job.id}`)
    await socket.subscribe(`task.${job.tasks[0].id}`)
    await socket.subscribe(`task.${failed.id}`)
    await socket.subscribe(`job.${job.id}`)
    assert.deepEqual(
      socket.heard.map(({ event, data }) => [event, data.id]),
      [
        ['job_completed', job.id],
        ['task_completed', job.tasks[0].id],
        ['task_failed', failed.id],
      ],
    )
  })

  test('who has unsubscribed is told nothing more', async () => {
    using socket = await listenTo(server)
    using witness = await listenTo(server)
    const upload = await create('import/upload')
    await socket.subscribe(`task.${upload.id}`)
    await witness.subscribe(`task.${upload.id}`)
    assert.deepEqual(await socket.unsubscribe(`task.${upload.id}`), { ok: true })
    await send(upload, photo)
    await witness.hear('task_completed', upload.id)
    // An answer to a later question comes after whatever would have been told before it.
    await socket.unsubscribe(`task.${upload.id}`)
    assert.deepEqual(socket.heard, [])
  })
})

describe('who is refused', () => {
  for (const [what, token] of [
    ['no key', ''],
    ['a wrong key', 'Bearer rf_live_wrong'],
    ['a key without Bearer', server.key],
  ] as const)
    test(`${what}, at the handshake`, async () => {
      await assert.rejects(listenTo(server, token), /access token|Authorization/)
    })

  test('a key that may not read tasks, at the handshake', async () => {
    const key = await server.otherKey('narrow@example.org', 'account')
    await assert.rejects(listenTo(server, `Bearer ${key}`), /tasks:read/)
  })

  test("another user, from somebody's job, task and user channels", async () => {
    const job = await create('jobs', { tasks: chain })
    using eve = await listenTo(server, `Bearer ${other}`)
    for (const channel of [`job.${job.id}`, `task.${job.tasks[0].id}`, `user.${user}.jobs`, `user.${user}.tasks`]) {
      const answer = await eve.subscribe(channel)
      assert.equal(answer.ok, false, channel)
      assert.match(answer.error ?? '', /not found|not yours/)
    }
    await send(taskOf(job, 'mine'), photo)
    await ended('jobs', job.id)
    await eve.subscribe('nothing')
    assert.deepEqual(eve.heard, [])
  })

  for (const channel of [
    'job.000000000000000000000000',
    'job.',
    'job',
    '',
    'task.*',
    'user',
    `user.${user}`,
    `user.${user}.jobs.more`,
    `job.${user}.x`,
    42,
    null,
    { job: 1 },
    ['job.x'],
  ])
    test(`a channel ${JSON.stringify(channel).replace(user, '{user}')} that does not exist, with the reason`, async () => {
      using socket = await listenTo(server)
      const answer = await socket.subscribe(channel)
      assert.equal(answer.ok, false)
      assert.match(answer.error ?? '', /not found|There is no channel|one string/)
    })
})
