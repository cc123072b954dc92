/** Brings a job of the list onto the table, once, when the address names it: /builder/job/<id>. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useRoute } from 'wouter'
import { useNotifyError } from '../../components/error-box.tsx'
import { jobQuery } from '../../data/queries.ts'
import { useReforge } from '../../session/session.tsx'
import { againOf } from '../jobs/again.ts'
import { draftOf } from './draft.ts'
import type { Builder } from './use-builder.ts'

/** True while it is on its way. */
export function useFromJob({ edit, select, setRun }: Builder): boolean {
  const [matches, params] = useRoute('/builder/job/:id')
  const [, navigate] = useLocation()
  const notifyError = useNotifyError()
  const { data: job, error } = useQuery({ ...jobQuery(useReforge(), params?.id ?? ''), enabled: matches })
  const take = useEffectEvent(() => {
    if (!job) return
    const draft = draftOf(againOf(job, Date.now()).body)
    if (draft) edit(() => blanked(draft))
    select(undefined)
    setRun(undefined)
    navigate('/builder', { replace: true })
  })
  const fail = useEffectEvent(() => {
    notifyError(error)
    navigate('/builder', { replace: true })
  })
  useEffect(() => {
    if (job) take()
  }, [job])
  useEffect(() => {
    if (error) fail()
  }, [error])
  return matches
}

/** What a record hides must be entered anew. */
function blanked<T extends { steps: readonly { params: Readonly<Record<string, unknown>> }[] }>(draft: T): T {
  const shown = (params: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(params).filter(([, value]) => value !== '***'))
  return { ...draft, steps: draft.steps.map((step) => ({ ...step, params: shown(step.params) })) }
}
