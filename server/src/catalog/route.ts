/**
 * What a route is, and whose each option is along it. One Route object serves lists, option queries, validation and
 * execution, so that they cannot disagree. How routes are found: search.ts.
 */
import type { Capability, Doing, Engine } from './engine.ts'
import type { Ext } from './formats.ts'
import type { OptionSet } from './option.ts'

/** One step: one engine takes one format to one other. */
export interface Hop {
  readonly engine: Engine
  readonly capability: Capability
  readonly does: Doing
  readonly from: Ext
  readonly to: Ext
}

export interface Route {
  readonly does: Doing
  /** One format, or one per input of a merge. */
  readonly from: readonly Ext[]
  readonly to: Ext
  readonly hops: readonly Hop[]
  /** Of a merge: what each input goes through first, one list per input; otherwise empty. */
  readonly before: readonly (readonly Hop[])[]
  /** All options of the way, those of the last hop first. */
  readonly options: OptionSet
  /** Of a merge: options that other inputs would have. Given here they are ignored, not wrong. */
  readonly elsewhere: OptionSet
  readonly cost: number
}

/** Every way a file takes through the route: one for each input of a merge, otherwise the one. */
const chains = ({ before, hops }: Pick<Route, 'before' | 'hops'>): readonly (readonly Hop[])[] =>
  before.length === 0 ? [hops] : [...new Set(before)].map((first) => [...first, ...hops])

/** "A shared option belongs to the last hop that declares it", so the last hop's come first and win. */
export const mergedOptions = (way: Pick<Route, 'before' | 'hops'>): OptionSet => {
  const merged: Record<string, OptionSet[string]> = {}
  for (const chain of chains(way)) {
    for (const hop of chain.toReversed()) {
      for (const [name, declared] of Object.entries(hop.capability.options)) merged[name] ??= declared
    }
  }
  return merged
}

const owns = (route: Route, hop: Hop, name: string): boolean =>
  route.options[name] === hop.capability.options[name] &&
  (route.options[name]?.everywhere === true || isLast(route, hop, name))

const isLast = (route: Route, hop: Hop, name: string): boolean =>
  chains(route)
    .filter((chain) => chain.includes(hop))
    .every((chain) =>
      chain.slice(chain.indexOf(hop) + 1).every((later) => !Object.hasOwn(later.capability.options, name)),
    )

/**
 * The part of the resolved values that is for one hop: every option it declares, by its own value where it owns it.
 * What belongs to a later hop is left neutral here, or a file would be shrunk twice or lose early what it must keep.
 */
export const optionsFor = (
  route: Route,
  hop: Hop,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(hop.capability.options).map(([name, declared]) => [
      name,
      owns(route, hop, name) ? values[name] : (declared.neutral ?? declared.default),
    ]),
  )

/** For people and logs: `docx → pdf (office) → jpg (poppler)`. */
export const routeTitle = (route: Pick<Route, 'from' | 'hops'>): string =>
  [[...new Set(route.from)].join(' + '), ...route.hops.map((hop) => `${hop.to} (${hop.engine.id})`)].join(' → ')
