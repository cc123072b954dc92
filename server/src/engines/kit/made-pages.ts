/** The files a program left, one a page, under names of ours with the number in them. */
import { readdir } from 'node:fs/promises'
import type { Work } from '../../catalog/engine.ts'
import { Failure } from '../../core/errors.ts'
import { removeMade } from './hop-files.ts'

export const pageNamed = (ending: string): RegExp => new RegExp(`^page-(\\d+)\\.${ending}$`)

async function numberedPages({ dir }: Pick<Work, 'dir'>, ending: string): Promise<{ name: string; at: number }[]> {
  return (await readdir(dir)).flatMap((name) => {
    const [, digits] = pageNamed(ending).exec(name) ?? []
    return digits === undefined ? [] : [{ name, at: Number(digits) }]
  })
}

/** Those from a number on. */
export async function removePages(work: Work, ending: string, first: number): Promise<void> {
  const late = (await numberedPages(work, ending)).filter(({ at }) => at >= first)
  await Promise.all(late.map(({ name }) => removeMade(work, name)))
}

/** In the order of their numbers. Fewer than there are pages would be a result with a hole in it. */
export async function madePages(work: Work, ending: string, expected: number): Promise<string[]> {
  const numbered = await numberedPages(work, ending)
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
