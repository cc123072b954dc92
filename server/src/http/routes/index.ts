/** Every route of the service, in the order of the documentation. */
import type { Readable } from 'node:stream'
import type { HttpDeps } from '../deps.ts'
import type { Metrics } from '../metrics.ts'
import { createOpenApi } from '../openapi.ts'
import type { Route } from '../route.ts'
import { accountRoutes } from './account.ts'
import { docsRoutes } from './docs.ts'
import { eventRoutes } from './events.ts'
import { fileRoutes } from './files.ts'
import { jobRoutes } from './jobs.ts'
import { keyRoutes } from './keys.ts'
import { operationRoutes } from './operations.ts'
import { queryRoutes } from './queries.ts'
import { type EngineState, systemRoutes } from './system.ts'
import { taskRoutes } from './tasks.ts'
import { uploadRoutes } from './upload.ts'
import { webhookRoutes } from './webhooks.ts'

export interface RouteDeps {
  deps: HttpDeps
  engines: readonly EngineState[]
  metrics: Metrics
  follow(job: string, after: number, signal: AbortSignal): Readable
}

export function createRoutes({ deps, engines, metrics, follow }: RouteDeps): Route[] {
  const routes: Route[] = [
    ...jobRoutes(deps),
    ...eventRoutes(deps, follow),
    ...taskRoutes(deps),
    ...operationRoutes(deps),
    ...uploadRoutes(deps),
    ...fileRoutes(deps),
    ...queryRoutes(deps),
    ...accountRoutes(deps),
    ...keyRoutes(deps),
    ...webhookRoutes(deps),
    ...systemRoutes(deps, engines, metrics),
    ...docsRoutes(() => document),
  ]
  const document = createOpenApi(routes, deps.settings.version)
  return routes
}
