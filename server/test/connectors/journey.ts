/** One request, several storages. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { noAzurite } from '../peers/azurite.ts'
import { noSshd } from '../peers/sshd.ts'
import { noSwift } from '../peers/swift.ts'
import { picture } from '../support/pictures.ts'
import { pdfFact, soundPdf } from '../support/sample-pdf.ts'
import type { Field } from './field.ts'

/** Each suite before this one carried a file of 20 MB both ways. */
export function progressSuite({ listener }: Field): void {
  const carried = { objstore_a: noSwift, objstore_b: false, blobstore: noAzurite, sftp: noSshd }
  for (const [name, skip] of Object.entries(carried))
    test(`the progress of ${name} is told in percent, both ways`, { skip }, () => {
      for (const operation of [`import/${name}`, `export/${name}`]) {
        const told = listener.heard.filter(
          ({ event, data }) => event === 'task_min_update' && data.operation === operation,
        )
        assert.ok(told.length > 0, operation)
        for (const { data } of told) assert.ok(data.percent >= 1 && data.percent <= 100, data.percent)
      }
    })
}

export function journeySuite({ swift, azurite, steps }: Field): void {
  describe('a job over several storages', { skip: noSwift || noAzurite }, () => {
    test('two objects by prefix → merged → compressed → blob storage and a link, in one request', async () => {
      const { access } = swift
      const s3 = new S3Client({
        region: access.region,
        endpoint: access.endpoint,
        forcePathStyle: true,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        credentials: { accessKeyId: access.access_key_id, secretAccessKey: access.secret_access_key },
      })
      await s3.send(new CreateBucketCommand({ Bucket: 'albums' }))
      const pictures = { 'trip/1.png': await picture('png'), 'trip/2.jpg': await picture('jpeg') }
      for (const [Key, Body] of Object.entries(pictures))
        await s3.send(new PutObjectCommand({ Bucket: 'albums', Key, Body }))
      const key = new StorageSharedKeyCredential(azurite.account, azurite.key)
      const service = new BlobServiceClient(azurite.url.replace('{account}', azurite.account), key)
      const container = service.getContainerClient('albums')
      await container.create()

      const blobstore = { container: 'albums', storage_account: azurite.account, storage_access_key: azurite.key }
      const { id } = await steps.create('jobs', {
        tag: 'album',
        tasks: {
          pictures: { operation: 'import/objstore_a', bucket: 'albums', ...access, key_prefix: 'trip/' },
          album: { operation: 'merge', input: 'pictures', output_format: 'pdf', filename: 'album.pdf' },
          small: { operation: 'compress', input: 'album' },
          shelf: { operation: 'export/blobstore', input: 'small', ...blobstore, blob_prefix: 'done/' },
          link: { operation: 'export/url', input: 'shelf' },
        },
      })
      const job = await steps.ended('jobs', id)
      assert.equal(job.status, 'completed', JSON.stringify(job.tasks))
      const [, , , shelf, link] = job.tasks
      assert.equal(shelf.result.blob, 'done/album.pdf')
      const linked = await steps.download(link.result.url)
      assert.ok((await container.getBlobClient('done/album.pdf').downloadToBuffer()).equals(linked))
      await soundPdf(linked)
      assert.equal(await pdfFact(linked, 'Pages'), '2')
    })
  })
}
