/** Which lane a task belongs in, once its inputs are known: long work must not stand in the way of small. */
import type { Catalog } from '../catalog/catalog.ts'
import { type Ext, extOf } from '../catalog/formats.ts'
import type { Lane, Task } from '../core/task.ts'
import type { Operations } from './index.ts'

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function laneOf(
  task: Pick<Task, 'operation' | 'payload' | 'lane'>,
  sources: readonly Pick<Task, 'result'>[],
  { operations, catalog }: { operations: Operations; catalog: Catalog },
): Lane {
  const does = operations.get(task.operation)?.does
  if (!does) return task.lane
  const from = sources.flatMap(({ result }) => result?.files ?? []).flatMap(({ format }) => extOf(format) ?? [])
  const to = extOf(text(task.payload.output_format) ?? '')
  const engine = text(task.payload.engine)
  const ways: (readonly [Ext | readonly Ext[], Ext])[] =
    does === 'merge' ? (to ? [[from, to]] : []) : [...new Set(from)].map((ext) => [ext, to ?? ext])
  const hops = ways.flatMap(([of, into]) => {
    const route = catalog.route(does, of, into, engine)
    return route ? [...route.before.flat(), ...route.hops] : []
  })
  return hops.some(({ capability }) => capability.heavy) ? 'heavy' : task.lane
}
