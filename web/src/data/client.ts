/** The cache of answers. Live events keep jobs and tasks fresh, so nothing is asked again just because time has passed. */
import { ReforgeError } from '@reforge/sdk'
import { QueryClient } from '@tanstack/react-query'

/** The SDK has tried again already where that made sense. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && error instanceof ReforgeError && error.status === 0,
      },
    },
  })
