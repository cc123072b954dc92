import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blobsContract } from '../../test/contract/blobs.ts'
import { startCuttingProxy } from '../../test/peers/cutting-proxy.ts'
import { startMoodyProxy } from '../../test/peers/moody-proxy.ts'
import { BUCKETS, type BucketKind, openBucket, placeOf, remains, type Store } from '../../test/support/buckets.ts'
import { sendInvited } from '../../test/support/invited.ts'
import { until } from '../../test/support/until.ts'
import { TooLarge } from '../core/errors.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { S3BlobsOptions } from './s3-blobs.ts'
import { openS3, patience } from './s3-client.ts'
import { createIncoming } from './s3-incoming.ts'

const MB = 1024 ** 2
const NO_LIMIT = { most: Number.POSITIVE_INFINITY }

const filesIn = (kind: BucketKind) => () => {
  const noneTaken = !kind.able && `${kind.name} takes neither forms nor rules`
  let peer: Store
  before(async () => {
    peer = await kind.start('a-secret-of-the-bucket')
  })
  after(async () => await peer[Symbol.asyncDispose]())

  let buckets = 0
  const placeAt = (endpoint = peer.endpoint) => placeOf(peer, `files-${buckets++}`, endpoint)
  const open = (place = placeAt(), options: Partial<S3BlobsOptions> = {}) => openBucket(place, options)

  blobsContract(`a bucket of ${kind.name}`, () => open())

  test('a big file goes in parts and comes back the same, also by a local copy that two share', async () => {
    const { blobs, scratch, close } = await open()
    const bytes = randomBytes(20 * MB + 17)
    const { blob, size, head } = await blobs.write(inChunks(bytes), NO_LIMIT)
    assert.equal(size, bytes.length)
    assert.deepEqual(head, bytes.subarray(0, head.length))
    const range = { start: 8 * MB - 3, end: 8 * MB + 3 }
    assert.deepEqual(await whole(blobs, blob, range), bytes.subarray(range.start, range.end + 1))

    const [one, other] = await Promise.all([blobs.local(blob), blobs.local(blob)])
    assert.equal(one.path, other.path)
    assert.equal(sum(await readFile(one.path)), sum(bytes))
    await one.release()
    await one.release()
    assert.equal((await readdir(scratch)).length, 1)
    await other.release()
    assert.deepEqual(await readdir(scratch), [])
    await close()
  })

  test('a big file that breaks off leaves neither an object nor parts of one', async () => {
    const { blobs, place, close } = await open()
    const stop = new AbortController()
    const failing = (async function* () {
      yield* inChunks(randomBytes(18 * MB))
      throw new Error('gone away')
    })()
    await assert.rejects(blobs.write(failing, NO_LIMIT), /gone away/)
    const silent = (async function* () {
      yield* inChunks(randomBytes(9 * MB))
      stop.abort(new Error('enough'))
      await new Promise<never>(() => {})
    })()
    await assert.rejects(blobs.write(silent, { ...NO_LIMIT, signal: stop.signal }))
    await assert.rejects(blobs.write(inChunks(randomBytes(18 * MB)), { most: 17 * MB }), TooLarge)
    assert.deepEqual(await remains(place), { objects: [], uploads: 0 })
    await close()
  })

  test('a bucket that answers 503 for a while is waited for', async () => {
    await using proxy = await startMoodyProxy(peer.port)
    const { blobs, folder, close } = await open(placeAt(proxy.endpoint))
    const path = join(folder, 'result')
    await writeFile(path, 'a result')
    const { blob } = await blobs.write(inChunks(Buffer.from('kept')), NO_LIMIT)
    proxy.refuse(true)
    const writing = blobs.write(inChunks(randomBytes(9 * MB)), NO_LIMIT)
    const doing = [blobs.adopt(path), blobs.local(blob), whole(blobs, blob), Array.fromAsync(blobs.list())]
    await until(() => proxy.refused() > 3 * doing.length, 'they have tried again and again')
    proxy.refuse(false)
    await Promise.all([writing, ...doing])
    assert.equal((await Array.fromAsync(blobs.list())).length, 3)
    await close()
  })

  test('reading goes on where a connection broke', async () => {
    await using proxy = await startCuttingProxy(peer.port)
    const { blobs, close } = await open(placeAt(`http://127.0.0.1:${proxy.port}`))
    const bytes = randomBytes(6 * MB)
    const { blob } = await blobs.write(inChunks(bytes), NO_LIMIT)
    proxy.cut(2 * MB, 2)
    assert.equal(sum(await whole(blobs, blob)), sum(bytes))
    assert.equal(proxy.cuts(), 2)
    await close()
  })

  test('what was begun and never ended goes when it is old, and nothing else', async () => {
    const { blobs, place, told, close } = await open()
    assert.match(told.join(), kind.able ? /^$/ : /takes no lifecycle rules/)
    const { blob } = await blobs.write(inChunks(Buffer.from('kept')), NO_LIMIT)
    const { client, sdk } = await openS3(place)
    const Bucket = place.bucket
    await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key: `files/${'0'.repeat(32)}` }))
    await client.send(new sdk.PutObjectCommand({ Bucket, Key: 'incoming/never-claimed', Body: 'x' }))
    assert.equal(await blobs.tidy?.(Date.now() - 60_000), 0)
    assert.equal(await blobs.tidy?.(Date.now() + 60_000), 2)
    assert.deepEqual(await remains(place), { objects: [`files/${blob}`], uploads: 0 })
    await close()
  })

  test('a link fetches the bytes under the right name and type, and only those', async () => {
    const { blobs, close } = await open(placeAt(), { downloads: 'redirect' })
    const { blob } = await blobs.write(inChunks(Buffer.from('hello world')), NO_LIMIT)
    const disposition = `attachment; filename="a.txt"; filename*=UTF-8''%C3%A4.txt`
    const link = (await blobs.link?.(blob, { disposition, type: 'text/plain', seconds: 60 })) ?? ''
    const answer = await fetch(link, { headers: { range: 'bytes=6-' } })
    assert.equal(answer.status, 206)
    assert.equal(await answer.text(), 'world')
    assert.equal(answer.headers.get('content-disposition'), disposition)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
    const other = await fetch(link.replace(blob, 'f'.repeat(32)))
    assert.equal(other.status, 403)
    await close()
  })

  test('a client sends a file of the size it said, and it becomes a blob that the client cannot change', async () => {
    const { blobs, place, close } = await open(placeAt(), { uploads: 'direct' })
    const incoming = blobs.incoming!
    assert.equal(await incoming.collect('task', 100), null)
    const invited = await incoming.invite('task', 5, 60)
    assert.equal(invited.method, kind.able ? 'POST' : 'PUT')
    for (const wrong of ['longer than said', 'less']) assert.equal((await sendInvited(invited, wrong)).ok, false)
    assert.ok((await sendInvited(invited, 'first')).ok)
    const kept = await incoming.collect('task', 5)
    assert.ok((await sendInvited(invited, 'other')).ok)
    assert.equal(String(await whole(blobs, kept?.blob ?? '')), 'first')
    await assert.rejects(incoming.collect('task', 4), TooLarge)
    assert.deepEqual((await remains(place)).objects, [`files/${kept?.blob}`])
    await close()
  })

  test('a form is for one name', { skip: noneTaken }, async () => {
    const { blobs, place, close } = await open(placeAt(), { uploads: 'direct' })
    const invited = await blobs.incoming!.invite('task', 5, 60)
    for (const key of ['incoming/other', `files/${'0'.repeat(32)}`]) {
      const parameters = { ...invited.parameters, key }
      assert.equal((await sendInvited({ ...invited, parameters }, 'first')).status, 403)
    }
    assert.deepEqual((await remains(place)).objects, [])
    await close()
  })

  test('a file that is replaced while it is taken is not taken, or is told with its own size', async () => {
    const { blobs, place, close } = await open()
    const s3 = await openS3(place)
    const put = (Body: string) =>
      s3.client.send(new s3.sdk.PutObjectCommand({ Bucket: place.bucket, Key: 'incoming/task', Body }))
    let next = 'longer'
    s3.client.middlewareStack.add(
      (proceed, { commandName }) =>
        async (args) => {
          if (commandName === 'CopyObjectCommand') await put(next)
          return proceed(args)
        },
      { step: 'initialize' },
    )
    let names = 0
    const fresh = () => {
      const blob = String(names++).padStart(32, '0')
      return { blob, key: `files/${blob}` }
    }
    const { collect } = createIncoming(s3, s3, fresh)
    await put('first')
    const kept = await collect('task', 6)
    if (kept) assert.equal((await whole(blobs, kept.blob)).length, kept.size)
    await put('first')
    next = 'too long'
    const heard = await collect('task', 6).catch((error) => error)
    assert.ok(heard === null || heard instanceof TooLarge)
    const files = (await Array.fromAsync(blobs.list())).map(({ blob }) => blob)
    assert.deepEqual(files, kept ? [kept.blob] : [])
    s3.client.destroy()
    await close()
  })

  test('our rules are added once to those that the bucket has', { skip: noneTaken }, async () => {
    const { place, close } = await open()
    const { client, sdk } = await openS3(place)
    const Bucket = place.bucket
    const rules = async () => {
      const { Rules = [] } = await client.send(new sdk.GetBucketLifecycleConfigurationCommand({ Bucket }))
      return Rules.map(({ ID }) => ID).sort()
    }
    const ours = ['reforge-unclaimed', 'reforge-unfinished']
    assert.deepEqual(await rules(), ours)
    const theirs = { ID: 'theirs', Status: 'Enabled', Filter: { Prefix: 'a/' }, Expiration: { Days: 9 } } as const
    const LifecycleConfiguration = { Rules: [theirs] }
    await client.send(new sdk.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }))
    for (let starts = 0; starts < 2; starts++) {
      const { told, close } = await open(place)
      assert.deepEqual(told, [])
      assert.deepEqual(await rules(), [...ours, 'theirs'])
      await close()
    }
    client.destroy()
    await close()
  })

  test('a wrong key refuses the start, with the name of the bucket', async () => {
    await assert.rejects(open({ ...placeAt(), secretKey: 'wrong' }), /The bucket "files-\d+" cannot be used: the keys/)
  })
}

for (const kind of BUCKETS) describe(`files in a bucket of ${kind.name}`, { skip: kind.skip }, filesIn(kind))

test('patience ends with its time, and at once where asking again does not help', async () => {
  let now = 0
  const strategy = patience(1000, () => now)
  const first = await strategy.acquireInitialRetryToken()
  const again = (status: number, token = first) =>
    strategy.refreshRetryTokenForRetry(token, {
      errorType: 'SERVER_ERROR',
      error: Object.assign(new Error('no'), { $metadata: { httpStatusCode: status } }),
    })
  const second = await again(503)
  assert.equal(second.getRetryCount(), 1)
  assert.ok(second.getRetryDelay() > 0)
  for (const status of [400, 403, 404, 501]) await assert.rejects(again(status, second))
  now = 1000
  await assert.rejects(again(503, second))
})

async function* inChunks(bytes: Buffer, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const whole = async (blobs: Blobs, blob: string, range?: { start: number; end: number }): Promise<Buffer> =>
  Buffer.concat(await blobs.read(blob, range).toArray())

const sum = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
