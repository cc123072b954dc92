/**
 * What several machines can do together: what any one of them can. A way that would lead from one machine to another is
 * none, since a task runs where it began.
 */
import type { Catalog } from './catalog.ts'
import type { Engine } from './engine.ts'
import type { Ext } from './formats.ts'
import { routeTitle } from './route.ts'

const sorted = (lists: readonly (readonly Ext[])[]): readonly Ext[] => [...new Set(lists.flat())].sort()

export function unionOf(catalogs: readonly Catalog[]): Catalog {
  const [only, second] = catalogs
  if (only && !second) return only
  const engines: readonly Engine[] = [...new Set(catalogs.flatMap((each) => each.engines))]

  /** The one with the best way; among equals always the same one, whatever their order. */
  const best = (...[does, from, to, engine]: Parameters<Catalog['route']>): Catalog | null => {
    const able = catalogs.flatMap((catalog) => {
      const route = catalog.route(does, from, to, engine)
      return route ? [{ catalog, cost: route.cost, title: routeTitle(route) }] : []
    })
    return able.sort((a, b) => a.cost - b.cost || (a.title < b.title ? -1 : 1))[0]?.catalog ?? null
  }
  /** Of a merge whose inputs are not known: whichever knows the most about it. */
  const widest = (...question: Parameters<Catalog['options']>): Catalog | null => {
    const count = (catalog: Catalog) => Object.keys(catalog.options(...question) ?? {}).length
    const able = catalogs.filter((catalog) => catalog.options(...question) !== null)
    return able.sort((a, b) => count(b) - count(a))[0] ?? null
  }
  const asked = (...[does, from, to, engine]: Parameters<Catalog['options']>): Catalog | null =>
    from === null ? widest(does, from, to, engine) : best(does, from, to, engine)

  return {
    engines,
    secrets: new Set(catalogs.flatMap((each) => [...each.secrets])),
    formats: () => sorted(catalogs.map((each) => each.formats())),
    inputs: (does, to) => sorted(catalogs.map((each) => each.inputs(does, to))),
    outputs: (does, from) => sorted(catalogs.map((each) => each.outputs(does, from))),
    route: (...question) => best(...question)?.route(...question) ?? null,
    options: (...question) => asked(...question)?.options(...question) ?? null,
    describe(...question) {
      const described = asked(...question)?.describe(...question) ?? null
      if (described === null) return null
      const named = catalogs.flatMap((each) => each.describe(...question)?.engines ?? [])
      const engines = new Map([...described.engines, ...named].map((engine) => [engine.value, engine]))
      return { ...described, engines: [...engines.values()] }
    },
  }
}
