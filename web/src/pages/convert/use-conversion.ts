/** Ties the list to the server: what each file can become, starting, canceling. One list for each aim. */

import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { formatsQuery, optionsQuery } from '../../data/queries.ts'
import type { FormatInfo } from '../../formats/common.ts'
import { downloadsAtOnce } from '../../preferences/downloads.ts'
import { useReforge } from '../../session/session.tsx'
import { useWork } from '../../work/use-work.ts'
import type { Aim } from './aim.ts'
import { type Item, isRunning, LISTS, type List } from './list.ts'
import { fromOf, type Known, type Plan, planOf, taskOf, wayOf } from './plan.ts'
import { fetchByBrowser } from './use-archive.ts'

export interface Planned {
  item: Item
  plan: Plan
}

export function useConversion(aim: Aim) {
  const list = LISTS[aim]
  const state = useSyncExternalStore(list.subscribe, list.state)
  const known = useKnown(aim, state.items)
  const { items, target, settings } = state
  // The same file, the same plan: rows whose file has not changed are not drawn again.
  const kept = useMemo(() => {
    const plans = new WeakMap<Item, Planned>()
    return (item: Item): Planned => {
      const planned = plans.get(item) ?? { item, plan: planOf(aim, item, { target, settings }, known) }
      plans.set(item, planned)
      return planned
    }
  }, [aim, target, settings, known])
  const planned = useMemo(() => items.map(kept), [items, kept])
  const start = useStart(aim, list)
  return { list, state, known, planned, start }
}

/** What can be started now: it has a target, does not run, and was not made in this very way already. */
export const mayStart = ({ item, plan }: Planned): boolean =>
  plan.to !== undefined && !isRunning(item) && !(item.state.stage === 'done' && item.state.by === wayOf(plan))

function useKnown(aim: Aim, items: readonly Item[]): Known {
  const reforge = useReforge()
  const all = useQuery(formatsQuery(reforge, 'all', {})).data
  const formats = useMemo(() => {
    const pairs = (all ?? []).flatMap((format): [string, FormatInfo][] =>
      [format.ext, ...(format.aliases ?? [])].map((name) => [name, format]),
    )
    return new Map(pairs)
  }, [all])
  const found = all ? [...new Set(items.map(({ name }) => fromOf(name, formats)))].join(' ') : null
  const kinds = useMemo(() => (found === null || items.length === 0 ? [] : found.split(' ')), [found, items.length])
  const targets = useQueries({
    // A file without an extension may be anything; the server looks inside.
    queries: kinds.map((from) => formatsQuery(reforge, aim, { input_format: from || '*' })),
    combine: (answers) => answers.map(({ data }) => data),
  })
  return useMemo(
    () => ({
      formats,
      targets: new Map(kinds.flatMap((from, index) => (targets[index] ? [[from, targets[index]]] : []))),
    }),
    [formats, kinds, targets],
  )
}

function useStart(aim: Aim, list: List) {
  const work = useWork()
  const reforge = useReforge()
  const queries = useQueryClient()
  return useCallback(
    async ({ item, plan }: Planned) => {
      const signal = list.begin(item.id)
      const by = wayOf(plan)
      list.update(item.id, { state: { stage: 'queued', since: Date.now() } })
      try {
        const query = { input_format: plan.from, output_format: plan.to ?? plan.from }
        const engine = plan.settings.engine
        const hasSettings = Object.keys(plan.settings.values).length > 0
        const descriptor = hasSettings
          ? await queries.fetchQuery(optionsQuery(reforge, aim, { ...query, ...(engine && { engine }) }))
          : undefined
        let last = ''
        let since = Date.now()
        const outcome = await work(
          { sources: [item.source], task: taskOf(aim, plan, descriptor) },
          {
            signal,
            onProgress: ({ stage, percent, ahead }) => {
              if (stage !== last) since = Date.now()
              list.update(item.id, { state: { stage, percent, ahead, since } }, stage !== last)
              last = stage
            },
          },
        )
        list.update(item.id, { state: { stage: 'done', outcome, by } })
        if (downloadsAtOnce()) for (const { url, filename } of outcome.files) fetchByBrowser(url, filename)
      } catch (error) {
        list.update(item.id, { state: signal.aborted ? { stage: 'ready' } : { stage: 'failed', error } })
      } finally {
        list.end(item.id)
      }
    },
    [aim, list, work, reforge, queries],
  )
}
