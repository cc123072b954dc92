/** The draft on the table, with a way back. Kept while one looks at other pages. */
import { useCallback, useSyncExternalStore } from 'react'
import { type Draft, EMPTY } from './draft.ts'

interface State {
  draft: Draft
  past: readonly Draft[]
  selected: string | undefined
  files: ReadonlyMap<string, File>
  /** The job that was run last. */
  run: string | undefined
}

const MOST_PAST = 50
let state: State = { draft: EMPTY, past: [], selected: undefined, files: new Map(), run: undefined }
const listeners = new Set<() => void>()

function put(next: Partial<State>): void {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What one types letter by letter is one step back. */
function edit(make: (draft: Draft) => Draft, fine = false): void {
  const draft = make(state.draft)
  if (draft === state.draft) return
  const past = fine ? state.past : [...state.past, state.draft].slice(-MOST_PAST)
  put({ draft, past })
}

function undo(): void {
  const before = state.past.at(-1)
  if (before) put({ draft: before, past: state.past.slice(0, -1) })
}

function setFile(step: string, file: File | null): void {
  const files = new Map(state.files)
  if (file) files.set(step, file)
  else files.delete(step)
  put({ files })
}

export function useBuilder() {
  const now = useSyncExternalStore(subscribe, () => state)
  const select = useCallback((selected: string | undefined) => put({ selected }), [])
  const setRun = useCallback((run: string | undefined) => put({ run }), [])
  return { ...now, edit, undo, select, setFile, setRun }
}

export type Builder = ReturnType<typeof useBuilder>
