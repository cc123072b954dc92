/** Of the files that were found in folders, those that can be worked on. Named files are never left out. */

import { extname } from 'node:path'
import { type Processing, ReforgeError } from '@reforge/sdk'
import type { Context } from './command.ts'
import { UsageError } from './exit.ts'
import type { Target } from './targets.ts'

const endingOf = (path: string): string => extname(path).slice(1).toLowerCase()

export async function fitting(context: Context, verb: Processing, to: string | undefined, targets: readonly Target[]) {
  const found = targets.filter((target) => target.found)
  if (found.length === 0) return targets
  const { options } = await context.reforge()
  const endings = [...new Set(found.map(({ input }) => endingOf(input)))]
  const fits = new Set<string>()
  const ask = async (ending: string) => {
    try {
      await options[verb]({ input_format: ending, ...(to && { output_format: to }) })
      fits.add(ending)
    } catch (error) {
      if (!(error instanceof ReforgeError) || error.status !== 400) throw error
    }
  }
  await Promise.all(endings.filter(Boolean).map(ask))
  const left = targets.filter((target) => !target.found || fits.has(endingOf(target.input)))
  const out = targets.length - left.length
  const because = to ? `cannot become ${to}` : `cannot be used with ${verb}`
  if (left.length === 0) throw new UsageError(`Of the ${out} files found, all ${because}. See: reforge formats`)
  if (out) context.err.write(`${out} ${out === 1 ? 'file' : 'files'} left out: ${because}.\n`)
  return left
}
