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

/** Every step on the ways that its inputs will take. */
function hopsOf(task: Placed, sources: readonly Source[], { operations, catalog }: Knowing): Hop[] {
  const does = operations.get(task.operation)?.does
  if (!does) return []
  const from = sources.flatMap(({ result }) => result?.files ?? []).flatMap(({ format }) => extOf(format) ?? [])
  const to = extOf(text(task.payload.output_format) ?? '')
  const engine = text(task.payload.engine)
  const ways: (readonly [Ext | readonly Ext[], Ext])[] =
    does === 'merge' ? (to ? [[from, to]] : []) : [...new Set(from)].map((ext) => [ext, to ?? ext])
  return ways.flatMap(([of, into]) => {
    const route = catalog.route(does, of, into, engine)
    return route ? [...route.before.flat(), ...route.hops] : []
  })
}

export function laneOf(task: Placed, sources: readonly Source[], knowing: Knowing): Lane {
  return hopsOf(task, sources, knowing).some(({ capability }) => capability.heavy) ? 'heavy' : task.lane
}

/** What a worker must be able to do for it: the engines on its way, or to know its operation at all. */
export function abilitiesFor(task: Placed, sources: readonly Source[], knowing: Knowing): string[] {
  const declared = knowing.operations.get(task.operation)
  if (!declared) return [operationAbility(task.operation)]
  const engines = hopsOf(task, sources, knowing).map(({ engine }) => engine.id)
  return [...new Set([...engines, ...(declared.needs ?? [])])]
}
