/** Runs Ghostscript in a box. Its arguments are made in ghostscript-args.ts. */
import type { Work } from '../../catalog/engine.ts'
import { tool } from '../kit/tool.ts'
import { GS_ENV } from './args.ts'

export const GHOSTSCRIPT = { program: '/usr/bin/gs', debian: 'ghostscript' } as const

type Args = (inputs: readonly [string, ...string[]]) => readonly string[]

/** PostScript is a program that may run for ever; a long PDF has pages to show for its time. */
const SECONDS = { ps: 60, pdf: 120 } as const

export const ghostscript = (work: Work, args: Args) => {
  const cpu = SECONDS[work.input.format === 'pdf' ? 'pdf' : 'ps']
  return tool(work, { program: GHOSTSCRIPT.program, args, env: GS_ENV, limits: { cpu, wall: cpu * 1500 } })
}
