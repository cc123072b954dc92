/**
 * Finds the cheapest way over what the engines declare. Pure: it knows blocks and formats, no files and no options.
 * With three hops at most, going layer by layer is Dijkstra's answer without his heap.
 */
import type { Capability, Doing, Engine } from './engine.ts'
import { type Ext, familyOf, isHub, isPhoto } from './formats.ts'
import type { Hop } from './route.ts'

export interface Path {
  readonly hops: readonly Hop[]
  readonly cost: number
}
export type Paths = ReadonlyMap<Ext, Path>

export interface Block {
  readonly engine: Engine
  readonly capability: Capability
}

const MAX_HOPS = 3
export const PER_FURTHER_HOP = 10
/** A stop in a format that is no hub loses more than one that is. */
const PER_PLAIN_STOP = 1

export interface Graph {
  /** Those to be had on request only for the engine that is named. */
  hops(does: Doing, from: Ext, pin: string | undefined): readonly Hop[]
  merges: readonly Block[]
}

export const createGraph = (engines: readonly Engine[]): Graph => {
  const table = new Map<string, Hop[]>()
  const merges: Block[] = []
  for (const engine of engines) {
    for (const capability of engine.can) {
      const { does } = capability
      if (does === 'merge') merges.push({ engine, capability })
      for (const from of capability.from) {
        const key = `${does} ${from}`
        const hops = table.get(key) ?? []
        for (const to of targets(capability, from)) hops.push({ engine, capability, does, from, to })
        table.set(key, hops)
      }
    }
  }
  const hops: Graph['hops'] = (does, from, pin) =>
    (table.get(`${does} ${from}`) ?? []).filter(({ engine, capability }) => !capability.onRequest || engine.id === pin)
  return { hops, merges }
}

export const targets = (capability: Capability, from: Ext): readonly Ext[] =>
  capability.to === 'same' ? [from] : capability.to

const offer = <K>(best: Map<K, Path>, key: K, path: Path): void => {
  const known = best.get(key)
  if (known === undefined || path.cost < known.cost) best.set(key, path)
}

const further = (path: Path, hop: Hop): Path => ({
  hops: [...path.hops, hop],
  cost: path.cost + hop.capability.cost + (path.hops.length > 0 ? PER_FURTHER_HOP : 0),
})

/** A photograph goes into a document as a JPEG: as a PNG it is some seven times as big there, and takes five times as long. */
const isForJpeg = (from: Ext, to: Ext): boolean => isPhoto(from) && to === 'pdf'

const mayStop = (from: Ext, at: Ext, to: Ext): boolean => isHub(at) || (at === 'jpg' && isForJpeg(from, to))

/** What it costs more to come as a PNG. */
export const asPng = (from: Ext, at: Ext, to: Ext): number => (at === 'png' && isForJpeg(from, to) ? PER_PLAIN_STOP : 0)

/**
 * The cheapest conversions of one format to every other: only through hubs, or what stands for one, never out of a
 * terminal block. A format becomes itself only directly. With `pin` at least one hop is by that engine; with `feeds` the
 * result may go on.
 */
export const conversions = (
  graph: Graph,
  from: Ext,
  { most = MAX_HOPS, pin, feeds = false }: { most?: number; pin?: string; feeds?: boolean } = {},
): Paths => {
  const best = new Map<Ext, Path>()
  let layer: readonly { at: Ext; pinned: boolean; path: Path }[] = [
    { at: from, pinned: pin === undefined, path: { hops: [], cost: 0 } },
  ]
  for (let step = 1; step <= most; step += 1) {
    const next = { pinned: new Map<Ext, Path>(), free: new Map<Ext, Path>() }
    for (const { at, pinned, path } of layer) {
      for (const hop of graph.hops('convert', at, pin)) {
        if (step > 1 && (hop.to === from || !mayStop(from, at, hop.to))) continue
        const longer = further({ ...path, cost: path.cost + asPng(from, at, hop.to) }, hop)
        const done = pinned || hop.engine.id === pin
        if (done && !(feeds && hop.capability.terminal)) offer(best, hop.to, longer)
        if (!hop.capability.terminal && (isHub(hop.to) || hop.to === 'jpg') && hop.to !== from) {
          offer(done ? next.pinned : next.free, hop.to, longer)
        }
      }
    }
    layer = [
      ...[...next.pinned].map(([at, path]) => ({ at, pinned: true, path })),
      ...[...next.free].map(([at, path]) => ({ at, pinned: false, path })),
    ]
  }
  return best
}

const MEDIA = new Set(['image', 'video', 'audio'])

/**
 * The cheapest ways to compress, crop or trim one format into every other: the work itself, with one conversion before
 * it and one after it where needed. Nothing follows a compression: it would undo the size that was reached. A document
 * does not go there and back again (docx → pdf → docx): that would ruin it.
 */
export const workings = (graph: Graph, does: Doing, from: Ext, pin?: string): Paths => {
  const best = new Map<Ext, Path>()
  const consider = (hops: readonly Hop[]): void => {
    const to = hops.at(-1)?.to ?? from
    const stops = hops.slice(0, -1).map((hop) => hop.to)
    if (!stops.every((stop) => isHub(stop) || stop === to || stop === from)) return
    const path = hops.reduce(further, { hops: [], cost: 0 })
    offer(best, to, { ...path, cost: path.cost + PER_PLAIN_STOP * stops.filter((stop) => !isHub(stop)).length })
  }
  const first = graph.hops('convert', from, pin).filter((hop) => hop.to !== from && !hop.capability.terminal)
  for (const start of [[], ...first.map((hop) => [hop])]) {
    for (const work of graph.hops(does, start[0]?.to ?? from, pin)) {
      if (pin !== undefined && work.engine.id !== pin) continue
      consider([...start, work])
      if (does === 'compress' || work.capability.terminal) continue
      if (start.length > 0 && !MEDIA.has(familyOf(from))) continue
      for (const last of graph.hops('convert', work.to, pin)) if (last.to !== work.to) consider([...start, work, last])
    }
  }
  return best
}
