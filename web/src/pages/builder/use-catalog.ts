/** What this server can do, asked for as the draft needs it: fields from its document, formats from its queries. */
import type { Processing } from '@reforge/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatsQuery } from '../../data/queries.ts'
import { documentQuery, type Schema } from '../../openapi/document.ts'
import { useReforge } from '../../session/session.tsx'
import type { Draft } from './draft.ts'
import { incoming } from './formats.ts'
import { type Catalog, isProcessing } from './problems.ts'

export interface Known extends Catalog {
  /** Every operation of this server that a job may have. */
  operations: readonly string[]
  schema(operation: string): Schema | undefined
  families: ReadonlyMap<string, string>
}

const PREFIX = '/v1/process/'

export function useCatalog(draft: Draft, files: ReadonlyMap<string, File>): Known {
  const reforge = useReforge()
  const api = useQuery(documentQuery(reforge)).data
  const formats = useQuery(formatsQuery(reforge, 'all', {})).data
  const schemas = useMemo(() => {
    const creating = (api?.endpoints ?? []).filter(
      ({ method, path, tag }) => method === 'POST' && path.startsWith(PREFIX) && /^(Import|Process|Export)$/.test(tag),
    )
    return new Map(creating.map(({ path, body }) => [path.slice(PREFIX.length), body?.schema ?? {}]))
  }, [api])
  const base = useMemo(() => {
    const names = (formats ?? []).flatMap(({ ext, aliases = [] }) =>
      [ext, ...aliases].map((name): [string, string] => [name, ext]),
    )
    const known = new Map(names)
    const families = new Map((formats ?? []).map(({ ext, family }) => [ext, family]))
    const fileNames = new Map([...files].map(([step, file]) => [step, file.name]))
    return { known, families, flow: { draft, files: fileNames, known } }
  }, [formats, draft, files])

  const wanted = useMemo(() => {
    const pairs = draft.steps.flatMap((step): [Processing, string][] => {
      if (!isProcessing(step.operation)) return []
      const { operation } = step
      const froms = incoming(base.flow, step)?.formats ?? []
      return ['*', ...froms].map((from) => [operation, from])
    })
    return [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()]
  }, [draft, base])
  const targets = useQueries({
    queries: wanted.map(([operation, from]) => formatsQuery(reforge, operation, { input_format: from })),
    combine: (answers) => answers.map(({ data }) => data && new Set(data.map(({ ext }) => ext))),
  })

  return useMemo(
    () => ({
      operations: [...schemas.keys()],
      schema: (operation) => schemas.get(operation),
      families: base.families,
      required: (operation) => schemas.get(operation)?.required ?? [],
      targets: (operation, from = '*') => targets[wanted.findIndex(([a, b]) => a === operation && b === from)],
      incoming: (step) => incoming(base.flow, step),
      canonical: (format) => base.known.get(format.toLowerCase()) ?? format.toLowerCase(),
    }),
    [schemas, base, targets, wanted],
  )
}
