/** export/blobstore: writes files into a container of blobs. */
import { Type } from 'typebox'
import { blobstoreAccess, blobstoreSecrets, checkBlobstore, openBlobstore } from '../access/blobstore.ts'
import { eitherOr, place } from '../access/fields.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { checkServed, send, served } from './send.ts'

export const exportBlobstore = operation({
  name: 'export/blobstore',
  summary: 'Export to a blob container.',
  lane: 'io',
  inputs: [1, 1000],
  params: Type.Object({
    ...blobstoreAccess,
    blob: place('Blob name of the file; several files are numbered.'),
    blob_prefix: place('Instead of `blob`: what names begin with, before the name of each file.'),
    ...served,
    filename,
  }),
  secrets: blobstoreSecrets,
  check: (params) => [...checkBlobstore(params), ...eitherOr(params, 'blob', 'blob_prefix'), ...checkServed(params)],
  async run(context) {
    const { container, blob, blob_prefix } = context.params
    const storage = await openBlobstore(context.params, context)
    return send(context, storage, { name: blob, prefix: blob_prefix, tell: (name) => ({ container, blob: name }) })
  },
})
