/** Buckets of the first kind, against a real S3 server that checks signatures. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { openS3 } from '../../src/connectors/s3.ts'
import { noSwift } from '../peers/swift.ts'
import type { Shown } from '../support/steps.ts'
import { type Field, MOST_FILES, noiseOf, ODD_NAMES } from './field.ts'

const BIG = 20 * 2 ** 20

export function objstoreASuite(field: Field): void {
  describe('objstore_a', { concurrency: 1, skip: noSwift }, () => {
    const { swift, swiftCut, steps, server } = field
    const access = { bucket: 'shelf', ...swift?.access }
    const through = { ...access, endpoint: `http://127.0.0.1:${swiftCut.port}` }
    let s3: S3Client
    const put = (Key: string, Body: Uint8Array) => s3.send(new PutObjectCommand({ Bucket: 'shelf', Key, Body }))
    const get = async (Key: string): Promise<Buffer> => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'shelf', Key }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    }
    const failure = async (what: object, code: string, says: RegExp) => {
      const task = await steps.run('import/objstore_a', { ...access, key: 'plain.txt', ...what })
      assert.equal(task.result.errorCode, code, JSON.stringify(task.result))
      assert.match(task.result.msg, says)
    }

    before(async () => {
      s3 = new S3Client({
        region: 'us-east-1',
        endpoint: swift.endpoint,
        forcePathStyle: true,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        credentials: { accessKeyId: access.access_key_id, secretAccessKey: access.secret_access_key },
      })
      await s3.send(new CreateBucketCommand({ Bucket: 'shelf' }))
      await Promise.all(ODD_NAMES.map((name) => put(`odd/${name}`, Buffer.from(name))))
      await put('plain.txt', Buffer.from('hello'))
      await put('odd/', Buffer.alloc(0))
      await put('big.bin', noiseOf(BIG))
    })

    test('an object comes in by its key, under its last name', async () => {
      const { result } = await steps.done('import/objstore_a', { ...access, key: 'odd/deep/er/ünder.txt' })
      assert.deepEqual([result.filename, result.size], ['ünder.txt', Buffer.byteLength('deep/er/ünder.txt')])
      assert.equal((await steps.download(result.url)).toString(), 'deep/er/ünder.txt')
    })

    test('everything below a prefix comes in, in the order of the keys, and goes out under the same names', async () => {
      const job = await steps.create('jobs', {
        tasks: {
          in: { operation: 'import/objstore_a', ...access, key_prefix: 'odd/' },
          out: { operation: 'export/objstore_a', ...access, input: 'in', key_prefix: 'copy/a b+ü/' },
        },
      })
      const { status, tasks } = await steps.ended('jobs', job.id)
      assert.equal(status, 'completed', JSON.stringify(tasks))
      const [brought, sent] = tasks
      const sorted = ODD_NAMES.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      const texts = await Promise.all(brought.result.files.map(({ url }: Shown) => steps.download(url)))
      assert.deepEqual(texts.map(String), sorted)
      assert.equal(sent.result.url, undefined)
      for (const [index, { bucket, key, size, etag, url }] of sent.result.files.entries()) {
        assert.deepEqual([bucket, size, url], ['shelf', Buffer.byteLength(sorted[index] ?? ''), undefined])
        assert.match(etag, /^[0-9a-f]{32}$/)
        assert.equal((await get(key)).toString(), sorted[index])
      }
    })

    test('a prefix with more objects than allowed fails before anything is brought, and the way out is named', async () => {
      const names = Array.from({ length: 1500 }, (_, index) => `many/${String(index).padStart(4, '0')}`)
      await swift.pretend('shelf', names)
      const tasks = { a: { operation: 'import/objstore_a', ...access, key_prefix: 'many/' } }
      const { id } = await steps.create('jobs', { tasks })
      const { result } = (await steps.ended('jobs', id)).tasks[0]
      assert.equal(result.errorCode, 'processing_failed')
      assert.match(result.msg, new RegExp(`more than ${MOST_FILES} objects.*REFORGE_MAX_IMPORT_FILES`))
      const storage = await openS3(access, field.guard, new AbortController().signal)
      const listed: string[] = []
      for await (const { name } of storage.list?.('many/') ?? []) listed.push(name)
      assert.deepEqual(listed, names, 'all pages, in order')
    })

    test('a prefix without objects fails and says so', async () => {
      const { id } = await steps.create('jobs', {
        tasks: { a: { operation: 'import/objstore_a', ...access, key_prefix: 'nothing/' } },
      })
      assert.match((await steps.ended('jobs', id)).tasks[0].result.msg, /no object below "nothing\/"/)
    })

    test('a wrong secret, an unknown key and a wrong token are invalid credentials', async () => {
      field.secrets.add('planted-wrong-secret').add('planted-session-token')
      await failure({ secret_access_key: 'planted-wrong-secret' }, 'invalid_credentials', /credentials/)
      await failure({ access_key_id: 'nobody:here' }, 'invalid_credentials', /credentials/)
      const wrong = { secret_access_key: 'planted-wrong-secret', session_token: 'planted-session-token' }
      await failure(wrong, 'invalid_credentials', /credentials/)
    })

    test('no right, a missing bucket, a missing object and a missing server are told apart', async () => {
      field.secrets.add(swift.guest.secret_access_key)
      await failure(swift.guest, 'insufficient_permission', /no right to "plain.txt" in the bucket "shelf"/)
      await failure({ bucket: 'nowhere' }, 'processing_failed', /bucket "nowhere" does not exist/)
      await failure(
        { key: 'gone/away.txt' },
        'processing_failed',
        /"gone\/away.txt" in the bucket "shelf" does not exist/,
      )
      await failure({ endpoint: 'http://127.0.0.1:1' }, 'processing_failed', /127\.0\.0\.1/)
    })

    test('content type, disposition and cache control are what was asked for, else the format decides', async () => {
      const source = await steps.done('import/objstore_a', { ...access, key: 'plain.txt' })
      const head = (Key: string) => s3.send(new HeadObjectCommand({ Bucket: 'shelf', Key }))
      await steps.done('export/objstore_a', { ...access, input: source.id, key: 'typed/plain.txt' })
      assert.equal((await head('typed/plain.txt')).ContentType, 'text/plain')
      const wishes = { content_type: 'text/x-mine', content_disposition: 'attachment; filename="x.txt"' }
      await steps.done('export/objstore_a', {
        ...access,
        ...wishes,
        input: source.id,
        key: 'typed/own.txt',
        acl: 'private',
      })
      const own = await head('typed/own.txt')
      assert.deepEqual([own.ContentType, own.ContentDisposition], Object.values(wishes))
    })

    test('several files under one key are numbered, and equal names do not replace each other', async () => {
      const one = await steps.imported(Buffer.from('one'), 'same.txt')
      const two = await steps.imported(Buffer.from('two'), 'same.txt')
      const both = { ...access, input: [one.id, two.id] }
      const keys = async (more: object) =>
        (await steps.done('export/objstore_a', { ...both, ...more })).result.files.map(({ key }: Shown) => key)
      assert.deepEqual(await keys({ key: 'n/x.v1/all.txt' }), ['n/x.v1/all-1.txt', 'n/x.v1/all-2.txt'])
      assert.deepEqual(await keys({ key_prefix: 'n/' }), ['n/same.txt', 'n/same-1.txt'])
      assert.equal((await get('n/same-1.txt')).toString(), 'two')
    })

    test('an empty file goes in and out', async () => {
      await put('empty.txt', Buffer.alloc(0))
      const { id, result } = await steps.done('import/objstore_a', { ...access, key: 'empty.txt' })
      assert.equal(result.size, 0)
      await steps.done('export/objstore_a', { ...access, input: id, key: 'empty-copy.txt' })
      assert.equal((await get('empty-copy.txt')).length, 0)
    })

    test('a connection that breaks again and again changes no byte, neither in nor out', async () => {
      const before = swiftCut.cuts()
      swiftCut.cut(6 * 2 ** 20, 3)
      const brought = await steps.done('import/objstore_a', { ...through, key: 'big.bin' })
      assert.equal(swiftCut.cuts(), before + 3, 'it was cut')
      assert.ok((await steps.download(brought.result.url)).equals(noiseOf(BIG)))
      swiftCut.cut(3 * 2 ** 20, 2, 'up')
      await steps.done('export/objstore_a', { ...through, input: brought.id, key: 'big-copy.bin' })
      assert.equal(swiftCut.cuts(), before + 5, 'it was cut')
      assert.ok((await get('big-copy.bin')).equals(noiseOf(BIG)))
    })

    test('a server that goes away for good leaves a failed task, no object and no parts', async () => {
      const brought = await steps.done('import/objstore_a', { ...access, key: 'big.bin' })
      swiftCut.cut(4 * 2 ** 20, 1000, 'up')
      const { result } = await steps.run('export/objstore_a', { ...through, input: brought.id, key: 'half.bin' })
      swiftCut.cut(0, 0)
      assert.equal(result.errorCode, 'processing_failed')
      assert.match(result.msg, /127\.0\.0\.1/)
      await assert.rejects(get('half.bin'), { name: 'NoSuchKey' })
      const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: 'shelf' }))
      assert.deepEqual(Uploads, [])
    })

    test('what is wrong with the fields is told at once, each with its path', async () => {
      const { secret_access_key: _, ...rest } = access
      const paths = async (operation: string, body: object) => {
        const { status, json } = await server.call('POST', `/v1/process/${operation}`, body)
        assert.equal(status, 400)
        return json.errors.map(({ path }: Shown) => path)
      }
      assert.deepEqual(await paths('import/objstore_a', { ...rest, key: 'a' }), ['secret_access_key'])
      assert.deepEqual(await paths('import/objstore_a', { ...access, key_prefix: 'a' }), ['key_prefix'])
      assert.deepEqual(await paths('import/objstore_a', { ...access, region: 'x.evil/' }), ['region', 'key'])
      assert.deepEqual(await paths('import/objstore_a', { ...access, key: 'a', endpoint: 'ftp://x' }), ['endpoint'])
      assert.deepEqual(await paths('import/objstore_a', {}), ['bucket', 'region', 'access_key_id', 'secret_access_key'])
      const body = { tasks: { a: { operation: 'import/objstore_a', ...access, key: 'a', key_prefix: 'b' } } }
      assert.deepEqual(await paths('jobs', body), ['tasks.a.key_prefix'])
    })

    test('secrets are masked in the answer, everything else is as sent', async () => {
      const { payload } = await steps.create('import/objstore_a', { ...access, key: 'plain.txt', session_token: 'x' })
      const masked = { secret_access_key: '***', session_token: '***' }
      assert.deepEqual(payload, { ...access, key: 'plain.txt', ...masked })
    })
  })
}
