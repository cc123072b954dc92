/**
 * The program in the box that puts a password on a document. It is started by path (see locking.ts), never imported by the
 * server, and may use nothing but Node's own modules and the files bound beside it.
 */
import { serve } from '../resident/inside.ts'
import { lockedDocument } from './agile-encryption.ts'

await serve(async (question, [document = Buffer.alloc(0)]) => {
  const { password } = question as { password: string }
  return { answer: {}, body: lockedDocument(document, password) }
})
