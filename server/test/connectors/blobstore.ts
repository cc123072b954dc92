/** Containers of blobs, against the vendor's own emulator. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  BlobSASPermissions,
  BlobServiceClient,
  type ContainerClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob'
import { noAzurite } from '../peers/azurite.ts'
import type { Shown } from '../support/steps.ts'
import { type Field, noiseOf, ODD_NAMES } from './field.ts'

const BIG = 20 * 2 ** 20
const MINUTE = 60_000

export function blobstoreSuite(field: Field): void {
  describe('blobstore', { concurrency: 1, skip: noAzurite }, () => {
    const { azurite, azuriteCut, steps, server } = field
    const named = { container: 'shelf', storage_account: azurite?.account }
    const access = { ...named, storage_access_key: azurite?.key }
    let container: ContainerClient
    let credential: StorageSharedKeyCredential

    const sas = (permissions: string, from: number, until: number): string => {
      const token = generateBlobSASQueryParameters(
        {
          containerName: 'shelf',
          permissions: BlobSASPermissions.parse(permissions),
          startsOn: new Date(Date.now() + from),
          expiresOn: new Date(Date.now() + until),
        },
        credential,
      ).toString()
      field.secrets.add(new URLSearchParams(token).get('sig') ?? token)
      return token
    }
    const failure = async (what: object, code: string, says: RegExp) => {
      const task = await steps.run('import/blobstore', { ...named, blob: 'plain.txt', ...what })
      assert.equal(task.result.errorCode, code, JSON.stringify(task.result))
      assert.match(task.result.msg, says)
    }

    before(async () => {
      credential = new StorageSharedKeyCredential(azurite.account, azurite.key)
      const url = azurite.url.replace('{account}', azurite.account)
      container = new BlobServiceClient(url, credential).getContainerClient('shelf')
      await container.create()
      for (const name of ['plain.txt', ...ODD_NAMES.map((each) => `odd/${each}`)])
        await container.getBlockBlobClient(name).uploadData(Buffer.from(name))
    })

    test('blobs with any name go in and out, with the key and with a token', async () => {
      const token = sas('racw', -MINUTE, MINUTE * 10)
      for (const [index, name] of ODD_NAMES.entries()) {
        const how = index % 2 === 0 ? access : { ...named, sas_token: index === 1 ? `?${token}` : token }
        const { id, result } = await steps.done('import/blobstore', { ...how, blob: `odd/${name}` })
        assert.equal((await steps.download(result.url)).toString(), `odd/${name}`)
        const sent = await steps.done('export/blobstore', { ...how, input: id, blob: `copy/${name}` })
        assert.deepEqual(
          [sent.result.container, sent.result.blob, sent.result.url],
          ['shelf', `copy/${name}`, undefined],
        )
        const copy = container.getBlobClient(`copy/${name}`)
        assert.equal((await copy.downloadToBuffer()).toString(), `odd/${name}`)
        assert.equal((await copy.getProperties()).contentType, 'text/plain')
      }
    })

    test('a wrong key and a tampered or expired token are invalid credentials', async () => {
      const wrong = Buffer.alloc(64, 7).toString('base64')
      field.secrets.add(wrong)
      await failure({ storage_access_key: wrong }, 'invalid_credentials', /credentials/)
      const good = sas('r', -MINUTE, MINUTE)
      const tampered = good.replace(/sig=(.)/, (_, first) => `sig=${first === 'A' ? 'B' : 'A'}`)
      await failure({ sas_token: tampered }, 'invalid_credentials', /credentials/)
      await failure({ sas_token: sas('r', -2 * MINUTE, -MINUTE) }, 'invalid_credentials', /credentials/)
    })

    test('a token without the right, a missing blob and a missing container are told apart', async () => {
      await failure({ sas_token: sas('w', -MINUTE, MINUTE) }, 'insufficient_permission', /no right to "plain.txt"/)
      await failure({ ...access, blob: 'gone.txt' }, 'processing_failed', /"gone.txt" in the container "shelf"/)
      await failure({ ...access, container: 'nowhere' }, 'processing_failed', /container "nowhere" does not exist/)
      const source = await steps.imported(Buffer.from('x'), 'x.txt')
      const aim = { ...named, sas_token: sas('r', -MINUTE, MINUTE), input: source.id, blob: 'not-mine.txt' }
      assert.equal((await steps.run('export/blobstore', aim)).result.errorCode, 'insufficient_permission')
    })

    test('the key is not needed with a token, one of them is', async () => {
      const { status, json } = await server.call('POST', '/v1/process/import/blobstore', { ...named, blob: 'a' })
      assert.equal(status, 400)
      assert.deepEqual(
        json.errors.map(({ path }: Shown) => path),
        ['storage_access_key'],
      )
      const bad = await server.call('POST', '/v1/process/import/blobstore', {
        ...access,
        storage_account: 'a.b',
        blob: 'a',
      })
      assert.match(bad.text, /storage_account/)
    })

    test('an empty file goes in and out', async () => {
      await container.getBlockBlobClient('empty.txt').uploadData(Buffer.alloc(0))
      const { id, result } = await steps.done('import/blobstore', { ...access, blob: 'empty.txt' })
      assert.equal(result.size, 0)
      await steps.done('export/blobstore', { ...access, input: id, blob_prefix: 'copy/' })
      assert.equal((await container.getBlobClient('copy/empty.txt').getProperties()).contentLength, 0)
    })

    test('a connection that breaks again and again changes no byte, neither in nor out', async () => {
      await container.getBlockBlobClient('big.bin').uploadData(noiseOf(BIG))
      const before = azuriteCut.cuts()
      azuriteCut.cut(6 * 2 ** 20, 3)
      const brought = await steps.done('import/blobstore', { ...access, blob: 'big.bin' })
      assert.equal(azuriteCut.cuts(), before + 3, 'it was cut')
      assert.ok((await steps.download(brought.result.url)).equals(noiseOf(BIG)))
      azuriteCut.cut(3 * 2 ** 20, 2, 'up')
      await steps.done('export/blobstore', { ...access, input: brought.id, blob: 'big-copy.bin' })
      assert.equal(azuriteCut.cuts(), before + 5, 'it was cut')
      assert.ok((await container.getBlobClient('big-copy.bin').downloadToBuffer()).equals(noiseOf(BIG)))
    })

    test('a server that goes away for good leaves a failed task and no blob', async () => {
      const brought = await steps.done('import/blobstore', { ...access, blob: 'big.bin' })
      azuriteCut.cut(4 * 2 ** 20, 1000, 'up')
      const { result } = await steps.run('export/blobstore', { ...access, input: brought.id, blob: 'half.bin' })
      azuriteCut.cut(0, 0)
      assert.equal(result.errorCode, 'processing_failed')
      assert.match(result.msg, /127\.0\.0\.1/)
      assert.equal(await container.getBlobClient('half.bin').exists(), false)
    })
  })
}
