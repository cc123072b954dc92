/** Lists and single records: filters, pages, and what `include` adds. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { dataUri, picture, sign } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { type Shown, stepsOn } from '../support/steps.ts'

const photo = await picture('png', 16, 16)
const server = await startServer()
after(() => server[Symbol.asyncDispose]())
const { create, ended, run } = stepsOn(server)

const get = async (path: string): Promise<Shown> => (await server.call('GET', `/v1/process/${path}`)).json
const idsOf = ({ docs }: Shown): string[] => docs.map(({ id }: Shown) => id)

const source = { operation: 'import/base64', file: dataUri(photo), filename: 'a.png' }
const jobs: Shown[] = []
for (const tag of ['red', 'red', 'redder'])
  jobs.push(await create('jobs', { tag, tasks: { a: source, b: { operation: 'compress', input: 'a' } } }))
const stuck = await create('jobs', {
  tag: '50% off_x',
  tasks: { a: { operation: 'import/upload' }, b: { operation: 'compress', input: 'a' } },
})
const broken = await create('jobs', {
  tasks: { a: source, b: { operation: 'convert', input: 'a', input_format: 'gif', output_format: 'jpg' } },
})
for (const job of [...jobs, broken]) await ended('jobs', job.id)
const canceled = await create('import/upload')
await server.call('POST', `/v1/process/tasks/${canceled.id}/cancel`)
const lone = await run('import/base64', { file: source.file, filename: 'lone.png' })
const everyJob = [broken, stuck, ...jobs.toReversed()].map(({ id }) => id)

describe('lists', () => {
  test('are newest first, with the whole envelope', async () => {
    const { docs, ...envelope } = await get('jobs')
    assert.deepEqual(
      docs.map(({ id }: Shown) => id),
      everyJob,
    )
    assert.deepEqual(envelope, {
      totalDocs: 5,
      limit: 50,
      totalPages: 1,
      page: 1,
      pagingCounter: 1,
      hasPrevPage: false,
      hasNextPage: false,
      prevPage: null,
      nextPage: null,
    })
  })

  test('come in pages', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => get(`jobs?per_page=2&page=${page}`)))
    assert.deepEqual(pages.flatMap(idsOf), everyJob)
    const { docs: _, ...second } = pages[1]
    assert.deepEqual(second, {
      totalDocs: 5,
      limit: 2,
      totalPages: 3,
      page: 2,
      pagingCounter: 3,
      hasPrevPage: true,
      hasNextPage: true,
      prevPage: 1,
      nextPage: 3,
    })
    assert.deepEqual([pages[2].hasNextPage, pages[2].nextPage], [false, null])
  })

  test('are empty past the end', async () => {
    const past = await get('jobs?per_page=2&page=9')
    assert.deepEqual(past.docs, [])
    assert.deepEqual([past.totalDocs, past.totalPages, past.page, past.pagingCounter], [5, 3, 9, 17])
    assert.deepEqual([past.hasPrevPage, past.hasNextPage, past.nextPage], [true, false, null])
    const nothing = await get('jobs?tag=nobody')
    assert.deepEqual([nothing.totalDocs, nothing.totalPages, nothing.hasPrevPage], [0, 1, false])
  })

  test('of tasks filter by status', async () => {
    assert.deepEqual(idsOf(await get('tasks?status=canceled')), [canceled.id])
    assert.deepEqual(idsOf(await get('tasks?status=processing')), [stuck.tasks[0].id])
    assert.deepEqual(idsOf(await get('tasks?status=created')), [stuck.tasks[1].id])
    assert.deepEqual(idsOf(await get('tasks?status=failed')), [broken.tasks[1].id])
    assert.equal((await get('tasks?status=completed')).totalDocs, 8)
    const { docs, totalDocs } = await get('tasks?status=deleted')
    assert.deepEqual([docs, totalDocs], [[], 0])
  })

  test('of tasks filter by operation and job, and by all at once', async () => {
    assert.equal((await get('tasks?operation=import/base64')).totalDocs, 5)
    assert.equal((await get('tasks?operation=import%2Fbase64')).totalDocs, 5)
    assert.deepEqual(idsOf(await get(`tasks?job=${stuck.id}`)).sort(), stuck.tasks.map(({ id }: Shown) => id).sort())
    assert.deepEqual(idsOf(await get(`tasks?job=${jobs[0].id}&operation=compress&status=completed`)), [
      jobs[0].tasks[1].id,
    ])
    assert.equal((await get('tasks?job=nothing')).totalDocs, 0)
    assert.equal((await get('tasks?operation=paint')).totalDocs, 0)
  })

  test('of jobs filter by status and by the whole tag', async () => {
    assert.deepEqual(idsOf(await get('jobs?tag=red')), [jobs[1].id, jobs[0].id])
    assert.deepEqual(idsOf(await get('jobs?tag=50%25%20off_x')), [stuck.id])
    assert.deepEqual(idsOf(await get('jobs?status=failed')), [broken.id])
    assert.deepEqual(idsOf(await get('jobs?status=created')), [stuck.id])
    assert.deepEqual(idsOf(await get('jobs?status=completed&tag=redder')), [jobs[2].id])
    assert.deepEqual(idsOf(await get('jobs?status=processing')), [])
  })

  test('of jobs show their tasks only when asked', async () => {
    for (const job of (await get('jobs')).docs) assert.equal('tasks' in job, false)
    const withTasks = await get('jobs?include=tasks&tag=redder')
    assert.deepEqual(withTasks.docs[0], await get(`jobs/${jobs[2].id}`))
    assert.deepEqual(
      withTasks.docs[0].tasks.map(({ name }: Shown) => name),
      ['a', 'b'],
    )
  })

  test('of tasks show payload, result and status', async () => {
    const [task] = (await get(`tasks?job=${jobs[0].id}&operation=compress`)).docs
    assert.deepEqual(task.payload, { input: 'a' })
    assert.equal(task.result.format, 'png')
    assert.equal(task.status, 'completed')
    assert.equal(task.job, jobs[0].id)
  })

  test('ignore parameters they do not know', async () => {
    assert.equal((await server.call('GET', '/v1/process/tasks?colour=red&per_page=200')).status, 200)
  })
})

describe('a single task', () => {
  const id = jobs[0].tasks[1].id

  test('comes without its payload, and with the id of its job', async () => {
    const task = await get(`tasks/${id}`)
    assert.equal('payload' in task, false)
    assert.equal(task.job, jobs[0].id)
  })

  test('comes with payload and job when asked', async () => {
    const both = await get(`tasks/${id}?include=payload,job`)
    assert.deepEqual(both.payload, { input: 'a' })
    const { tasks: _, ...job } = await get(`jobs/${jobs[0].id}`)
    assert.deepEqual(both.job, job)
    assert.deepEqual((await get(`tasks/${id}?include=job,%20payload`)).payload, both.payload)
    assert.equal('payload' in (await get(`tasks/${id}?include=job`)), false)
    assert.equal((await get(`tasks/${id}?include=`)).job, jobs[0].id)
  })

  test('outside any job has none, and is named by its operation', async () => {
    const task = await get(`tasks/${lone.id}?include=job`)
    assert.deepEqual([task.job, task.name], [null, 'import/base64'])
  })

  test('is answered to HEAD without a body', async () => {
    const answer = await server.call('HEAD', `/v1/process/tasks/${id}`)
    assert.deepEqual([answer.status, answer.text], [200, ''])
  })
})

test('the account tells who and how much', async () => {
  const { json } = await server.call('GET', '/v1/account/me')
  assert.equal(json.id, lone.user)
  assert.equal(json.email, 'admin@localhost')
  assert.equal(typeof json.plan.name, 'string')
  assert.ok(json.minutes.used > 0)
  assert.equal(json.minutes.limit, null)
  assert.ok(Date.parse(json.minutes.resetsAt) > Date.now())
  assert.deepEqual(Object.keys(json.limits).sort(), ['concurrency', 'maxFileSize', 'ratePerMinute'])
})

describe('format queries', () => {
  const formats = async (query: string): Promise<string[]> =>
    (await server.call('GET', `/v1/query/formats${query}`, undefined, { authorization: '' })).json.formats.map(
      ({ ext }: Shown) => ext,
    )

  test('list everything, what an input becomes, and what becomes an output', async () => {
    assert.ok((await formats('')).includes('svg'))
    assert.ok((await formats('/convert?input_format=png')).includes('jpg'))
    assert.ok((await formats('/convert?output_format=jpg')).includes('svg'))
    assert.equal((await formats('/convert?input_format=png')).includes('html'), false)
    assert.deepEqual(await formats('/convert?output_format=*'), await formats('/convert'))
    assert.ok((await formats('/convert?input_format=*')).includes('jpg'))
    assert.ok((await formats('/merge?output_format=gif')).includes('png'))
    assert.ok((await formats('/crop?input_format=jpg')).includes('jpg'))
  })

  test('take aliases, capitals and a dot, and know nothing of the unknown', async () => {
    const png = await formats('/convert?input_format=png')
    assert.deepEqual(await formats('/convert?input_format=PNG'), png)
    assert.deepEqual(await formats('/convert?input_format=jpeg'), await formats('/convert?input_format=jpg'))
    const { json } = await server.call('GET', '/v1/query/formats')
    const others: [string, string][] = json.formats.flatMap(({ ext, aliases = [] }: Shown) =>
      aliases.map((alias: string) => [alias, ext]),
    )
    const known = Object.fromEntries(others)
    const common = ['mpeg', 'htm', 'heif', 'rmvb', 'tif', 'jpeg', 'midi'].map((alias) => known[alias])
    assert.deepEqual(common, ['mpg', 'html', 'heic', 'rm', 'tiff', 'jpg', 'mid'])
    for (const [alias, ext] of others)
      assert.deepEqual(await formats(`/convert?input_format=${alias}`), await formats(`/convert?input_format=${ext}`))
    assert.deepEqual(await formats('/convert?input_format=xyz'), [])
    assert.deepEqual(await formats('/trim?output_format=nothing'), [])
    assert.deepEqual(await formats('/convert?input_format=__proto__'), [])
  })

  test('never promise what a conversion then refuses', async () => {
    // With words on it, since reading them is one of the promises.
    const task = await run('import/base64', { file: dataUri(await sign('Reforge')), filename: 'sign.png' })
    for (const ext of await formats('/convert?input_format=png')) {
      const made = await run('convert', { input: task.id, output_format: ext })
      assert.equal(made.status, 'completed', `${ext}: ${made.result.msg}`)
      assert.equal(made.result.format, ext)
    }
  })

  test('hold where one engine goes on with what another has made', async () => {
    const webp = await sharp(await sign('Reforge'))
      .webp()
      .toBuffer()
    const task = await run('import/base64', { file: dataUri(webp), filename: 'sign.webp' })
    const made = await run('convert', { input: task.id, output_format: 'txt' })
    assert.equal(made.status, 'completed', made.result.msg)
  })

  test('describe the options of a pair as the specification says', async () => {
    const { json } = await server.call('GET', '/v1/query/options/convert?input_format=jpeg&output_format=PNG')
    assert.deepEqual([json.sourceExt, json.targetExt, json.operation], ['jpg', 'png', 'convert'])
    for (const option of json.options) {
      assert.equal(typeof option.hint, 'string')
      assert.match(option.data_type, /^(boolean|string|integer|number)$/)
      assert.equal(typeof option.default_value, 'string')
      assert.ok(Array.isArray(option.conditions))
      assert.equal(option.type === 'enum', Array.isArray(option.enum_values))
    }
    const names = json.options.map(({ name }: Shown) => name)
    for (const name of ['strip', 'auto-orient', 'background', 'image_custom_width', 'png_compression_level'])
      assert.ok(names.includes(name), name)
  })

  test('show for jpg to pdf what the specification shows', async () => {
    const { json } = await server.call('GET', '/v1/query/options/convert?input_format=jpg&output_format=pdf')
    const found = (name: string): Shown => json.options.find((option: Shown) => option.name === name)
    // "Strips profiles, EXIF and comments to reduce size."
    assert.deepEqual([found('strip').data_type, found('strip').default_value], ['boolean', 'true'])
    // "Values include `same-as-image`, `1240.2x1753.95` (A4) and `1753.95x2480.25` (A3); the list continues."
    const size = found('pdf_page_size')
    assert.deepEqual([size.data_type, size.type, size.default_value], ['string', 'enum', ''])
    const values = size.enum_values.map(({ value }: Shown) => value)
    const hints = new Map(size.enum_values.map(({ value, hint }: Shown) => [value, hint]))
    for (const [value, hint] of [
      ['same-as-image', 'Same as image'],
      ['1240.2x1753.95', 'A4'],
      ['1753.95x2480.25', 'A3'],
    ] as const)
      assert.equal(hints.get(value), hint)
    // "Condition: `pdf_page_size` required, with one of the listed page-size values."
    const enlarge = found('enlarge_images_to_fit')
    assert.deepEqual([enlarge.data_type, enlarge.default_value], ['boolean', 'true'])
    assert.deepEqual(
      enlarge.conditions.map(({ name, required }: Shown) => [name, required]),
      [['pdf_page_size', true]],
    )
    const meta = enlarge.conditions[0].meta.map(({ value }: Shown) => value)
    assert.deepEqual(
      meta,
      values.filter((value: string) => value !== 'same-as-image'),
    )
  })

  test('tell which engines a task may name, and the options of the one that is named', async () => {
    const pair = '/v1/query/options/convert?input_format=pdf&output_format=pdf'
    const usual = (await server.call('GET', pair)).json
    assert.deepEqual(
      usual.engines.map(({ value }: Shown) => value),
      ['pdf-tools', 'tesseract'],
    )
    assert.ok(usual.options.every(({ name }: Shown) => name !== 'ocr_language'))
    const { json } = await server.call('GET', `${pair}&engine=tesseract`)
    assert.deepEqual([json.sourceExt, json.targetExt, json.operation], ['pdf', 'pdf', 'convert'])
    assert.ok(json.options.some(({ name }: Shown) => name === 'ocr_language'))
    for (const [engine, message] of [
      ['nobody', /must be one of .*tesseract/],
      ['gifsicle', /gifsicle cannot convert these formats. Possible: pdf-tools, tesseract\./],
    ] as const) {
      const refused = await server.call('GET', `${pair}&engine=${engine}`)
      assert.equal(refused.status, 400)
      assert.equal(refused.json.errors[0].path, 'engine')
      assert.match(refused.json.errors[0].message, message)
    }
  })
})

test('a task that waits for a worker tells how many do so before it', async () => {
  // Nobody here converts.
  await using idle = await startServer({ env: { REFORGE_LANES: 'io' } })
  const steps = stepsOn(idle)
  const { id: input } = await steps.imported(photo)
  await steps.create('convert', { input, output_format: 'jpg' })
  const { id } = await steps.create('convert', { input, output_format: 'jpg' })
  const shown = (await idle.call('GET', `/v1/process/tasks/${id}`)).json
  assert.deepEqual([shown.status, shown.ahead], ['created', 1])
  const job = await steps.create('jobs', { tasks: { a: { operation: 'convert', input, output_format: 'webp' } } })
  assert.equal((await idle.call('GET', `/v1/process/jobs/${job.id}`)).json.tasks[0].ahead, 2)
  await idle.call('POST', `/v1/process/tasks/${id}/cancel`)
  assert.equal((await idle.call('GET', `/v1/process/tasks/${id}`)).json.ahead, undefined)
})
