/** Finds the way for a processing task and reads its options by it; the same at creation and when the task starts. */
import type { Catalog } from '../catalog/catalog.ts'
import type { Doing } from '../catalog/engine.ts'
import type { Ext } from '../catalog/formats.ts'
import { resolve } from '../catalog/resolve.ts'
import type { Route } from '../catalog/route.ts'
import type { Issue } from '../core/errors.ts'
import { MASK } from '../core/secret.ts'
import type { Json } from '../core/task.ts'

export interface Wanted {
  does: Doing
  from: readonly Ext[]
  to: Ext
  engine: string | undefined
  options: Readonly<Record<string, unknown>>
}

export interface Settled {
  route: Route
  values: Readonly<Record<string, unknown>>
  /** For `result.options`. */
  options: { applied: Record<string, Json>; ignored: { name: string; reason: string }[] }
}

/** A route with its options, or what is wrong; paths are those of the task's fields. */
export function settle(catalog: Catalog, wanted: Wanted): Settled | Issue[] {
  const { does, from, to, engine } = wanted
  if (engine !== undefined && !catalog.engines.some(({ id }) => id === engine))
    return [{ path: 'engine', message: `must be one of ${catalog.engines.map(({ id }) => id).join(', ')}.` }]
  const route = catalog.route(does, from, to, engine)
  if (!route) return [noRoute(catalog, wanted)]
  const { values, applied, ignored, issues } = resolve(route.options, wanted.options, route.elsewhere)
  if (issues.length) return issues.map((issue) => ({ ...issue, path: `options.${issue.path}` }))
  const shown = Object.entries(applied).map(([name, value]) => [name, route.options[name]?.secret ? MASK : value])
  return { route, values, options: { applied: Object.fromEntries(shown) as Record<string, Json>, ignored } }
}

const VERB: Record<Doing, string> = {
  convert: 'converted',
  compress: 'compressed',
  merge: 'merged',
  crop: 'cropped',
  trim: 'trimmed',
}

function noRoute(catalog: Catalog, { does, from, to, engine }: Wanted): Issue {
  const odd = from.find((ext) => !catalog.outputs(does, ext).includes(to)) ?? from[0]!
  const possible = catalog.outputs(does, odd)
  const by = engine ? ` by ${engine}` : ''
  if (possible.length === 0) {
    // "Merge accepts image files and pdf files only": a document gets there in two steps.
    const first = does === 'merge' && catalog.outputs('convert', odd).includes('pdf') && catalog.outputs('merge', 'pdf')
    const hint = first && first.length > 0 ? ' Convert them to pdf first, and merge what comes of it.' : ''
    return { path: 'input', message: `files of the format ${odd} cannot be ${VERB[does]} here.${hint}` }
  }
  return {
    path: 'output_format',
    message: `${odd} cannot be ${VERB[does]} to ${to}${by}. Possible: ${possible.join(', ')}.`,
  }
}
