/** The files a program left, one a page, under names of ours with the number in them. */
import { readdir } from 'node:fs/promises'
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'

export const pageNamed = (ending: string): RegExp => new RegExp(`^page-(\\d+)\\.${ending}$`)

/** In the order of their numbers. Fewer than there are pages would be a result with a hole in it. */
export async function madePages(work: Work, ending: string, expected: number): Promise<string[]> {
  const numbered = (await readdir(work.dir)).flatMap((name) => {
    const [, digits] = pageNamed(ending).exec(name) ?? []
    return digits === undefined ? [] : [{ name, at: Number(digits) }]
  })
  const { filename } = work.input
  if (numbered.length < expected)
    throw new Failure(
      'processing_failed',
      `Only ${numbered.length} of the ${expected} pages of "${filename}" could be drawn: it is damaged.`,
    )
  return numbered.sort((a, b) => a.at - b.at).map(({ name }) => name)
}

/** `0007`, as wide as the last of them. */
export const padded = (page: number, pages: number): string => String(page).padStart(String(pages).length, '0')
