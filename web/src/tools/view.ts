/** Something to look at or listen to that the server makes of a file, where the browser cannot read the file itself. */
import type { Reforge, TaskBody } from '@reforge/sdk'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { here } from '../place.ts'
import { useReforge } from '../session/session.tsx'
import { createGate } from '../work/gate.ts'
import { ended, filesOf, importQuery, type Subject } from './subject.ts'

export type Step = Pick<TaskBody<'convert'>, 'output_format' | 'options'>

/** Looking must not keep the work waiting. */
const room = createGate(2)

/** The steps one after the other; without any, the file itself. Answers where the first result is. */
const viewQuery = (reforge: Reforge, queries: QueryClient, subject: Subject, steps: readonly Step[]) =>
  queryOptions({
    queryKey: ['view', subject.id, steps],
    queryFn: async () => {
      let task = await queries.fetchQuery(importQuery(reforge, queries, subject))
      await room.through(async () => {
        for (const step of steps) {
          const { id } = await reforge.tasks.create('convert', { input: task.id, ...step })
          task = ended(await reforge.tasks.wait(id))
        }
      })
      const [file] = filesOf(task)
      if (!file) throw new Error('nothing came of it')
      return here(file.url)
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export function useView(subject: Subject, steps: readonly Step[] | null) {
  const reforge = useReforge()
  const queries = useQueryClient()
  return useQuery({ ...viewQuery(reforge, queries, subject, steps ?? []), enabled: steps !== null })
}
