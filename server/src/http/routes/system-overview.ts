/** For administrators: the whole installation at a glance. */
import type { Node } from '../../ports/nodes.ts'
import { conditionOf, type EngineState } from '../condition.ts'
import type { HttpDeps } from '../deps.ts'
import { lookLately } from '../lately.ts'
import { type Route, route } from '../route.ts'
import { ref } from '../schemas.ts'

function installing(engines: readonly EngineState[]): string | null {
  const packages = new Set(engines.flatMap(({ missing }) => missing.flatMap(({ debian }) => debian?.split(' ') ?? [])))
  return packages.size === 0 ? null : `sudo apt-get install ${[...packages].sort().join(' ')}`
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Of the abilities only engines are counted that are known here. */
const shownNode = ({ abilities, startedAt, seenAt, ...node }: Node, engines: readonly EngineState[]) => ({
  ...node,
  engines: engines.filter(({ id }) => abilities.includes(id)).length,
  startedAt: iso(startedAt),
  seenAt: iso(seenAt),
})

export function systemOverviewRoutes(deps: HttpDeps, engines: readonly EngineState[]): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/admin/system',
      tag: 'Administration',
      summary: 'Engines, sandbox, queue, disk, and what went on since yesterday.',
      access: 'admin',
      answer: { status: 200, schema: ref('SystemOverview') },
      async handle() {
        const now = deps.clock.now()
        const [condition, lately] = await Promise.all([
          conditionOf(deps, engines),
          lookLately(deps.metering, deps.catalog, now),
        ])
        return {
          ...condition,
          startedAt: iso(now - process.uptime() * 1000),
          install: installing(engines),
          queue: Object.entries(condition.queue).map(([lane, depth]) => ({ lane, ...depth })),
          nodes: deps.nodes().map((node) => shownNode(node, engines)),
          lately,
        }
      },
    }),
  ]
}
