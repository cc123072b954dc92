/** Several processes as one service, on a real PostgreSQL and a real bucket. More of it: `npm run cluster`. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Agent, fetch } from 'undici'
import { startTown, type Town } from '../cluster/town.ts'
import { missing } from '../peers/process.ts'
import { noSwift } from '../peers/swift.ts'
import { listenTo } from '../support/listener.ts'
import { picture } from '../support/pictures.ts'
import { type Shown, type Steps, stepsOn, taskOf } from '../support/steps.ts'
import { until } from '../support/until.ts'

const noPostgres = missing('PostgreSQL', '/usr/lib/postgresql/15/bin/postgres')

const chain = {
  mine: { operation: 'import/upload' },
  small: { operation: 'convert', input: 'mine', output_format: 'jpg' },
  out: { operation: 'export/url', input: 'small' },
}

describe('many processes', { skip: noPostgres || noSwift }, () => {
  let town: Town
  let here: Steps
  let there: Steps
  before(async () => {
    town = await startTown({ apis: 2, workers: 0, env: { REFORGE_LOG_LEVEL: 'error' } })
    // Two machines that can do different things, and one that only fetches and sends.
    await Promise.all(['sharp', 'repack', 'none'].map((engines) => town.addWorker({ REFORGE_ENGINES: engines })))
    await town.seen(3)
    here = stepsOn(town.apis[0]!.server())
    there = stepsOn(town.apis[1]!.server())
  })
  after(async () => await town?.[Symbol.asyncDispose]())

  test('a job that one node accepted is uploaded to at another, and told on a socket of any', async () => {
    using socket = await listenTo(town.apis[1]!.server())
    const job = await here.create('jobs', { tasks: chain })
    await socket.subscribe(`job.${job.id}`)
    const bytes = await picture('png', 300, 200)
    // The form names the node that wrote it; another takes it as well.
    const task = structuredClone(taskOf(job, 'mine'))
    const { form } = task.result
    form.url = form.url.replace(town.apis[0]!.node().url, town.apis[1]!.node().url)
    await there.send(task, bytes)
    await socket.hear('job_completed', job.id)
    const lines = socket.lines().filter((line) => line.startsWith('task_completed'))
    assert.deepEqual(lines, ['task_completed mine', 'task_completed small', 'task_completed out'])
    const url = taskOf(await there.ended('jobs', job.id), 'out').result.url
    const elsewhere = url.replace(town.apis[1]!.node().url, town.apis[0]!.node().url)
    assert.ok((await here.download(elsewhere)).length > 0)
  })

  test('formats are those of all workers together, and each task finds the one that can do it', async () => {
    const { json } = await town.apis[0]!.server().call('GET', '/health')
    const ready = json.engines.filter((engine: Shown) => engine.ready).map((engine: Shown) => engine.id)
    assert.deepEqual(ready.sort(), ['repack', 'sharp'])
    const photo = await here.imported(await picture('png', 64, 48))
    const done = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 ? here : there).done('convert', { input: photo.id, output_format: index % 3 ? 'jpg' : 'webp' }),
      ),
    )
    for (const task of done) assert.equal(task.result.route[0].engine, 'sharp')
    const refused = await town.apis[1]!.server().call('POST', '/v1/process/convert', {
      input: photo.id,
      output_format: 'docx',
    })
    assert.equal(refused.status, 400)
  })

  test('what a worker that leaves could do leaves with it, and comes back with another', async () => {
    const outputs = async () =>
      (await town.apis[1]!.server().call('GET', '/v1/query/formats/convert?input_format=png')).json.formats.length
    const before = await outputs()
    const [sharp] = town.workers
    await sharp!.stop('SIGTERM')
    await until(async () => (await outputs()) < before, 'the formats are gone')
    await sharp!.start()
    await until(async () => (await outputs()) === before, 'the formats are there again')
  })

  test('a worker answers for its health and nothing else', async () => {
    const { url } = town.workers[2]!.node()
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
    const headers = { authorization: `Bearer ${town.apis[0]!.server().key}` }
    const ask = async (path: string) => (await fetch(url + path, { headers, dispatcher })).status
    const answers = await Promise.all(['/health', '/metrics', '/v1/process/jobs', '/docs'].map(ask))
    assert.deepEqual(answers, [200, 200, 404, 404])
    await dispatcher.destroy()
  })
})
