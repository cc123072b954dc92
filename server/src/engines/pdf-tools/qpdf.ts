/**
 * Runs qpdf in a box. Everything a user wrote, passwords above all, goes to it in a file and never on a command line, which
 * others on the machine could read.
 */
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import type { JsonObject } from '../../core/task.ts'
import type { BoxResult, Limits } from '../../ports/sandbox.ts'
import { putFile, removeMade } from '../kit/hop-files.ts'
import { tool } from '../kit/tool.ts'

export const QPDF = { program: '/usr/bin/qpdf', debian: 'qpdf' } as const

/** It repaired something and says so. */
const WARNED = 3
const JOB = 'job.json'

export interface QpdfRun {
  /** A file in the work folder; without it, the input. */
  from?: string
  to?: string
  /** As in qpdf's `--job-json-help`. */
  job?: JsonObject
  /** Further arguments that hold paths. */
  args?: (inputs: readonly [string, ...string[]]) => readonly string[]
  limits?: Partial<Limits>
}

export async function qpdf(work: Work, { from, to, job = {}, args, limits }: QpdfRun): Promise<BoxResult> {
  await putFile(work, JOB, JSON.stringify(job))
  try {
    return await tool(work, {
      program: QPDF.program,
      args: (inputs) => [`--job-json-file=${JOB}`, ...(args?.(inputs) ?? []), from ?? inputs[0], ...(to ? [to] : [])],
      accepts: [WARNED],
      limits: { cpu: 120, wall: 180_000, ...limits },
      explain: (words) => (/invalid password/.test(words) ? lockedWords(work, job.password !== undefined) : null),
    })
  } finally {
    await removeMade(work, JOB)
  }
}

export const lockedWords = ({ input }: Work, tried: boolean): string =>
  tried
    ? `The password in the option pdf_password does not open "${input.filename}".`
    : `The file "${input.filename}" is protected by a password. Add it as the option pdf_password.`

export const locked = (work: Work, tried: boolean, detail?: string): Failure =>
  new Failure('processing_failed', lockedWords(work, tried), detail)
