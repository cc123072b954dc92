/** A password on documents that LibreOffice writes without one: Word's, Excel's and PowerPoint's of today. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ext } from '../../catalog/formats.ts'
import { Failure } from '../../core/errors.ts'
import { nodeResident } from '../resident/node.ts'
import type { Hop } from './way.ts'

const MB = 2 ** 20
/** It is held in memory, more than once. */
const MOST_BYTES = 256 * MB
const LOCKED_HERE: readonly Ext[] = ['docx', 'xlsx', 'pptx']

const worker = nodeResident({
  id: 'office-lock',
  files: ['office/worker', 'office/agile-encryption', 'office/compound-file', 'resident/inside'],
  recycleAfter: 200,
  timeout: 60_000,
  limits: { memory: 2048 * MB, addressSpace: null, processes: 32, file: 512 * MB, tmp: 16 * MB },
})

export const isLockedHere = (to: Ext): boolean => LOCKED_HERE.includes(to)

/** Answers the name of the locked one. */
export async function lock(work: Pick<Hop, 'ask' | 'dir' | 'input'>, name: string, password: string): Promise<string> {
  const path = join(work.dir, name)
  if ((await stat(path)).size > MOST_BYTES)
    throw new Failure(
      'processing_failed',
      `"${work.input.filename}" becomes larger than ${MOST_BYTES / MB} MB, which is too much for document_new_password.`,
    )
  const locked = `locked-${name}`
  await work.ask(worker, { password }, path, join(work.dir, locked))
  return locked
}
