/** `const work = useWork()`: runs a piece of work for whoever is here, as a guest where nobody is. */
import { useCallback } from 'react'
import { useListen } from '../data/live.tsx'
import { useSession } from '../session/session.tsx'
import { type Outcome, runWork, type WorkOptions, type WorkRequest } from './run.ts'

export type Work = (request: WorkRequest, options: Omit<WorkOptions, 'listen'>) => Promise<Outcome>

export function useWork(): Work {
  const { enter } = useSession()
  const listen = useListen()
  return useCallback(
    async (request, options) => runWork(await enter(), request, { ...options, listen }),
    [enter, listen],
  )
}
