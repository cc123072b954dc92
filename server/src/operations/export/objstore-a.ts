/** export/objstore_a: writes files into an S3 bucket. */
import { Type } from 'typebox'
import { eitherOr, place } from '../access/fields.ts'
import { checkObjstoreA, objstoreAAccess, objstoreASecrets, openObjstoreA } from '../access/objstore-a.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { checkServed, send, served } from './send.ts'

const ACLS = [
  'private',
  'public-read',
  'public-read-write',
  'authenticated-read',
  'aws-exec-read',
  'bucket-owner-read',
  'bucket-owner-full-control',
] as const

export const exportObjstoreA = operation({
  name: 'export/objstore_a',
  summary: 'Export to an S3-compatible bucket.',
  lane: 'io',
  inputs: [1, 1000],
  params: Type.Object({
    ...objstoreAAccess,
    key: place('Object key of the file; several files are numbered.'),
    key_prefix: place('Instead of `key`: what keys begin with, before the name of each file.'),
    acl: Type.Optional(
      Type.Union(
        ACLS.map((acl) => Type.Literal(acl)),
        { description: 'Who may read the objects.' },
      ),
    ),
    ...served,
    filename,
  }),
  secrets: objstoreASecrets,
  check: (params) => [...checkObjstoreA(params), ...eitherOr(params, 'key', 'key_prefix'), ...checkServed(params)],
  async run(context) {
    const { bucket, key, key_prefix } = context.params
    const storage = await openObjstoreA(context.params, context)
    return send(context, storage, { name: key, prefix: key_prefix, tell: (name) => ({ bucket, key: name }) })
  },
})
