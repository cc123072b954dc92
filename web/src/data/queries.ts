/** Questions to the server that more than one page asks. Keys begin with the noun, so that live events find them. */
import type { FormatsQuery, OptionsQuery, Processing } from '@reforge/sdk'
import { queryOptions } from '@tanstack/react-query'
import type { Session } from '../session/session.tsx'

type Client = Session['reforge']

/** What an installation can do changes only with its engines: asked once a visit. */
const CATALOG = { staleTime: Number.POSITIVE_INFINITY }

export const formatsQuery = (reforge: Client, operation: Processing | 'all', query: FormatsQuery) =>
  queryOptions({
    queryKey: ['formats', operation, query],
    queryFn: async () => (await reforge.formats[operation](query)).formats,
    ...CATALOG,
  })

export const optionsQuery = (reforge: Client, operation: Processing, query: OptionsQuery) =>
  queryOptions({
    queryKey: ['options', operation, query],
    queryFn: () => reforge.options[operation](query),
    ...CATALOG,
  })

export const jobQuery = (reforge: Client, id: string) =>
  queryOptions({ queryKey: ['job', id], queryFn: () => reforge.jobs.get(id) })

export const meQuery = (reforge: Client) => queryOptions({ queryKey: ['me'], queryFn: () => reforge.account.me() })

export const plansQuery = (reforge: Client) =>
  queryOptions({ queryKey: ['plans'], queryFn: () => reforge.admin.plans.list() })
