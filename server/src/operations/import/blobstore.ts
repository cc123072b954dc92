/** import/blobstore: a blob of a container. */
import { Type } from 'typebox'
import { blobstoreAccess, blobstoreSecrets, checkBlobstore, openBlobstore } from '../access/blobstore.ts'
import { text } from '../access/fields.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { bringOne } from './bring.ts'

export const importBlobstore = operation({
  name: 'import/blobstore',
  summary: 'Import from a blob container.',
  lane: 'io',
  inputs: [0, 0],
  params: Type.Object({ ...blobstoreAccess, blob: text('Blob name including path.'), filename }),
  secrets: blobstoreSecrets,
  check: checkBlobstore,
  run: async (context) => bringOne(context, await openBlobstore(context.params, context), context.params.blob),
})
