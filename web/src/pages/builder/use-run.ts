/** Runs a draft: makes the job, sends its files, and tells how each step is by its task. */
import type { Job, Task } from '@reforge/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNotifyError } from '../../components/error-box.tsx'
import { jobQuery } from '../../data/queries.ts'
import { useReforge } from '../../session/session.tsx'
import { sendAll } from '../../work/send-all.ts'
import { bodyOf } from './draft.ts'
import type { Builder } from './use-builder.ts'

/** The tasks of the last run, by the names of their steps. */
export type States = ReadonlyMap<string, Task>

export function useRun({ draft, files, run, setRun }: Builder) {
  const reforge = useReforge()
  const queries = useQueryClient()
  const notifyError = useNotifyError()
  const [sent, setSent] = useState<ReadonlyMap<string, number>>(new Map())
  const { data: job } = useQuery({ ...jobQuery(reforge, run ?? ''), enabled: run !== undefined })
  const start = useMutation({
    mutationFn: () => reforge.jobs.create(bodyOf(draft)),
    onSuccess: (created: Job) => {
      queries.setQueryData(['job', created.id], created)
      setSent(new Map())
      setRun(created.id)
      const named = Object.fromEntries(draft.steps.map(({ id, name }) => [name, files.get(id) ?? null]))
      const onProgress = (task: string, percent: number) => setSent((old) => new Map(old).set(task, percent))
      sendAll(reforge, created, named, { onProgress }).catch(notifyError)
    },
  })
  const states = useMemo<States>(
    () => new Map(run && job ? (job.tasks ?? []).map((task) => [task.name, task]) : []),
    [run, job],
  )
  return { start, job: run ? job : undefined, states, sent }
}
