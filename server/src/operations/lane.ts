/**
 * Which lane a task belongs in, and what its worker must be able to do, once its inputs are known: long work must not
 * stand in the way of small, and not every machine has every engine.
 */
import type { Catalog } from '../catalog/catalog.ts'
import { type Ext, extOf } from '../catalog/formats.ts'
import type { Hop } from '../catalog/route.ts'
import type { Lane, Task } from '../core/task.ts'
import { operationAbility } from './cluster.ts'
import type { Operations } from './index.ts'

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

type Placed = Pick<Task, 'operation' | 'payload' | 'lane'>
type Source = Pick<Task, 'result'>

interface Knowing {
  operations: Operations
  catalog: Catalog
}

/** Every step on the ways that its inputs will take; null where there is no way. */
function hopsOf(task: Placed, sources: readonly Source[], { operations, catalog }: Knowing): Hop[] | null {
  const does = operations.get(task.operation)?.does
  if (!does) return []
  const from = sources.flatMap(({ result }) => result?.files ?? []).flatMap(({ format }) => extOf(format) ?? [])
  const to = extOf(text(task.payload.output_format) ?? '')
  const engine = text(task.payload.engine)
  const ways: (readonly [Ext | readonly Ext[], Ext])[] =
    does === 'merge' ? (to ? [[from, to]] : []) : [...new Set(from)].map((ext) => [ext, to ?? ext])
  const routes = ways.map(([of, into]) => catalog.route(does, of, into, engine))
  return routes.every((route) => route !== null)
    ? routes.flatMap(({ before, hops }) => [...before.flat(), ...hops])
    : null
}

export function laneOf(task: Placed, sources: readonly Source[], knowing: Knowing): Lane {
  return hopsOf(task, sources, knowing)?.some(({ capability }) => capability.heavy) ? 'heavy' : task.lane
}

/** What a worker must be able to do for it: the engines on its way, or to know its operation at all. null: none can. */
export function abilitiesFor(task: Placed, sources: readonly Source[], knowing: Knowing): string[] | null {
  const declared = knowing.operations.get(task.operation)
  if (!declared) return [operationAbility(task.operation)]
  const hops = hopsOf(task, sources, knowing)
  return hops && [...new Set([...hops.map(({ engine }) => engine.id), ...(declared.needs ?? [])])]
}
