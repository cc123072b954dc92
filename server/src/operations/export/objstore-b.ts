/** export/objstore_b: writes files into a bucket that a service account opens. */
import { Type } from 'typebox'
import { eitherOr, place } from '../access/fields.ts'
import { objstoreBAccess, objstoreBSecrets, openObjstoreB } from '../access/objstore-b.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { checkServed, send, served } from './send.ts'

export const exportObjstoreB = operation({
  name: 'export/objstore_b',
  summary: 'Export to a bucket by a service account.',
  lane: 'io',
  inputs: [1, 1000],
  params: Type.Object({
    ...objstoreBAccess,
    file: place('Object name of the file; several files are numbered.'),
    file_prefix: place('Instead of `file`: what names begin with, before the name of each file.'),
    ...served,
    filename,
  }),
  secrets: objstoreBSecrets,
  check: (params) => [...eitherOr(params, 'file', 'file_prefix'), ...checkServed(params)],
  async run(context) {
    const { bucket, file, file_prefix } = context.params
    const storage = openObjstoreB(context.params, context)
    return send(context, storage, { name: file, prefix: file_prefix, tell: (name) => ({ bucket, file: name }) })
  },
})
