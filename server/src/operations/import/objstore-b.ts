/** import/objstore_b: an object of a bucket that a service account opens. */
import { Type } from 'typebox'
import { text } from '../access/fields.ts'
import { objstoreBAccess, objstoreBSecrets, openObjstoreB } from '../access/objstore-b.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { bringOne } from './bring.ts'

export const importObjstoreB = operation({
  name: 'import/objstore_b',
  summary: 'Import from a bucket by a service account.',
  lane: 'io',
  inputs: [0, 0],
  params: Type.Object({ ...objstoreBAccess, file: text('Object name in the bucket, including path.'), filename }),
  secrets: objstoreBSecrets,
  run: async (context) => bringOne(context, openObjstoreB(context.params, context), context.params.file),
})
