/** The files of the page and what became of each. Lives outside of React: it stays when one looks at another page. */

import type { Settings } from '../../settings/settings-form.tsx'
import type { Outcome, Stage } from '../../work/run.ts'
import { nameOf, type Source, sizeOf } from '../../work/source.ts'
import type { Aim } from './aim.ts'

export type ItemState =
  | { stage: 'ready' }
  | { stage: Stage; percent?: number | undefined; ahead?: number | undefined; since: number }
  /** `by` is how it was made: when that has changed since, it can be made again. */
  | { stage: 'done'; outcome: Outcome; by: string }
  | { stage: 'failed'; error: unknown }

export interface Item {
  readonly id: string
  readonly source: Source
  readonly name: string
  readonly size: number | undefined
  /** Chosen for this file alone. */
  readonly target?: string | undefined
  readonly settings?: Settings | undefined
  readonly state: ItemState
}

export interface ListState {
  readonly items: readonly Item[]
  /** What all are to become, as far as they can. */
  readonly target?: string | undefined
  /** By pair of formats, `png>jpg`. */
  readonly settings: Readonly<Record<string, Settings>>
}

export type List = ReturnType<typeof createList>

/** Progress comes in dozens a second; the eye needs fewer. */
const REDRAW = 60

function createList() {
  let state: ListState = { items: [], settings: {} }
  const listeners = new Set<() => void>()
  const running = new Map<string, AbortController>()
  let isDue = false
  const tellNow = () => {
    isDue = false
    for (const listener of listeners) listener()
  }
  const tell = () => {
    if (!isDue) setTimeout(() => isDue && tellNow(), REDRAW)
    isDue = true
  }
  const change = (next: Partial<ListState>, soon = true) => {
    state = { ...state, ...next }
    if (soon) tellNow()
    else tell()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => state,
    item: (id: string) => state.items.find((item) => item.id === id),
    add(sources: readonly Source[]) {
      const fresh = sources.map(
        (source): Item => ({
          id: crypto.randomUUID(),
          source,
          name: nameOf(source),
          size: sizeOf(source),
          state: { stage: 'ready' },
        }),
      )
      change({ items: [...state.items, ...fresh] })
    },
    update(id: string, fields: Partial<Omit<Item, 'id'>>, soon = true) {
      change({ items: state.items.map((item) => (item.id === id ? { ...item, ...fields } : item)) }, soon)
    },
    /** Answers how to bring them back. What runs is given up. */
    remove(ids: readonly string[]): () => void {
      const before = state.items
      for (const id of ids) running.get(id)?.abort()
      change({ items: before.filter(({ id }) => !ids.includes(id)) })
      return () =>
        change({ items: before.map((item) => (isRunning(item) ? { ...item, state: { stage: 'ready' } } : item)) })
    },
    /** For all of them; what was chosen for one alone is forgotten. */
    aim: (target: string) =>
      change({ target, items: state.items.map((item) => (isRunning(item) ? item : { ...item, target: undefined })) }),
    set: (pair: string, settings: Settings) => change({ settings: { ...state.settings, [pair]: settings } }),
    begin(id: string): AbortSignal {
      const controller = new AbortController()
      running.set(id, controller)
      return controller.signal
    },
    end: (id: string) => running.delete(id),
    cancel(...ids: readonly string[]) {
      for (const id of ids) running.get(id)?.abort()
    },
  }
}

export const isRunning = ({ state }: Pick<Item, 'state'>): boolean => !['ready', 'done', 'failed'].includes(state.stage)

/** One for each aim, as long as the page is open. */
export const LISTS: Record<Aim, List> = { convert: createList(), compress: createList() }
