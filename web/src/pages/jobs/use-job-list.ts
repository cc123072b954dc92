/** The pages of the list that are looked at, asked for as one, so that what is shown is of one moment. */
import type { Job, JobsQuery } from '@reforge/sdk'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLive } from '../../data/live.tsx'
import { useReforge } from '../../session/session.tsx'

export type Filter = Pick<JobsQuery, 'status' | 'tag' | 'operation' | 'search'>

export interface Stretch {
  filter: Filter
  total: number
  /** Place of the first row in the whole list. */
  first: number
  rows: Job[]
}

const PAGE = 50
const KEY = ['jobs', 'list'] as const

export const rowAt = ({ first, rows }: Stretch, index: number): Job | undefined => rows[index - first]

/** From the first to the last row that is to be shown. */
export function useJobList(filter: Filter, from: number, to: number) {
  const reforge = useReforge()
  const queries = useQueryClient()
  useLive(({ data }) => {
    if ('operation' in data && typeof data.job === 'string') putTask(queries, data.job, data)
  })
  const firstPage = Math.floor(from / PAGE) + 1
  const lastPage = Math.max(firstPage, Math.floor(to / PAGE) + 1)
  return useQuery({
    queryKey: [...KEY, filter, firstPage, lastPage],
    queryFn: async ({ signal }): Promise<Stretch> => {
      const numbers = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index)
      const pages = await Promise.all(
        numbers.map((page) => reforge.jobs.list({ ...filter, page, per_page: PAGE, include: 'tasks' }, { signal })),
      )
      const total = pages[0]?.totalDocs ?? 0
      return { filter, total, first: (firstPage - 1) * PAGE, rows: pages.flatMap(({ docs }) => docs) }
    },
    // What was there stays until the next is: nothing jumps.
    placeholderData: (before) => before,
  })
}

type Task = NonNullable<Job['tasks']>[number]

/** A task's event says more often how far it is than the list is asked for. */
function putTask(queries: QueryClient, id: string, task: Task): void {
  queries.setQueriesData<Stretch>({ queryKey: KEY, type: 'active' }, (stretch) => {
    const at = stretch?.rows.findIndex((job) => job.id === id) ?? -1
    const job = stretch?.rows[at]
    if (!stretch || !job) return stretch
    const tasks = job.tasks?.map((old) => (old.id === task.id ? task : old)) ?? []
    return { ...stretch, rows: stretch.rows.with(at, { ...job, tasks }) }
  })
}
