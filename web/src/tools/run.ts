/** One run of an operation on what a page has: from the click to the result. Outlives the page. */
import type { TaskDefinition } from '@reforge/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session.tsx'
import type { Outcome, Stage } from '../work/run.ts'
import { useWork } from '../work/use-work.ts'
import { createHeld, type Held, useHeld } from './held.ts'
import { forget, importQuery, type Subject } from './subject.ts'

export type RunState =
  | { stage: 'idle' }
  | { stage: Stage; percent?: number | undefined }
  | { stage: 'done'; outcome: Outcome }
  | { stage: 'failed'; error: unknown }

interface Now {
  state: RunState
  abort: AbortController | null
}

/** What to do, given by what names the files go. */
export type Recipe = (inputs: readonly string[]) => { task: TaskDefinition; more?: Record<string, TaskDefinition> }

export type Run = Held<Now>
export const createRun = (): Run => createHeld<Now>({ state: { stage: 'idle' }, abort: null })

export const isRunning = ({ stage }: RunState): boolean => !['idle', 'done', 'failed'].includes(stage)

export function useRun(run: Run) {
  const { state, abort } = useHeld(run)
  const work = useWork()
  const { enter } = useSession()
  const queries = useQueryClient()
  const start = async (subjects: readonly Subject[], recipe: Recipe) => {
    const mine = new AbortController()
    const { signal } = mine
    // What was begun later, or given up, is no longer spoken about.
    const tell = (next: RunState) => run.get().abort === mine && run.set({ state: next })
    run.set({ abort: mine, state: { stage: 'uploading' } })
    try {
      const reforge = await enter()
      const imports = await Promise.all(
        subjects.map((subject) => queries.fetchQuery(importQuery(reforge, queries, subject))),
      )
      signal.throwIfAborted()
      const outcome = await work({ sources: [], ...recipe(imports.map(({ id }) => id)) }, { signal, onProgress: tell })
      tell({ stage: 'done', outcome })
    } catch (error) {
      tell({ stage: 'failed', error })
    }
  }
  const cancel = () => {
    run.set({ state: { stage: 'idle' }, abort: null })
    abort?.abort()
  }
  return {
    state,
    start: (subjects: readonly Subject[], recipe: Recipe) => void start(subjects, recipe),
    cancel,
    /** Of these nothing is wanted any more. */
    drop: (subjects: readonly Subject[]) => {
      cancel()
      forget(queries, subjects)
    },
  }
}
