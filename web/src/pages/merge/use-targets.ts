/** What all of these files can become together. */
import { useQueries } from '@tanstack/react-query'
import { formatsQuery } from '../../data/queries.ts'
import { useReforge } from '../../session/session.tsx'
import type { Item } from './items.ts'

/** A document is what people mostly want. */
const ORDER = ['pdf', 'gif', 'webp']
const rank = (ext: string): number => (ORDER.includes(ext) ? ORDER.indexOf(ext) : ORDER.length)

/** Undefined while it is asked for. */
export function useTargets(items: readonly Item[]): string[] | undefined {
  const reforge = useReforge()
  const kinds = [...new Set(items.map(({ subject }) => subject.format))]
  return useQueries({
    queries: kinds.map((input_format) => formatsQuery(reforge, 'merge', { input_format })),
    combine: (answers) => {
      if (answers.some(({ data }) => !data)) return undefined
      const [first = [], ...others] = answers.map(({ data = [] }) => data.map(({ ext }) => ext))
      const all = first.filter((ext) => others.every((list) => list.includes(ext)))
      return all.toSorted((a, b) => rank(a) - rank(b))
    },
  })
}
