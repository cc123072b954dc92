/** A server whose files are in a bucket: clients fetch from it and send to it without a detour, or notice nothing of it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { FormData } from 'undici'
import { createReforge } from '../../../sdk/src/node.ts'
import { BUCKETS, type BucketKind, type Store } from '../support/buckets.ts'
import { sendInvited } from '../support/invited.ts'
import { picture } from '../support/pictures.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { taskOf } from '../support/steps.ts'

const CONVERT = {
  tasks: {
    import: { operation: 'import/upload' },
    convert: { operation: 'convert', input: 'import', output_format: 'jpg' },
    export: { operation: 'export/url', input: 'convert', filename: 'übung.jpg' },
  },
} as const

const filesIn = (kind: BucketKind) => () => {
  let peer: Store
  let server: TestServer
  before(async () => {
    peer = await kind.start('a-secret-of-the-bucket')
    const { access } = peer
    server = await startServer({
      env: {
        REFORGE_S3_BUCKET: 'reforge',
        REFORGE_S3_ENDPOINT: peer.endpoint,
        REFORGE_S3_REGION: access.region,
        REFORGE_S3_ACCESS_KEY: access.access_key_id,
        REFORGE_S3_SECRET_KEY: access.secret_access_key,
        REFORGE_S3_FORCE_PATH_STYLE: '1',
        REFORGE_S3_DOWNLOADS: 'redirect',
        REFORGE_S3_UPLOADS: 'direct',
        REFORGE_ENGINES: 'sharp',
      },
    })
  })
  after(async () => {
    await server?.[Symbol.asyncDispose]()
    await peer[Symbol.asyncDispose]()
  })

  async function ended(id: string) {
    const { json } = await server.call('GET', `/v1/process/jobs/${id}/wait?timeout=30`)
    assert.equal(json.status, 'completed', JSON.stringify(json))
    return json
  }

  test('a form is posted to the server as ever, and the result is fetched from the bucket', async () => {
    const { json: job } = await server.call('POST', '/v1/process/jobs', CONVERT)
    const { form } = taskOf(job, 'import').result
    const body = new FormData()
    for (const [name, value] of Object.entries(form.parameters)) body.set(name, value)
    body.set('file', new Blob([Buffer.from(await picture('png', 300, 200))]), 'photo.png')
    const sent = await server.fetch(form.url, { method: 'POST', body })
    assert.equal(sent.status, 200)
    assert.equal(((await sent.json()) as { msg: string }).msg, 'ok')

    const { url, size } = taskOf(await ended(job.id), 'export').result
    const redirect = await server.fetch(url, { redirect: 'manual' })
    assert.equal(redirect.status, 302)
    assert.equal(redirect.headers.get('cache-control'), 'no-store')
    const place = redirect.headers.get('location') ?? ''
    assert.ok(place.startsWith(peer.endpoint))
    const answer = await fetch(place, { headers: { range: 'bytes=0-9' } })
    assert.equal(answer.status, 206)
    assert.equal((await answer.arrayBuffer()).byteLength, 10)
    assert.equal(answer.headers.get('content-type'), 'image/jpeg')
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; .*filename\*=UTF-8''%C3%BCbung\.jpg$/)
    const head = await server.fetch(url, { method: 'HEAD', redirect: 'manual' })
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), String(size))
    const known = await server.fetch(url, {
      redirect: 'manual',
      headers: { 'if-none-match': head.headers.get('etag') ?? '' },
    })
    assert.equal(known.status, 304)
  })

  test('a client that can sends the file straight to the bucket', async () => {
    const seen: string[] = []
    const watching: typeof fetch = (input, init) => {
      seen.push(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname.replace(/[0-9a-f]{24}/, 'ID')}`)
      return server.fetch(String(input), init as object) as unknown as Promise<Response>
    }
    const reforge = createReforge({ url: server.url, key: server.key, fetch: watching })
    const job = await reforge.jobs.create(CONVERT)
    const task = await reforge.upload(taskOf(job, 'import'), await picture('png', 320, 200), {
      filename: 'a.png',
    })
    assert.equal(task.status, 'completed')
    const sending = kind.able ? 'POST /reforge' : 'PUT /reforge/incoming/ID'
    assert.deepEqual(seen.slice(1), ['POST /v1/upload/ID/direct', sending, 'POST /v1/upload/ID/complete'])
    const { url } = taskOf(await ended(job.id), 'export').result
    const bytes = Buffer.from(await (await server.fetch(url)).arrayBuffer())
    const { format, width } = await sharp(bytes).metadata()
    assert.deepEqual({ format, width }, { format: 'jpeg', width: 320 })
  })

  test('the way to the bucket opens only with the right of the form, once, and for a file that may be', async () => {
    const { json: job } = await server.call('POST', '/v1/process/jobs', CONVERT)
    const { form } = taskOf(job, 'import').result
    const ask = (body: object) => server.call('POST', new URL(form.direct).pathname, body)
    assert.equal((await ask({ ...form.parameters, signature: 'x', size: 1 })).status, 403)
    assert.equal((await ask({ ...form.parameters, size: 10 * 1024 ** 3 })).status, 413)
    const { json } = await ask({ ...form.parameters, size: 3 })
    const complete = () =>
      server.call('POST', new URL(json.complete).pathname, { ...form.parameters, filename: 'a.txt' })
    assert.equal((await complete()).status, 409)
    assert.ok((await sendInvited(json, 'abc')).ok)
    assert.equal((await complete()).status, 200)
    assert.equal((await complete()).status, 409)
  })
}

for (const kind of BUCKETS) describe(`files in a bucket of ${kind.name}`, { skip: kind.skip }, filesIn(kind))
