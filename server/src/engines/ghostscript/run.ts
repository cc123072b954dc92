/** Runs Ghostscript in a box. Its arguments are made in args.ts. */
import type { Work } from '../../catalog/engine.ts'
import { type Effort, patience } from '../kit/patience.ts'
import { tool } from '../kit/tool.ts'
import { GS_ENV } from './args.ts'

export const GHOSTSCRIPT = { program: '/usr/bin/gs', debian: 'ghostscript' } as const

type Args = (inputs: readonly [string, ...string[]]) => readonly string[]

/** PostScript is a program that may run for ever; a long PDF has pages to show for its time. */
export const ghostscript = (work: Work, args: Args, effort: Omit<Effort, 'bytes'> = {}) => {
  const limits = patience({ bytes: work.input.size, ...effort })
  return tool(work, { program: GHOSTSCRIPT.program, args, env: GS_ENV, limits })
}
