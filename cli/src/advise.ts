/** Makes a refusal helpful: what does not exist is answered with what was probably meant, and little else. */
import { type Reforge, ReforgeError } from '@reforge/sdk'
import type { Values } from './flags.ts'
import { nearest } from './nearest.ts'
import { formatOf } from './targets.ts'

/** The server lists everything that is possible, which is more than a terminal wants to show. */
export async function advise(reforge: Reforge, error: unknown, values: Values): Promise<unknown> {
  if (!(error instanceof ReforgeError)) return error
  // It has named the option that was meant; the list of all others would hide it.
  const [meantOption] = /^.*Did you mean [^?]+\?/s.exec(error.message) ?? []
  if (error.code === 'job_failed' && meantOption)
    return new ReforgeError(`${meantOption} See: reforge options`, { code: error.code })
  if (error.status !== 400) return error
  const about = error.errors.find(({ path }) => /(output|input)_format$/.test(path))
  if (!about) return error
  const isOutput = about.path.endsWith('output_format')
  const word = formatOf(isOutput ? (values.to ?? wordIn(about.message)) : (values.from ?? wordIn(about.message)))
  if (!word) return error
  const list = await reforge.formats.all().catch(() => null)
  const known = list?.formats.map(({ ext }) => ext) ?? []
  if (known.length === 0 || known.includes(word)) return error
  const meant = nearest(word, known)
  const hint = meant ? ` Did you mean ${meant}?` : ''
  return new ReforgeError(`There is no format ${word} here.${hint} See: reforge formats`, { code: error.code })
}

const wordIn = (message: string): string | undefined => /^"([^"]+)"/.exec(message)?.[1]
