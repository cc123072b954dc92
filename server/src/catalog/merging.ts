/** Finds the block that merges a set of inputs, each perhaps converted first. Pure, like search.ts. */
import type { Capability } from './engine.ts'
import { type Ext, familyOf } from './formats.ts'
import { asPng, type Block, type Graph, type Path, type Paths, PER_FURTHER_HOP } from './search.ts'

/** "Merge accepts image files and pdf files only": nothing else is converted for its sake. */
const mergeable = (ext: Ext): boolean => ext === 'pdf' || familyOf(ext) === 'image'

/** What a block must be given to make `to`. */
const takes = ({ from, to: makes }: Capability, to: Ext): readonly Ext[] => {
  if (makes === 'same') return from.includes(to) ? [to] : []
  return makes.includes(to) ? from : []
}

/** The blocks that make a format, as they were declared. */
export const mergesTo = (graph: Graph, to: Ext): readonly Block[] =>
  graph.merges.filter(({ capability }) => takes(capability, to).length > 0)

/** Conversions from a format: those whose result may go on, and all of a single hop. */
export interface Ways {
  feeding(from: Ext): Paths
  direct(from: Ext): Paths
}

/**
 * How an input gets to one of the wanted formats. What is already in the target's is never turned into pictures of it; and
 * a step that leads to the target and nowhere else is there because it brings more along than a picture could: all pages.
 */
const approach = (wanted: readonly Ext[], from: Ext, to: Ext, { feeding, direct }: Ways): Path | null => {
  if (wanted.includes(from)) return { hops: [], cost: 0 }
  if (from === to || !mergeable(from)) return null
  const whole = wanted.includes(to) ? direct(from).get(to) : undefined
  if (whole?.hops.every(({ capability }) => capability.terminal)) return whole
  return wanted
    .flatMap((ext) => {
      const path = feeding(from).get(ext)
      return path ? [{ ...path, cost: path.cost + asPng(from, ext, to) }] : []
    })
    .reduce<Path | null>((best, path) => (best === null || path.cost < best.cost ? path : best), null)
}

export interface Merging {
  readonly block: Block
  /** For every input format what it goes through first. */
  readonly before: ReadonlyMap<Ext, Path>
  readonly cost: number
}

/** The cheapest block that takes all inputs. */
export const merging = (graph: Graph, from: readonly Ext[], to: Ext, ways: Ways, pin?: string): Merging | null => {
  let best: Merging | null = null
  for (const block of mergesTo(graph, to)) {
    if (pin !== undefined && block.engine.id !== pin) continue
    const before = new Map<Ext, Path>()
    let { cost } = block.capability
    for (const ext of new Set(from)) {
      const path = approach(takes(block.capability, to), ext, to, ways)
      if (path === null) break
      before.set(ext, path)
      cost += path.cost + (path.hops.length > 0 ? PER_FURTHER_HOP : 0)
    }
    if (before.size === new Set(from).size && (best === null || cost < best.cost)) best = { block, before, cost }
  }
  return best
}
