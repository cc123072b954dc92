/** Everything a caller can get wrong, and the answer: the right status, the field by its path, and how to do better. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { FormData } from 'undici'
import { dataUri, picture } from '../support/pictures.ts'
import { rawAnswer } from '../support/raw-request.ts'
import { assertRefused } from '../support/refusal.ts'
import { startServer } from '../support/server.ts'
import { formOf, stepsOn } from '../support/steps.ts'

const photo = await picture('png', 32, 32)
const server = await startServer({ env: { REFORGE_MAX_FILE_SIZE: '1MB' } })
after(() => server[Symbol.asyncDispose]())
const { create, imported, run, post, send } = stepsOn(server)
const png = await imported(photo)
const upload = await create('import/upload')
const failed = await run('convert', { input: png.id, input_format: 'gif', output_format: 'jpg' })
const canceled = await create('import/upload')
await server.call('POST', `/v1/process/tasks/${canceled.id}/cancel`)
const NOBODY = '0123456789abcdef01234567'

interface Case {
  what: string
  /** `METHOD path` */
  ask: string
  body?: unknown
  headers?: Record<string, string>
  code: string
  /** The message must say this. */
  says: RegExp
  /** `errors` must name this path. */
  at?: string
}

const BAD = 'invalid_parameter'
const bad = (what: string, ask: string, body: unknown, at: string | undefined, says: RegExp): Case => ({
  what,
  ask,
  body,
  code: BAD,
  says,
  ...(at !== undefined && { at }),
})

function check(cases: readonly Case[]): void {
  for (const { what, ask, body, headers, code, says, at } of cases)
    test(what, async () => {
      const [method = '', path = ''] = ask.split(' ')
      assertRefused(await server.call(method, path, body, headers), code, says, at)
    })
}

const JOBS = 'POST /v1/process/jobs'
const CONVERT = 'POST /v1/process/convert'
const BASE64 = 'POST /v1/process/import/base64'
const URL = 'POST /v1/process/import/url'
const MERGE = 'POST /v1/process/merge'
const EXPORT = 'POST /v1/process/export/url'
const task = (more: object) => ({ tasks: { a: { operation: 'import/upload' }, b: { input: 'a', ...more } } })
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('a body that cannot be read', () => {
  check([
    bad('broken JSON', JOBS, '{"tasks": {', undefined, /not valid JSON/),
    bad('JSON with a comma too many', CONVERT, '{"input": "a",}', undefined, /not valid JSON/),
    bad('a bare word', JOBS, 'tasks', undefined, /not valid JSON/),
    bad('a list instead of an object', JOBS, [], '', /must be a JSON object/),
    bad('a string instead of an object', JOBS, '"tasks"', '', /must be a JSON object/),
    bad('null instead of an object', JOBS, 'null', '', /must be a JSON object/),
    bad('a number for a task', CONVERT, '7', '', /must be a JSON object/),
    bad('nothing at all where something is needed', JOBS, undefined, '', /must be a JSON object/),
    bad('an empty body where fields are needed', CONVERT, '', 'input', /input: is required/),
    {
      ...bad('a form where JSON is needed', JOBS, 'tasks=a', 'Content-Type', /must be JSON/),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    {
      ...bad('text where JSON is needed', CONVERT, '{}', 'Content-Type', /must be JSON/),
      headers: { 'content-type': 'text/plain' },
    },
    {
      ...bad('XML where JSON is needed', EXPORT, '<a/>', 'Content-Type', /must be JSON/),
      headers: { 'content-type': 'application/xml' },
    },
    {
      ...bad('a multipart body where JSON is needed', CONVERT, '--x--', 'Content-Type', /must be JSON/),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    },
    {
      ...bad(
        'the file sent to import/upload itself',
        'POST /v1/process/import/upload',
        '--x--',
        'Content-Type',
        /JSON/,
      ),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    },
    bad('JSON nested a million deep', JOBS, deep(1_000_000), undefined, /JSON|deep/),
    bad('JSON nested five thousand deep', JOBS, `{"tasks":{"a":${deep(5000)}}}`, undefined, /operation|JSON|deep/),
    bad(
      'options nested two thousand deep',
      CONVERT,
      `{"input":"${png.id}","output_format":"jpg","options":${deep(2000)}}`,
      undefined,
      /options/,
    ),
    {
      what: 'a body larger than any job',
      ask: JOBS,
      body: JSON.stringify({ tag: 'x'.repeat(33 * 1024 * 1024) }),
      code: 'too_large',
      says: /too large/,
    },
  ])
})

describe('a job that makes no sense', () => {
  check([
    bad('no tasks', JOBS, {}, 'tasks', /tasks: is required/),
    bad('empty tasks', JOBS, { tasks: {} }, 'tasks', /at least one task/),
    bad('tasks as a list', JOBS, { tasks: [] }, 'tasks', /must be a JSON object/),
    bad('tasks as a string', JOBS, { tasks: 'convert' }, 'tasks', /must be a JSON object/),
    bad('tasks null', JOBS, { tasks: null }, 'tasks', /required/),
    bad('a task that is a string', JOBS, { tasks: { a: 'convert' } }, 'tasks.a', /tasks\.a: must be a JSON object/),
    bad('a task that is a list', JOBS, { tasks: { a: [] } }, 'tasks.a', /must be a JSON object/),
    bad('a task that is null', JOBS, { tasks: { a: null } }, 'tasks.a', /must be a JSON object/),
    bad('no operation', JOBS, { tasks: { a: {} } }, 'tasks.a.operation', /is required.*import\/upload/),
    bad('a misspelt operation', JOBS, task({ operation: 'covnert' }), 'tasks.b.operation', /Did you mean convert\?/),
    bad('an operation of another kind', JOBS, task({ operation: 'toString' }), 'tasks.b.operation', /must be one of/),
    bad('an operation that is a number', JOBS, task({ operation: 1 }), 'tasks.b.operation', /must be one of/),
    bad(
      'a name with a space',
      JOBS,
      { tasks: { 'a b': { operation: 'import/upload' } } },
      'tasks.a b',
      /letters, digits/,
    ),
    bad(
      'a name with a dot',
      JOBS,
      { tasks: { 'a.b': { operation: 'import/upload' } } },
      'tasks.a.b',
      /letters, digits/,
    ),
    bad(
      'a name with a slash',
      JOBS,
      { tasks: { '../a': { operation: 'import/upload' } } },
      'tasks.../a',
      /letters, digits/,
    ),
    bad('a name in Greek', JOBS, { tasks: { αβγ: { operation: 'import/upload' } } }, 'tasks.αβγ', /letters, digits/),
    bad('an empty name', JOBS, { tasks: { '': { operation: 'import/upload' } } }, undefined, /letters, digits/),
    bad(
      'a name without end',
      JOBS,
      { tasks: { ['a'.repeat(101)]: { operation: 'import/upload' } } },
      undefined,
      /named/,
    ),
    bad(
      'a tag that is no string',
      JOBS,
      { tag: 5, ...task({ operation: 'compress' }) },
      'tag',
      /tag: must be a string/,
    ),
    bad('a tag without end', JOBS, { tag: 'x'.repeat(1001), ...task({ operation: 'compress' }) }, 'tag', /1000/),
    bad(
      'a task that takes from itself',
      JOBS,
      { tasks: { a: { operation: 'compress', input: 'a' } } },
      'tasks.a.input',
      /"a" is the task itself/,
    ),
    bad(
      'tasks that go in a circle',
      JOBS,
      {
        tasks: {
          a: { operation: 'compress', input: 'c' },
          b: { operation: 'compress', input: 'a' },
          c: { operation: 'compress', input: 'b' },
        },
      },
      'tasks.a.input',
      /circle: a → c → b → a/,
    ),
    bad(
      'an input nobody is named',
      JOBS,
      { tasks: { a: { operation: 'compress', input: 'nobody' } } },
      'tasks.a.input',
      /"nobody" is neither a task of this job/,
    ),
    bad(
      'more tasks than a job may have',
      JOBS,
      { tasks: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`t${n}`, { operation: 'import/upload' }])) },
      'tasks',
      /at most 500 tasks; there are 501/,
    ),
    bad(
      'a prototype where a task is wanted',
      JOBS,
      '{"tasks":{"__proto__":{"operation":"import/upload"}}}',
      'tasks',
      /at least one task/,
    ),
    bad(
      'an input named as what every object has',
      JOBS,
      task({ operation: 'compress', input: 'constructor' }),
      'tasks.b.input',
      /constructor/,
    ),
    bad(
      'all problems of all tasks at once',
      JOBS,
      {
        tasks: {
          a: { operation: 'import/url', url: 'ftp://x/y' },
          b: { operation: 'convert', input: 'a' },
          c: { operation: 'export/url', input: ['b', 'zzz'], archive_multiple_files: 'maybe' },
        },
      },
      'tasks.c.archive_multiple_files',
      /tasks\.a\.url.*tasks\.b\.output_format.*tasks\.c\.archive_multiple_files.*zzz/,
    ),
  ])
})

describe('a task that makes no sense', () => {
  check([
    bad('convert of nothing', CONVERT, { output_format: 'jpg' }, 'input', /input: is required/),
    bad('convert to nothing', CONVERT, { input: png.id }, 'output_format', /output_format: is required/),
    bad(
      'convert to a format nobody makes',
      CONVERT,
      { input: png.id, output_format: 'pngg' },
      'output_format',
      /Did you mean png/,
    ),
    bad('convert to a number', CONVERT, { input: png.id, output_format: 5 }, 'output_format', /must be a string/),
    bad('an unknown input', CONVERT, { input: NOBODY, output_format: 'jpg' }, 'input', new RegExp(NOBODY)),
    bad('an input that is no id', CONVERT, { input: 'mine', output_format: 'jpg' }, 'input', /"mine" is not the id/),
    bad('an input that is a number', CONVERT, { input: 5, output_format: 'jpg' }, 'input', /input: must be a string/),
    bad('an empty input', CONVERT, { input: '', output_format: 'jpg' }, 'input', /not empty/),
    bad('an empty list of inputs', EXPORT, { input: [] }, 'input', /list of strings/),
    bad('inputs that are no strings', EXPORT, { input: [1, 2] }, 'input', /list of strings/),
    bad('the operation itself as input', CONVERT, { input: 'convert', output_format: 'jpg' }, 'input', /"convert"/),
    bad('an input that has failed', EXPORT, { input: failed.id }, 'input', new RegExp(`"${failed.id}" has failed`)),
    bad(
      'an input that was canceled',
      EXPORT,
      { input: canceled.id },
      'input',
      new RegExp(`"${canceled.id}" was canceled`),
    ),
    bad('a merge of one', MERGE, { input: png.id, output_format: 'gif' }, 'input', /2 or more/),
    bad('a merge of nothing', MERGE, { output_format: 'gif' }, 'input', /2 or more/),
    bad('a merge to nothing', MERGE, { input: [png.id, png.id] }, 'output_format', /required/),
    bad(
      'an engine that is not there',
      CONVERT,
      { input: png.id, output_format: 'jpg', engine: 'magic' },
      'engine',
      /sharp/,
    ),
    bad('options as a list', CONVERT, { input: png.id, output_format: 'jpg', options: [] }, 'options', /JSON object/),
    bad(
      'options as a string',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: 'a=b' },
      'options',
      /JSON object/,
    ),
    bad(
      'a misspelt option',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { qualty: 5 } },
      'options.qualty',
      /Did you mean quality\? Valid options: .*strip|Valid options: .*strip.*Did you mean quality/,
    ),
    bad(
      'an option out of range',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { quality: 101 } },
      'options.quality',
      /from 1 to 100/,
    ),
    bad(
      'an option of another type',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { quality: 'high' } },
      'options.quality',
      /a whole number/,
    ),
    bad(
      'half an option',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { quality: 50.5 } },
      'options.quality',
      /a whole number/,
    ),
    bad(
      'a choice that is none',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { resize_type_image: 'huge' } },
      'options.resize_type_image',
      /one of keep_original, dimension, percentage/,
    ),
    bad(
      'a flag that is neither',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { strip: 'perhaps' } },
      'options.strip',
      /true or false/,
    ),
    bad(
      'a colour that is none',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { background: 'red; rm' } },
      'options.background',
      /#RRGGBB/,
    ),
    bad(
      'a list where one value is wanted',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { quality: [80] } },
      'options.quality',
      /single value/,
    ),
    bad(
      'an option at odds with another',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { resize_type_image: 'percentage', image_custom_width: 5 } },
      'options.image_custom_width',
      /resize_type_image must then be dimension/,
    ),
    bad(
      'all wrong options at once',
      CONVERT,
      { input: png.id, output_format: 'jpg', options: { quality: 0, strip: 2, nothing: 1 } },
      'options.strip',
      /options\.quality.*options\.strip|options\.nothing.*options\.quality/,
    ),
    bad(
      'a wrong option in a job, known from the formats of the tasks before it',
      JOBS,
      {
        tasks: {
          a: { operation: 'convert', input: png.id, output_format: 'webp' },
          b: { operation: 'convert', input: 'a', output_format: 'jpg', options: { quality: -1 } },
        },
      },
      'tasks.b.options.quality',
      /tasks\.b\.options\.quality/,
    ),
    bad('a filename that is no string', EXPORT, { input: png.id, filename: {} }, 'filename', /must be a string/),
    bad('a filename without end', EXPORT, { input: png.id, filename: 'x'.repeat(1001) }, 'filename', /1000/),
    bad(
      'a flag that is no flag',
      EXPORT,
      { input: png.id, archive_multiple_files: 1 },
      'archive_multiple_files',
      /true or false/,
    ),
  ])
})

describe('an import that makes no sense', () => {
  check([
    bad('base64 of nothing', BASE64, { filename: 'a.png' }, 'file', /file: is required/),
    bad('base64 without a name', BASE64, { file: dataUri(photo) }, 'filename', /filename: is required/),
    bad('base64 with an empty name', BASE64, { file: dataUri(photo), filename: '' }, 'filename', /not empty/),
    bad('bare base64', BASE64, { file: photo.toString('base64'), filename: 'a.png' }, 'file', /data URI/),
    bad(
      'a data URI that is not base64',
      BASE64,
      { file: 'data:text/plain,hello', filename: 'a.txt' },
      'file',
      /data URI/,
    ),
    bad(
      'a data URI of rubbish',
      BASE64,
      { file: 'data:image/png;base64,§§§§', filename: 'a.png' },
      'file',
      /base64 after the comma/,
    ),
    bad('an empty data URI', BASE64, { file: 'data:image/png;base64,', filename: 'a.png' }, 'file', /not be empty/),
    bad(
      'base64 one byte over 1.5 MB',
      BASE64,
      { file: `data:image/png;base64,${'A'.repeat(1_572_865)}`, filename: 'a.png' },
      'file',
      /at most 1572864 bytes/,
    ),
    bad('url of nothing', URL, {}, 'url', /url: is required/),
    bad('url that is no address', URL, { url: 'example' }, 'url', /http:\/\/ or https:\/\//),
    bad('url by ftp', URL, { url: 'ftp://example.com/a.png' }, 'url', /http:\/\/ or https:\/\//),
    bad('url by javascript', URL, { url: 'javascript:alert(1)' }, 'url', /http:\/\/ or https:\/\//),
    bad('url of a file', URL, { url: 'file:///etc/passwd' }, 'url', /http:\/\/ or https:\/\//),
    bad('url as data', URL, { url: dataUri(photo) }, 'url', /http:\/\/ or https:\/\//),
    bad('url that is a list', URL, { url: ['https://example.com'] }, 'url', /must be a string/),
    bad('url without end', URL, { url: `https://example.com/${'a'.repeat(9000)}` }, 'url', /url: must be/),
  ])
})

describe('a query that makes no sense', () => {
  const TASKS = 'GET /v1/process/tasks'
  const LIST = 'GET /v1/process/jobs'
  check(
    [
      ...['0', '-1', '201', '1.5', 'abc', '1e2', '0x10', '', ' '].flatMap((n) =>
        [TASKS, LIST].map((ask) =>
          bad(
            `per_page "${n}" of ${ask}`,
            `${ask}?per_page=${encodeURIComponent(n)}`,
            undefined,
            'per_page',
            /whole number from 1 to 200/,
          ),
        ),
      ),
      bad('per_page twice', `${TASKS}?per_page=5&per_page=6`, undefined, 'per_page', /whole number/),
      ...['0', '-1', '1.5', 'x', '99999999999999999999'].map((n) =>
        bad(`page ${n}`, `${TASKS}?page=${n}`, undefined, 'page', /whole number/),
      ),
      bad('tasks of no status', `${TASKS}?status=done`, undefined, 'status', /one of created, processing/),
      bad('jobs of a status only tasks have', `${LIST}?status=canceled`, undefined, 'status', /one of created/),
      bad(
        'an unknown include of a task',
        `${TASKS}/${png.id}?include=payload,secrets`,
        undefined,
        'include',
        /"secrets".*payload, job/,
      ),
      bad('an unknown include of jobs', `${LIST}?include=payload`, undefined, 'include', /"payload".*tasks/),
      bad(
        'both formats at once',
        'GET /v1/query/formats/convert?input_format=png&output_format=jpg',
        undefined,
        'output_format',
        /one of the two/,
      ),
      bad(
        'options of half a pair',
        'GET /v1/query/options/convert?input_format=png',
        undefined,
        'output_format',
        /required/,
      ),
      bad('options of nothing', 'GET /v1/query/options/compress', undefined, 'input_format', /required/),
      bad('options of a merge to nothing', 'GET /v1/query/options/merge', undefined, 'output_format', /required/),
      bad(
        'options of an unknown format',
        'GET /v1/query/options/convert?input_format=xyz&output_format=jpg',
        undefined,
        'input_format',
        /"xyz".*Possible: .*png/,
      ),
      bad(
        'options of an impossible pair',
        'GET /v1/query/options/convert?input_format=png&output_format=html',
        undefined,
        'output_format',
        /Possible: .*jpg/,
      ),
      bad('wait without end', `${TASKS}/${png.id}/wait?timeout=121`, undefined, 'timeout', /from 0 to 120/),
      bad('wait in words', `${TASKS}/${png.id}/wait?timeout=soon`, undefined, 'timeout', /a number/),
      bad(
        'an Idempotency-Key with spaces',
        'POST /v1/process/import/upload',
        undefined,
        'Idempotency-Key',
        /printable/,
      ),
    ].map((each) => (each.at === 'Idempotency-Key' ? { ...each, headers: { 'idempotency-key': 'a b' } } : each)),
  )
})

describe('an address that is not there', () => {
  const missing = (what: string, ask: string): Case => ({ what, ask, code: 'not_found', says: /was not found/ })
  const ids = [
    'xyz',
    NOBODY,
    png.id.toUpperCase(),
    `${png.id}0`,
    '..%2F..%2Fetc',
    '%00',
    "1'%20OR%20'1'='1",
    'a'.repeat(900),
  ]
  check([
    missing('no such page', 'GET /nothing'),
    missing('another version', 'GET /v2/process/jobs'),
    missing('the API root', 'GET /v1'),
    missing('an operation that does not exist', 'POST /v1/process/transmogrify'),
    missing('an options query that does not exist', 'GET /v1/query/options/paint'),
    ...ids.flatMap((id) => [
      missing(`task ${id.slice(0, 30)}`, `GET /v1/process/tasks/${id}`),
      missing(`job ${id.slice(0, 30)}`, `GET /v1/process/jobs/${id}`),
    ]),
    missing('cancel of nothing', `POST /v1/process/tasks/${NOBODY}/cancel`),
    missing('delete of no task', `DELETE /v1/process/tasks/${NOBODY}`),
    missing('delete of no job', `DELETE /v1/process/jobs/${NOBODY}`),
    missing('wait for nothing', `GET /v1/process/jobs/${NOBODY}/wait`),
    missing('events of nothing', `GET /v1/process/jobs/${NOBODY}/events`),
    bad('an address that is no URL', 'GET /v1/process/tasks/%zz', undefined, undefined, /URL/),
  ])
})

describe('another method or another format', () => {
  const wrong = (ask: string, allow: string) =>
    test(`${ask} takes ${allow} only`, async () => {
      const [method = '', path = ''] = ask.split(' ')
      const answer = await server.call(method, path, method === 'GET' ? undefined : {})
      assertRefused(answer, 'method_not_allowed', /takes/)
      assert.equal(answer.headers.get('allow'), allow)
    })
  wrong('PUT /v1/process/jobs', 'POST, GET, HEAD')
  wrong('PATCH /v1/process/jobs', 'POST, GET, HEAD')
  wrong('DELETE /v1/process/jobs', 'POST, GET, HEAD')
  wrong('PATCH /v1/process/tasks', 'GET, HEAD')
  wrong(`PUT /v1/process/tasks/${png.id}`, 'GET, HEAD, DELETE')
  wrong(`GET /v1/process/tasks/${png.id}/cancel`, 'POST')
  wrong('GET /v1/process/convert', 'POST')
  wrong('PUT /v1/process/import/upload', 'POST')
  wrong('POST /v1/query/formats', 'GET, HEAD')
  wrong(`PUT /v1/upload/${upload.id}`, 'POST')
  wrong('DELETE /health', 'GET, HEAD')
  wrong('POST /openapi.json', 'GET, HEAD')
  wrong('PROPFIND /v1/process/jobs', 'POST, GET, HEAD')

  for (const accept of [
    'text/html',
    'application/xml',
    'image/*',
    'application/json;q=0',
    'text/html, application/json;q=0, */*',
  ])
    test(`Accept: ${accept} is refused`, async () => {
      assertRefused(
        await server.call('GET', '/v1/process/tasks', undefined, { accept }),
        'not_acceptable',
        /application\/json/,
      )
      assertRefused(await server.call('GET', '/v1/query/formats', undefined, { accept }), 'not_acceptable')
      assertRefused(await server.call('POST', '/v1/process/import/upload', undefined, { accept }), 'not_acceptable')
    })
  for (const accept of [
    '*/*',
    'application/*',
    'application/json',
    'text/html, */*;q=0.1',
    'APPLICATION/JSON; charset=utf-8',
  ])
    test(`Accept: ${accept} is served`, async () => {
      assert.equal((await server.call('GET', '/v1/process/tasks', undefined, { accept })).status, 200)
    })
  test('events are not JSON', async () => {
    const job = await create('jobs', { tasks: { a: { operation: 'import/upload' } } })
    const answer = await server.call('GET', `/v1/process/jobs/${job.id}/events`, undefined, {
      accept: 'application/json',
    })
    assertRefused(answer, 'not_acceptable', /text\/event-stream/)
  })
})

describe('what clashes with what is there', () => {
  test('an Idempotency-Key used for another body', async () => {
    const headers = { 'idempotency-key': 'clash-1' }
    const first = await server.call('POST', '/v1/process/export/url', { input: png.id }, headers)
    assert.equal(first.status, 201)
    const second = await server.call('POST', '/v1/process/export/url', { input: [png.id] }, headers)
    assertRefused(second, 'conflict', /Idempotency-Key/)
    const elsewhere = await server.call('POST', '/v1/process/import/upload', undefined, headers)
    assertRefused(elsewhere, 'conflict', /Idempotency-Key/)
  })
  test('cancel of what has completed or failed', async () => {
    assertRefused(await server.call('POST', `/v1/process/tasks/${png.id}/cancel`), 'conflict', /already completed/)
    assertRefused(await server.call('POST', `/v1/process/tasks/${failed.id}/cancel`), 'conflict', /already failed/)
  })
  test('a second upload', async () => {
    const task = await create('import/upload')
    await send(task, photo)
    assertRefused(await post(task, photo), 'conflict', /already received its file/)
  })
  test('an upload to a canceled task', async () => {
    assertRefused(await post(canceled, photo), 'conflict', /already ended/)
  })
})

describe('an upload that is not right', () => {
  const { url, parameters } = upload.result.form
  async function answerTo(body: FormData | string | undefined, headers = {}, to = url) {
    const answer = await server.fetch(to, { method: 'POST', body, headers })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers as unknown as Headers, text, json: JSON.parse(text) }
  }
  const withFile = (fields: Record<string, string>, name = 'file', bytes: Uint8Array = photo): FormData => {
    const form = formOf(fields)
    form.append(name, new Blob([new Uint8Array(bytes)]), 'a.png')
    return form
  }
  const kept = async () => (await server.inside.kept()).length

  test('without its parameters', async () => {
    assertRefused(await answerTo(withFile({})), BAD, /before the file/, 'signature')
  })
  test('with its parameters after the file', async () => {
    const form = withFile({})
    for (const [name, value] of Object.entries(parameters)) form.append(name, String(value))
    assertRefused(await answerTo(form), BAD, /before the file/, 'signature')
  })
  test('with a wrong signature', async () => {
    for (const signature of [
      '',
      'x',
      `${parameters.signature}x`,
      parameters.signature.slice(0, -1),
      `a.${'b'.repeat(43)}`,
    ])
      assertRefused(await answerTo(withFile({ ...parameters, signature })), 'forbidden', /signature/)
  })
  test('with a later time than was signed', async () => {
    for (const expires of [String(Number(parameters.expires) + 1), '99999999999999', '', '-1', 'never', '1e12'])
      assertRefused(await answerTo(withFile({ ...parameters, expires })), 'forbidden', /signature/)
  })
  test("with another task's signature", async () => {
    const other = await create('import/upload')
    assertRefused(await answerTo(withFile(other.result.form.parameters)), 'forbidden', /signature/)
  })
  test('to a task that is not there', async () => {
    for (const id of [NOBODY, 'xyz', '%00'])
      assertRefused(await answerTo(withFile(parameters), {}, `${server.url}/v1/upload/${id}`), 'forbidden', /signature/)
  })
  test('without a file', async () => {
    assertRefused(await answerTo(formOf(parameters)), BAD, /form field named "file"/, 'file')
  })
  test('with the file under another name', async () => {
    assertRefused(await answerTo(withFile(parameters, 'picture')), BAD, /named "file"/, 'picture')
  })
  test('as JSON', async () => {
    assertRefused(await answerTo('{}', { 'content-type': 'application/json' }), BAD, /multipart\/form-data/)
  })
  test('as nothing', async () => {
    assertRefused(await answerTo(undefined), BAD, /multipart\/form-data/)
  })
  test('as a form without a boundary', async () => {
    assertRefused(await answerTo('x', { 'content-type': 'multipart/form-data' }), BAD, /./)
  })
  test('as a form that is cut off', async () => {
    const body = `--b\r\nContent-Disposition: form-data; name="expires"\r\n\r\n${parameters.expires}\r\n--b\r\nContent-Disp`
    assertRefused(await answerTo(body, { 'content-type': 'multipart/form-data; boundary=b' }), BAD, /./)
  })
  test('with a file that is cut off, and nothing is kept', async () => {
    const before = await kept()
    const field = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${parameters[name]}\r\n`
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf a fi'
    const body = field('expires') + field('signature') + file
    assertRefused(await answerTo(body, { 'content-type': 'multipart/form-data; boundary=b' }), BAD, /./)
    assert.equal(await kept(), before)
  })
  test('with more fields than a form has', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, 'x']))
    assertRefused(await answerTo(withFile({ ...many, ...parameters })), BAD, /too many fields|before the file/)
  })
  test('larger than the limit, and nothing is kept; exactly the limit is taken', async () => {
    const before = await kept()
    const tooLarge = Buffer.alloc(1024 * 1024 + 1, 1)
    assertRefused(
      await answerTo(withFile(parameters, 'file', tooLarge)),
      'too_large',
      /larger than the limit of 1048576/,
    )
    assertRefused(await answerTo(withFile(parameters, 'file', Buffer.alloc(5_000_000))), 'too_large', /limit/)
    assert.equal(await kept(), before)
    const shown = await server.call('GET', `/v1/process/tasks/${upload.id}`)
    assert.equal(shown.json.status, 'processing')
    const taken = await answerTo(withFile(parameters, 'file', tooLarge.subarray(1)))
    assert.equal(taken.status, 200, taken.text)
  })
  test('a form whose time is over', async () => {
    await using slow = await startServer({ env: { REFORGE_UPLOAD_TIMEOUT: '1' } })
    const steps = stepsOn(slow)
    const late = await steps.create('import/upload')
    const over = Number(late.result.form.parameters.expires) * 1000
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, over - Date.now()) + 50))
    assertRefused(await steps.post(late, photo), 'forbidden', /time for this upload is over/)
  })
})

describe('text that means harm', () => {
  test('control characters in a tag are kept as text or refused, never a failure of ours', async () => {
    for (const tag of ['\0', 'a\nb', '\u202e', '\ud800', '💥'.repeat(200), "'; DROP TABLE tasks; --"]) {
      const answer = await server.call('POST', '/v1/process/jobs', {
        tag,
        tasks: { a: { operation: 'import/upload' } },
      })
      if (answer.status === 201) {
        const list = await server.call('GET', `/v1/process/jobs?tag=${encodeURIComponent(tag.toWellFormed())}`)
        assert.ok(
          list.json.docs.some(({ id }: { id: string }) => id === answer.json.id),
          JSON.stringify(tag),
        )
      } else assertRefused(answer, BAD, /tag/, 'tag')
    }
  })
  test('__proto__ and its like in a task change nothing', async () => {
    const text = `{"input":"${png.id}","output_format":"jpg","__proto__":{"filename":"evil"},"constructor":{"prototype":{"filename":"evil"}}}`
    const answer = await server.call('POST', '/v1/process/convert', text)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(({} as { filename?: string }).filename, undefined)
    assert.deepEqual(
      answer.json.warnings.map(({ path }: { path: string }) => path),
      ['constructor'],
    )
    const again = await server.call('POST', '/v1/process/export/url', { input: png.id })
    assert.equal(again.json.payload.filename, undefined)
  })
  test('options named like what every object has are unknown options', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const answer = await server.call('POST', '/v1/process/convert', {
        input: png.id,
        output_format: 'jpg',
        options: { [name]: 1 },
      })
      assertRefused(answer, BAD, /Valid options/, `options.${name}`)
    }
  })
  test('a string of a million characters is refused in a short answer', async () => {
    const answer = await server.call('POST', '/v1/process/convert', {
      input: 'x'.repeat(1_000_000),
      output_format: 'y'.repeat(1_000_000),
      options: { ['z'.repeat(1_000_000)]: 1 },
    })
    assertRefused(answer, BAD, /output_format/)
    assert.ok(answer.text.length < 10_000, `${answer.text.length} characters`)
  })
  test('ten thousand unknown fields are answered in a short list', async () => {
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`field${n}`, n]))
    const answer = await server.call('POST', '/v1/process/import/upload', fields)
    assert.equal(answer.status, 201)
  })
  test('a request that is no HTTP is refused in the same shape', async () => {
    const answer = await rawAnswer(server, 'NONSENSE\r\n\r\n')
    assertRefused(answer, BAD)
  })
  test('headers without end are refused in the same shape', async () => {
    const answer = await rawAnswer(server, `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`)
    assert.ok(answer.status === 431 || answer.status === 400, String(answer.status))
    assert.equal(typeof answer.json.requestId, 'string')
  })
})
