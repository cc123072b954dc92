/** Asks qpdf what one document is like. An error names the file; nothing of its contents comes out of the box. */
import { join } from 'node:path'
import type { InputFile, Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { JsonObject } from '../../core/task.ts'
import { askPdfLib } from '../pdf-lib.ts'
import { qpdf } from '../pdf-tools/qpdf.ts'

const GB = 2 ** 30
/** Documents are copied, not computed: what they need is room. */
export const COPYING = { cpu: 240, wall: 300_000, file: 4 * GB, disk: 12 * GB }

export const among = (work: Pick<Work, 'dir'>, name: string): string => join(work.dir, name)

export const withPassword = (password: string | undefined): JsonObject => (password === undefined ? {} : { password })

export interface Survey {
  pages: number
  encrypted: boolean
}

/** What qpdf tells is left in the work folder under the name `makes`. */
export async function survey(
  work: Work,
  input: InputFile,
  password: string | undefined,
  keys: readonly string[],
  makes: string,
): Promise<Survey> {
  if (input.size === 0) throw new Failure('processing_failed', `The file ${input.filename} is empty.`)
  const alone = { ...work, input, inputs: [input] }
  await qpdf(alone, { to: makes, job: withPassword(password), args: () => ['--json', ...keys] })
  const told = await askPdfLib(work, { task: 'survey' }, { about: input, reads: among(work, makes), makes: null })
  const { pages, encrypted } = told
  if (typeof pages === 'number' && Number.isSafeInteger(pages) && pages > 0) {
    return { pages, encrypted: encrypted === true }
  }
  throw new Failure('processing_failed', `The file ${input.filename} could not be read.`, JSON.stringify(told))
}
