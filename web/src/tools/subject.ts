/** A file to work on. It is sent once: previews and the work itself take the import task's id. */
import { type Reforge, ReforgeError, type ResultFile, type Task } from '@reforge/sdk'
import { type QueryClient, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query'
import { useReforge } from '../session/session.tsx'
import { createGate } from '../work/gate.ts'
import { send } from '../work/send.ts'
import { nameOf, type Source, sizeOf } from '../work/source.ts'

export interface Subject {
  readonly id: string
  readonly source: Source
  readonly name: string
  readonly size: number | undefined
  /** As the server calls it. */
  readonly format: string
  readonly family: string
}

export const subjectOf = (source: Source, { format, family }: Pick<Subject, 'format' | 'family'>): Subject => ({
  id: crypto.randomUUID(),
  source,
  name: nameOf(source),
  size: sizeOf(source),
  format,
  family,
})

/** Three fill most lines. */
const uploads = createGate(3)
const FOR_EVER = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY, retry: false }

const percentKey = ({ id }: Subject) => ['import-percent', id]

/** Those under way, to be given up. */
const sending = new Map<string, AbortController>()

/** Sends it, or has it fetched, the first time it is asked for; whoever signs in as somebody else sends it again. */
export const importQuery = (reforge: Reforge, queries: QueryClient, subject: Subject) =>
  queryOptions({
    queryKey: ['import', subject.id],
    queryFn: async () => {
      const giving = new AbortController()
      sending.set(subject.id, giving)
      const tell = (percent: number) => queries.setQueryData(percentKey(subject), percent)
      try {
        return await uploads.through(() => bring(reforge, subject.source, tell, giving.signal), giving.signal)
      } finally {
        sending.delete(subject.id)
      }
    },
    ...FOR_EVER,
  })

/** Stops sending what nobody wants any more; when it is wanted again after all, it is sent anew. */
export function forget(queries: QueryClient, subjects: readonly Subject[]): void {
  for (const { id } of subjects) {
    if (!sending.has(id)) continue
    sending.get(id)?.abort()
    queries.removeQueries({ queryKey: ['import', id] })
  }
}

async function bring(reforge: Reforge, source: Source, onProgress: (percent: number) => void, signal: AbortSignal) {
  const task =
    source.kind === 'link'
      ? await reforge.tasks.create('import/url', { url: source.url }, { signal })
      : await reforge.tasks.create('import/upload', {}, { signal })
  try {
    if (source.kind === 'file') await send(reforge, task, source.file, { onProgress, signal })
    return ended(await reforge.tasks.wait(task.id, { signal }))
  } catch (error) {
    // Best effort: it would wait for its file for hours.
    if (signal.aborted) void reforge.tasks.cancel(task.id).catch(() => null)
    throw error
  }
}

/** The task when all went well. */
export function ended(task: Task): Task {
  if (task.status === 'completed') return task
  throw new ReforgeError(task.result.msg ?? '', {
    code: task.status === 'canceled' ? 'canceled' : 'task_failed',
    errorCode: task.result.errorCode,
  })
}

export const filesOf = (task: Task): ResultFile[] =>
  (task.result.files ?? []).filter((file): file is ResultFile => file.url !== undefined)

export interface Imports {
  /** Of all together; undefined when one is fetched by the server. */
  percent: number | undefined
  isDone: boolean
  error: unknown
  retry: () => void
}

/** Begins to send them, and says how far that is. */
export function useImports(subjects: readonly Subject[]): Imports {
  const reforge = useReforge()
  const queries = useQueryClient()
  const imports = useQueries({ queries: subjects.map((subject) => importQuery(reforge, queries, subject)) })
  const percents = useQueries({
    queries: subjects.map((subject) => ({ queryKey: percentKey(subject), queryFn: () => 0, enabled: false })),
    combine: (answers) => answers.map(({ data }) => data ?? 0),
  })
  const total = subjects.reduce((sum, { size = 0 }) => sum + size, 0)
  const sent = subjects.reduce(
    (sum, { size = 0 }, at) => sum + (imports[at]?.isSuccess ? size : (size * (percents[at] ?? 0)) / 100),
    0,
  )
  const failed = imports.filter(({ error }) => error !== null)
  return {
    percent:
      subjects.every(({ source }) => source.kind === 'file') && total > 0
        ? Math.floor((sent / total) * 100)
        : undefined,
    isDone: imports.every(({ isSuccess }) => isSuccess),
    error: failed[0]?.error ?? null,
    retry: () => failed.forEach(({ refetch }) => void refetch()),
  }
}
