/** Every route of the service, in the order of the documentation. */
import type { Readable } from 'node:stream'
import type { EngineState } from '../condition.ts'
import type { HttpDeps } from '../deps.ts'
import type { Metrics } from '../metrics.ts'
import { createOpenApi } from '../openapi.ts'
import type { Route } from '../route.ts'
import { createSignIn } from '../sign-in.ts'
import { accountRoutes } from './account.ts'
import { adminUserRoutes } from './admin-users.ts'
import { auditRoutes } from './audit.ts'
import { directUploadRoutes } from './direct-upload.ts'
import { docsRoutes } from './docs.ts'
import { eventRoutes } from './events.ts'
import { fileRoutes } from './files.ts'
import { jobRoutes } from './jobs.ts'
import { keyRoutes } from './keys.ts'
import { oidcRoutes } from './oidc.ts'
import { operationRoutes } from './operations.ts'
import { planRoutes } from './plans.ts'
import { queryRoutes } from './queries.ts'
import { sessionRoutes } from './session.ts'
import { systemRoutes } from './system.ts'
import { systemOverviewRoutes } from './system-overview.ts'
import { taskRoutes } from './tasks.ts'
import { uploadRoutes } from './upload.ts'
import { usageRoutes } from './usage.ts'
import { webhookRoutes } from './webhooks.ts'

export interface RouteDeps {
  deps: HttpDeps
  engines: readonly EngineState[]
  metrics: Metrics
  follow(job: string, after: number, signal: AbortSignal): Readable
}

export function createRoutes({ deps, engines, metrics, follow }: RouteDeps): Route[] {
  const signIn = createSignIn(deps)
  const routes: Route[] = [
    ...jobRoutes(deps),
    ...eventRoutes(deps, follow),
    ...taskRoutes(deps),
    ...operationRoutes(deps),
    ...uploadRoutes(deps),
    ...directUploadRoutes(deps),
    ...fileRoutes(deps),
    ...queryRoutes(deps),
    ...accountRoutes(deps),
    ...usageRoutes(deps),
    ...keyRoutes(deps),
    ...webhookRoutes(deps),
    ...adminUserRoutes(deps),
    ...planRoutes(deps),
    ...auditRoutes(deps),
    ...systemOverviewRoutes(deps, engines),
    ...sessionRoutes(deps, signIn),
    ...oidcRoutes(deps, signIn),
    ...systemRoutes(deps, engines, metrics),
    ...docsRoutes(() => document),
  ]
  const document = createOpenApi(routes, deps.settings.version)
  return routes
}
