/**
 * What can become what, and how: the one answer to format lists, option queries, validation and execution. Built once
 * from the engines of this installation; it runs nothing. Answers are remembered, so asking costs microseconds.
 */
import { describeOptions, type OptionsDescription } from './describe.ts'
import type { Doing, Engine } from './engine.ts'
import type { Ext } from './formats.ts'
import { mergesTo, merging } from './merging.ts'
import type { OptionSet } from './option.ts'
import { type Hop, mergedOptions, type Route } from './route.ts'
import { conversions, createGraph, type Path, type Paths, targets, workings } from './search.ts'

export interface Catalog {
  readonly engines: readonly Engine[]
  /** Names of options that are never shown again. */
  readonly secrets: ReadonlySet<string>
  /** Every format some operation takes or makes. */
  formats(): readonly Ext[]
  /**
   * What an operation takes, to make `to` where given. Without it, for compress, crop and trim: what it takes without
   * being told an output format.
   */
  inputs(does: Doing, to?: Ext): readonly Ext[]
  /** What an operation makes, of `from` where given. */
  outputs(does: Doing, from?: Ext): readonly Ext[]
  /** The one way to do it, or null when there is none. A merge takes a list of formats, one per input. */
  route(does: Doing, from: Ext | readonly Ext[], to: Ext, engine?: string): Route | null
  /** The options a task may give. Of a merge whose inputs are not known (`null`): all that any of them would have. */
  options(does: Doing, from: Ext | readonly Ext[] | null, to: Ext, engine?: string): OptionSet | null
  describe(does: Doing, from: Ext | readonly Ext[] | null, to: Ext, engine?: string): OptionsDescription | null
}

/** Answers the same question once. Only for questions of which there are few: formats, operations, engines. */
const remember = <K, V>(answer: (question: K) => V): ((question: K) => V) => {
  const known = new Map<K, { readonly is: V }>()
  return (question) => {
    const found = known.get(question) ?? { is: answer(question) }
    known.set(question, found)
    return found.is
  }
}

const sorted = (exts: Iterable<Ext>): readonly Ext[] => [...new Set(exts)].sort()

const allOf = ({ can }: Engine): Ext[] =>
  can.flatMap((capability) => capability.from.flatMap((ext) => [ext, ...targets(capability, ext)]))

const secretsOf = (engines: readonly Engine[]): ReadonlySet<string> => {
  const sets: OptionSet[] = engines.flatMap(({ can }) => can.map(({ options }) => options))
  return new Set(sets.flatMap((set) => Object.keys(set).filter((name) => set[name]?.secret)))
}

export const createCatalog = (engines: readonly Engine[]): Catalog => {
  const graph = createGraph(engines)
  const ids = new Set(engines.map(({ id }) => id))
  const formats = sorted(engines.flatMap(allOf))

  const ways = {
    feeding: remember((from: Ext) => conversions(graph, from, { most: 2, feeds: true })),
    direct: remember((from: Ext) => conversions(graph, from, { most: 1 })),
  }

  /** Of a merge only whether a format alone would do: the way depends on all inputs together. */
  const lone = (from: Ext, pin: string | undefined): Paths =>
    new Map(
      formats.flatMap((to): [Ext, Path][] => {
        const found = merging(graph, [from], to, ways, pin)
        return found === null ? [] : [[to, { hops: [], cost: found.cost }]]
      }),
    )

  const paths = remember((pin: string | undefined) =>
    remember((does: Doing) =>
      remember((from: Ext): Paths => {
        if (does === 'convert') return conversions(graph, from, { pin })
        return does === 'merge' ? lone(from, pin) : workings(graph, does, from, pin)
      }),
    ),
  )

  const single = remember((pin: string | undefined) =>
    remember((does: Doing) =>
      remember((from: Ext) =>
        remember((to: Ext): Route | null => {
          const path = paths(pin)(does)(from).get(to)
          if (path === undefined) return null
          const way = { hops: path.hops, before: [] }
          return { does, from: [from], to, ...way, options: mergedOptions(way), elsewhere: {}, cost: path.cost }
        }),
      ),
    ),
  )

  const mergeOptions = remember((to: Ext): OptionSet | null => {
    const sets = mergesTo(graph, to).map(({ capability }) => capability.options)
    return sets.length === 0 ? null : Object.assign({}, ...sets.reverse())
  })

  const merged = (from: readonly Ext[], to: Ext, pin: string | undefined): Route | null => {
    const found = merging(graph, from, to, ways, pin)
    if (found === null || from[0] === undefined) return null
    const before = from.map((ext) => found.before.get(ext)?.hops ?? [])
    const hop: Hop = { ...found.block, does: 'merge', from: before[0]?.at(-1)?.to ?? from[0], to }
    const way = { hops: [hop], before }
    const options = mergedOptions(way)
    const others = Object.entries(mergeOptions(to) ?? {}).filter(([name]) => !Object.hasOwn(options, name))
    return { does: 'merge', from, to, ...way, options, elsewhere: Object.fromEntries(others), cost: found.cost }
  }

  const route: Catalog['route'] = (does, from, to, engine) => {
    if (engine !== undefined && !ids.has(engine)) return null
    const list = typeof from === 'string' ? [from] : from
    if (does === 'merge') return merged(list, to, engine)
    return list[0] === undefined ? null : single(engine)(does)(list[0])(to)
  }

  /** What comes out when no output format is named: anything, or for work on a file the same format. */
  const unasked = (does: Doing, from: Ext): readonly Ext[] => {
    const made = [...paths(undefined)(does)(from).keys()]
    return does === 'convert' || does === 'merge' ? made : made.filter((to) => to === from)
  }
  const inputs = remember((does: Doing) =>
    remember((to: Ext | undefined) =>
      sorted(formats.filter((f) => (to ? paths(undefined)(does)(f).has(to) : unasked(does, f).length > 0))),
    ),
  )
  const outputs = remember((does: Doing) =>
    remember((from: Ext | undefined) =>
      sorted(from ? paths(undefined)(does)(from).keys() : formats.flatMap((ext) => unasked(does, ext))),
    ),
  )

  /** Of a merge whose inputs are not known, an engine that is named stands for what it takes itself. */
  const mergedBy = (to: Ext, engine: string): OptionSet | null =>
    mergesTo(graph, to).find((block) => block.engine.id === engine)?.capability.options ?? null

  const options: Catalog['options'] = (does, from, to, engine) => {
    if (from !== null) return route(does, from, to, engine)?.options ?? null
    if (does !== 'merge') return null
    return engine === undefined ? mergeOptions(to) : mergedBy(to, engine)
  }

  /** The usual one first. Others only where they need no detour: jpg → png through an engine for heic helps nobody. */
  const choice = (does: Doing, from: Ext | readonly Ext[] | null, to: Ext): readonly Engine[] => {
    if (from === null) return [...new Set(mergesTo(graph, to).map(({ engine }) => engine))]
    const usual = route(does, from, to)
    const most = usual?.hops.length ?? 1
    const able = engines.filter(({ id }) => (route(does, from, to, id)?.hops.length ?? Infinity) <= most)
    return [...new Set([...(usual?.hops.map(({ engine }) => engine).reverse() ?? []), ...able])]
  }

  return {
    engines,
    secrets: secretsOf(engines),
    formats: () => formats,
    inputs: (does, to) => inputs(does)(to),
    outputs: (does, from) => outputs(does)(from),
    route,
    options,
    describe(does, from, to, engine) {
      const set = options(does, from, to, engine)
      if (set === null) return null
      const sourceExt = from === null ? '*' : [...new Set([from].flat())].join(',')
      const named = choice(does, from, to).map(({ id, title }) => ({ value: id, label: title }))
      return { sourceExt, targetExt: to, operation: does, options: describeOptions(set), engines: named }
    },
  }
}
