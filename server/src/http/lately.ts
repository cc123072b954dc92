/**
 * What went on lately, for operators: where tasks failed, and what took long. Made of the sums that are kept anyway, so
 * it holds for every machine and outlives a restart. They do not tell an engine that a task had asked for by name.
 */
import type { Catalog } from '../catalog/catalog.ts'
import { OPERATIONS } from '../catalog/engine.ts'
import { extOf } from '../catalog/formats.ts'
import { DAY, startOf } from '../core/quota.ts'
import type { Metering, UsageRow } from '../ports/metering.ts'

const MOST = 10

interface Figures {
  operation: string
  engines: string[]
  tasks: number
  failed: number
}

/** Engines on the usual way; none of what no engine does, or none can do any more. */
function enginesOf(catalog: Catalog, { operation = '', from = '', format = '' }: UsageRow): string[] {
  const does = OPERATIONS.find((each) => each === operation)
  const [taken, made] = [extOf(from), extOf(format || from)]
  if (!does || !taken || !made) return []
  const route = catalog.route(does, does === 'merge' ? [taken, taken] : taken, made)
  if (!route) return []
  return [...new Set([...(route.before[0] ?? []), ...route.hops].map(({ engine }) => engine.id))]
}

function byEngine(rows: readonly Figures[]): Figures[] {
  const sums = new Map<string, Figures>()
  for (const { operation, engines, tasks, failed } of rows) {
    const name = JSON.stringify([operation, engines])
    const known = sums.get(name) ?? { operation, engines, tasks: 0, failed: 0 }
    sums.set(name, { ...known, tasks: known.tasks + tasks, failed: known.failed + failed })
  }
  return [...sums.values()]
}

export async function lookLately(metering: Pick<Metering, 'usage'>, catalog: Catalog, now: number) {
  const today = startOf('day', now)
  const since = today - DAY
  const sums = await metering.usage(null, { from: since, to: today + DAY, by: ['operation', 'from', 'format'] })
  const rows = sums.map((row) => ({
    ...{ operation: row.operation ?? '', engines: enginesOf(catalog, row), tasks: row.tasks, failed: row.failed },
    ...{ from: row.from || null, format: row.format || null },
    seconds: row.tasks === 0 ? 0 : Math.round((row.seconds / row.tasks) * 1000) / 1000,
  }))
  const total = (of: 'tasks' | 'failed') => rows.reduce((sum, row) => sum + row[of], 0)
  return {
    since: new Date(since).toISOString(),
    tasks: total('tasks'),
    failed: total('failed'),
    failures: byEngine(rows)
      .filter(({ failed }) => failed > 0)
      .sort((a, b) => b.failed - a.failed)
      .slice(0, MOST),
    slowest: rows
      .filter(({ seconds }) => seconds > 0)
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, MOST),
  }
}
