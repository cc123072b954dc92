/** Asks qpdf what documents are like. An error names the file; nothing of its contents comes out of the box. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InputFile, Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { JsonObject } from '../../core/task.ts'
import { putFile, removeMade, sizeOfMade } from '../kit/hop-files.ts'
import { tool } from '../kit/tool.ts'
import { askPdfLib } from '../pdf-lib.ts'
import { QPDF, qpdf } from '../pdf-tools/qpdf.ts'

const GB = 2 ** 30
/** Documents are copied, not computed: what they need is room. */
export const COPYING = { cpu: 240, wall: 300_000, file: 4 * GB, disk: 12 * GB }

export const among = (work: Pick<Work, 'dir'>, name: string): string => join(work.dir, name)

/** As if there were no other. */
export const alone = <W extends Work>(work: W, input: InputFile): W => ({ ...work, input, inputs: [input] })

export const withPassword = (password: string | undefined): JsonObject => (password === undefined ? {} : { password })

export interface Survey {
  pages: number
  encrypted: boolean
}

/** Starts one program again and again in one box; the box costs more than looking at a small document does. */
export const XARGS = { program: '/usr/bin/xargs', debian: 'findutils' } as const
/** Some of the runs failed, or one crashed and the rest was left. */
const SOME_FAILED = [123, 124, 125]
const LIST = 'documents.txt'
const JOB = 'job.json'

interface Asked {
  password: string | undefined
  keys: readonly string[]
}

export interface ManySurvey extends Asked {
  /** Under which name what is told of an input is left in the work folder. */
  makes(index: number): string
}

/** Of many documents at once, in order; null for one that is to be asked for alone, which then says what is wrong. */
export async function surveyAll(
  work: Work,
  inputs: readonly InputFile[],
  { password, keys, makes }: ManySurvey,
): Promise<(Survey | null)[]> {
  await putFile(work, JOB, JSON.stringify(withPassword(password)))
  await tool(
    { ...work, inputs },
    {
      program: XARGS.program,
      args: (places) => {
        // Where a document lies is known only now, when the folder has been handed over to whom the box runs as.
        const list = places.map((place, index) => `${place}\n${makes(index)}\n`).join('')
        writeFileSync(join(work.dir, LIST), list, { flag: 'wx', mode: 0o644 })
        const each = [QPDF.program, `--job-json-file=${JOB}`, '--json', ...keys]
        return [`--arg-file=${LIST}`, '--delimiter=\\n', '--max-args=2', '--max-procs=2', '--no-run-if-empty', ...each]
      },
      accepts: SOME_FAILED,
      limits: COPYING,
    },
  )
  await Promise.all([LIST, JOB].map((name) => removeMade(work, name)))
  const sizes = await Promise.all(inputs.map((_, index) => sizeOfMade(work, makes(index)).catch(() => 0)))
  const told = sizes.flatMap((size, index) => (size > 0 ? [index] : []))
  const reads = told.map((index) => among(work, makes(index)))
  const found = reads.length && (await askPdfLib(work, { task: 'surveys' }, { about: work.input, reads, makes: null }))
  const { pages, encrypted } = found || {}
  const surveys = inputs.map((): Survey | null => null)
  for (const [at, index] of told.entries()) {
    const count = Array.isArray(pages) ? pages[at] : 0
    if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0)
      surveys[index] = { pages: count, encrypted: Array.isArray(encrypted) && encrypted[at] === true }
  }
  return surveys
}

interface OneSurvey extends Asked {
  /** A file in the work folder that is looked at instead of the input. */
  from?: string | undefined
  /** Under which name what is told is left in the work folder. */
  makes: string
}

export async function survey(
  work: Work,
  input: InputFile,
  { password, keys, from, makes }: OneSurvey,
): Promise<Survey> {
  if (input.size === 0) throw new Failure('processing_failed', `The file ${input.filename} is empty.`)
  await qpdf(alone(work, input), { from, to: makes, job: withPassword(password), args: () => ['--json', ...keys] })
  const told = await askPdfLib(work, { task: 'survey' }, { about: input, reads: among(work, makes), makes: null })
  const { pages, encrypted } = told
  if (typeof pages === 'number' && Number.isSafeInteger(pages) && pages > 0) {
    return { pages, encrypted: encrypted === true }
  }
  throw new Failure('processing_failed', `The file ${input.filename} could not be read.`, JSON.stringify(told))
}
