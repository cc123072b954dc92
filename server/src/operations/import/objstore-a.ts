/** import/objstore_a: an object of an S3 bucket, or inside jobs every object below a prefix. */
import { Type } from 'typebox'
import { eitherOr, given, place } from '../access/fields.ts'
import { checkObjstoreA, objstoreAAccess, objstoreASecrets, openObjstoreA } from '../access/objstore-a.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { bringAll, bringOne } from './bring.ts'

export const importObjstoreA = operation({
  name: 'import/objstore_a',
  summary: 'Import from an S3-compatible bucket.',
  lane: 'io',
  inputs: [0, 0],
  params: Type.Object({
    ...objstoreAAccess,
    key: place('Object key of the file.'),
    key_prefix: place('Instead of `key`, inside jobs: every object whose key begins with this.'),
    filename,
  }),
  secrets: objstoreASecrets,
  check(params, { inJob }) {
    // "Alternative to `key`, imports several files; inside jobs only."
    const outside = given(params.key_prefix) && !inJob
    const issues = outside ? [{ path: 'key_prefix', message: 'can be used inside jobs only; use key here.' }] : []
    return [...checkObjstoreA(params), ...issues, ...(outside ? [] : eitherOr(params, 'key', 'key_prefix'))]
  },
  async run(context) {
    const { key, key_prefix } = context.params
    const storage = await openObjstoreA(context.params, context)
    return given(key) ? bringOne(context, storage, key) : bringAll(context, storage, key_prefix ?? '')
  },
})
