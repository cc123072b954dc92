/** Buckets of the second kind. peers/gcs.ts says what of the peer is real: the credentials are, the shelf is a map. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Field, noiseOf, ODD_NAMES } from './field.ts'

const BIG = 20 * 2 ** 20

export function objstoreBSuite(field: Field): void {
  describe('objstore_b', { concurrency: 1 }, () => {
    const { bucket, steps, server } = field
    const access = { project_id: 'p', bucket: 'shelf', client_email: bucket.email, private_key: bucket.key }
    const keep = (name: string, bytes: Buffer) => bucket.objects.set(name, { bytes, generation: 7 })
    const failure = async (what: object, code: string, says: RegExp) => {
      const task = await steps.run('import/objstore_b', { ...access, file: 'plain.txt', ...what })
      assert.equal(task.result.errorCode, code, JSON.stringify(task.result))
      assert.match(task.result.msg, says)
    }

    test('objects with any name go in and out, also with the key as JSON files have it', async () => {
      for (const name of ODD_NAMES) {
        keep(`odd/${name}`, Buffer.from(name))
        const how = { ...access, private_key: bucket.key.replaceAll('\n', '\\n') }
        const { id, result } = await steps.done('import/objstore_b', { ...how, file: `odd/${name}` })
        assert.equal((await steps.download(result.url)).toString(), name)
        const sent = await steps.done('export/objstore_b', { ...access, input: id, file: `copy/${name}` })
        assert.deepEqual([sent.result.bucket, sent.result.file], ['shelf', `copy/${name}`])
        assert.ok(sent.result.etag)
        assert.equal(bucket.objects.get(`copy/${name}`)?.bytes.toString(), name)
        assert.equal(bucket.objects.get(`copy/${name}`)?.type, 'text/plain')
      }
    })

    test('a key of another account, and what is no key, are invalid credentials', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const other = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      field.secrets.add(other.split('\n')[3] ?? other).add('planted-nonsense-key')
      await failure({ private_key: other }, 'invalid_credentials', /credentials/)
      await failure({ client_email: 'nobody@example' }, 'invalid_credentials', /credentials/)
      await failure({ private_key: 'planted-nonsense-key' }, 'invalid_credentials', /not a private key/)
    })

    test('no right, a missing object and a missing bucket are told apart', async () => {
      await failure(
        { bucket: 'forbidden' },
        'insufficient_permission',
        /no right to "plain.txt" in the bucket "forbidden"/,
      )
      await failure({ file: 'gone.txt' }, 'processing_failed', /"gone.txt" in the bucket "shelf" does not exist/)
      await failure({ bucket: 'nowhere' }, 'processing_failed', /bucket "nowhere" does not exist/)
    })

    test('an empty file goes in and out', async () => {
      keep('empty.txt', Buffer.alloc(0))
      const { id, result } = await steps.done('import/objstore_b', { ...access, file: 'empty.txt' })
      assert.equal(result.size, 0)
      await steps.done('export/objstore_b', { ...access, input: id, file_prefix: 'copy/' })
      assert.equal(bucket.objects.get('copy/empty.txt')?.bytes.length, 0)
    })

    test('broken connections, halved parts and busy answers change no byte, neither in nor out', async () => {
      keep('big.bin', noiseOf(BIG))
      bucket.failNext(503, 2)
      bucket.cutNext(5 * 2 ** 20, 3)
      const brought = await steps.done('import/objstore_b', { ...access, file: 'big.bin' })
      assert.ok((await steps.download(brought.result.url)).equals(noiseOf(BIG)))
      bucket.halveNext()
      await steps.done('export/objstore_b', { ...access, input: brought.id, file: 'big-copy.bin' })
      assert.ok(bucket.objects.get('big-copy.bin')?.bytes.equals(noiseOf(BIG)))
    })

    test('an object that changes between two connections is not mixed from both', async () => {
      keep('moving.bin', noiseOf(BIG))
      const moved = { bytes: Buffer.alloc(BIG, 1), generation: 8 }
      bucket.cutNext(2 ** 20, 1)
      bucket.onCut = () => bucket.objects.set('moving.bin', moved)
      const { result } = await steps.run('import/objstore_b', { ...access, file: 'moving.bin' })
      bucket.onCut = () => {}
      assert.match(result.msg ?? '', /"moving.bin".* was changed while it was being read/)
    })

    test('where it asks for tokens and objects is not for the caller to say', async () => {
      keep('plain.txt', Buffer.from('x'))
      const more = { endpoint: 'http://evil.example', token_uri: 'http://evil.example' }
      const { json } = await server.call('POST', '/v1/process/import/objstore_b', {
        ...access,
        ...more,
        file: 'plain.txt',
      })
      assert.equal(json.warnings.length, 2)
      assert.equal((await steps.ended('tasks', json.id)).status, 'completed')
    })
  })
}
