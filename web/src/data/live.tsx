/**
 * The one live connection of the page. It writes what it hears into the cache (a job's and its tasks' records), tells
 * those who listen, and says whether it stands. Pull is the truth: after a gap everything live is asked again.
 */
import type { Events, Job, ReforgeEvent, Task } from '@reforge/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react'
import { useSession } from '../session/session.tsx'

type Listener = (event: ReforgeEvent) => void

interface Live {
  /** Null before the first connection. */
  connected: boolean | null
  listen(listener: Listener): () => void
}

const LiveContext = createContext<Live>({ connected: null, listen: () => () => {} })

/** Whether live events arrive; null before the first try has ended. */
export const useConnected = (): boolean | null => useContext(LiveContext).connected

/** For what lives longer than one component: `const stop = listen(hear)`. */
export const useListen = () => useContext(LiveContext).listen

/** Hears every event of the signed-in user's jobs and tasks. */
export function useLive(listener: Listener): void {
  const { listen } = useContext(LiveContext)
  const hear = useEffectEvent(listener)
  useEffect(() => listen((event) => hear(event)), [listen])
}

const withTask = (job: Job | undefined, task: Task): Job | undefined =>
  job?.tasks && { ...job, tasks: job.tasks.map((old) => (old.id === task.id ? { ...old, ...task } : old)) }

/** Lists are asked again rather than patched: what belongs on which page only the server knows. */
export function remember(queries: QueryClient, event: ReforgeEvent): void {
  if ('operation' in event.data) {
    const task = event.data
    queries.setQueryData<Task>(['task', task.id], task)
    if (typeof task.job === 'string') queries.setQueryData<Job>(['job', task.job], (job) => withTask(job, task))
    return
  }
  const { tasks: _none, ...job } = event.data
  queries.setQueryData<Job>(['job', job.id], (old) => old && { ...old, ...job })
  refreshLists(queries)
}

/** Hundreds of jobs may end within a second: lists are asked for again now, and then so often at most. */
const LISTS_EVERY = 500
const refreshing = new WeakMap<QueryClient, { again: boolean }>()

function refreshLists(queries: QueryClient): void {
  const running = refreshing.get(queries)
  if (running) {
    running.again = true
    return
  }
  const state = { again: false }
  refreshing.set(queries, state)
  void queries.invalidateQueries({ queryKey: ['jobs'] })
  setTimeout(() => {
    refreshing.delete(queries)
    if (state.again) refreshLists(queries)
  }, LISTS_EVERY)
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const { reforge, user } = useSession()
  const queries = useQueryClient()
  const [connected, setConnected] = useState<boolean | null>(null)
  const listeners = useMemo(() => new Set<Listener>(), [])
  const id = user?.id

  const hear = useEffectEvent((event: ReforgeEvent) => {
    remember(queries, event)
    for (const listener of listeners) listener(event)
  })
  const turn = useEffectEvent((stands: boolean) => {
    if (stands && connected === false)
      for (const noun of ['jobs', 'job', 'task', 'tasks']) void queries.invalidateQueries({ queryKey: [noun] })
    setConnected(stands)
  })

  useEffect(() => {
    if (!id) return
    const events: Events = reforge.events({ onConnection: (stands) => turn(stands) })
    const any = (event: ReforgeEvent) => hear(event)
    Promise.all([events.subscribe(`user.${id}.jobs`, { any }), events.subscribe(`user.${id}.tasks`, { any })]).catch(
      () => turn(false),
    )
    return () => events.close()
  }, [reforge, id])

  const listen = useCallback<Live['listen']>(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [listeners],
  )
  const live = useMemo<Live>(() => ({ connected: id ? connected : null, listen }), [connected, id, listen])
  return <LiveContext value={live}>{children}</LiveContext>
}
